/** What the workers of a pool run: the functions of an instance. */
import type { Instance } from './protocol.js';
import { attend, type AttentionOperands } from '../attention/call.js';
import { Core } from '../runtime/core.js';
import { started } from '../runtime/main_module.js';
import { functions } from '../ropewalk.js';

type Handler = (...args: never[]) => unknown;

/** Each function by its name; `attention` takes a call that was checked already. */
export async function instanceOf(module: WebAssembly.Module): Promise<Instance> {
  const core = new Core(await started(module));
  const handlers = new Map<string, Handler>(Object.entries(functions(core)));
  handlers.set('attention', (operands: AttentionOperands) => attend(core, operands));
  return {
    call: ({ name, args }) => handlers.get(name)!(...(args as never[])),
    onNotice: () => core.raw.releaseMemory(),
  };
}
