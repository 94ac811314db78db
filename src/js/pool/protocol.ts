/** What a pool and its workers say to each other, and the worker's side of it. */
import { attend, type AttentionOperands } from '../attention/call.js';
import { Core } from '../runtime/core.js';
import { started } from '../runtime/load.js';
import { functions } from '../ropewalk.js';

/** The first message has the compiled module; the others wait for its instance. */
export type Request = { module: WebAssembly.Module } | { release: true } | Work;

/** One function and its arguments; `attention` takes a call that was checked already. */
export interface Work {
  name: string;
  args: unknown[];
}

/** Work gets one answer. After `trapped` the worker is of no more use. */
export type Reply =
  { value: unknown } | { error: { name: string; message: string } } | { trapped: string };

type Answer = (...args: never[]) => unknown;

/** By name, those within others as 'rotaryFrequencies.fromConfig'. */
export function named(table: object, before = ''): [string, Answer][] {
  return Object.entries(table).flatMap(([name, member]: [string, Answer]) => [
    [`${before}${name}`, member],
    ...named(member, `${before}${name}.`),
  ]);
}

/** The buffers of every array within a result; no two of them share one. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}

function answersOf(core: Core): Map<string, Answer> {
  const answers = new Map(named(functions(core)));
  answers.set('attention', (operands: AttentionOperands) => attend(core, operands));
  answers.set('', () => undefined); // only whether the worker has started
  return answers;
}

async function instanceOf(module: WebAssembly.Module) {
  const core = new Core(await started(module));
  return { core, answers: answersOf(core) };
}

/** What a worker does with each message. */
export function answering(reply: (message: Reply, transfer: ArrayBuffer[]) => void) {
  let ready: Promise<{ core: Core; answers: Map<string, Answer> }>;
  return async (request: Request): Promise<void> => {
    if ('module' in request) {
      ready = instanceOf(request.module);
      ready.catch(() => {}); // told to the work that waits for it
      return;
    }
    const instance = await ready.catch((error: Error) => error);
    if (instance instanceof Error) return reply({ trapped: instance.message }, []);
    if ('release' in request) return instance.core.raw.releaseMemory();
    try {
      const value = instance.answers.get(request.name)!(...(request.args as never[]));
      reply({ value }, buffersOf(value));
    } catch (error) {
      const { name, message } = error as Error;
      const trapped = error instanceof WebAssembly.RuntimeError;
      reply(trapped ? { trapped: message } : { error: { name, message } }, []);
    }
  };
}
