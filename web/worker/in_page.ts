/**
 * The script of a worker, run by a page that may have no worker. It keeps its handler where the
 * page finds it: a script that is built for a worker exports nothing.
 */
import { loadTwice } from './load_again.ts';
import type { Handler } from './protocol.ts';

const key = Symbol.for('ropewalk.handlers');
const handlers = ((globalThis as { [key]?: Map<string, Handler> })[key] ??= new Map());

/** Without what a second attempt adds. */
const nameOf = (address: string) => address.replace(/[?#].*/, '');

export const keepHandler = (address: string, handler: Handler) =>
  void handlers.set(nameOf(address), handler);

/** Loads the script of a worker into the page, and returns what replies to its requests. */
export async function handlerIn(address: string): Promise<Handler> {
  const { href } = new URL(address, location.href);
  await loadTwice(() => import(/* @vite-ignore */ href));
  const handler = handlers.get(nameOf(href));
  if (!handler) throw new Error(`${href} is not the script of a worker`);
  return handler;
}
