/**
 * What a file that holds figures has in place of requests: assembly/single.ts makes the scripts of
 * the figures take workers, binaries and other files from here.
 */
import { files, script } from 'ropewalk:parts';

const bytesOf = (name: string) =>
  Uint8Array.from(atob(files[name]!), (letter) => letter.charCodeAt(0));

const kindOf = (name: string) => (name.endsWith('.txt') ? 'text/plain;charset=utf-8' : '');

/** The address of a file that figures read or link to. */
export const addressOf = (name: string): string =>
  URL.createObjectURL(new Blob([bytesOf(name)], { type: kindOf(name) }));

/** The address of a worker: it is another entry of the script that runs now. */
export const workerAddress = (entry: string): string =>
  URL.createObjectURL(new Blob([script(entry)], { type: 'text/javascript' }));

/** A binary, which the file has compressed. */
export async function binary(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytesOf(name)]).stream();
  const stream = packed.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
