/** What the workers of a cache pool run: attention over the tensors that each holds. */
import type { Instance } from './protocol.js';
import { residentIn } from '../attention/cache.js';
import { attend, type AttentionOperands } from '../attention/call.js';
import { startedForCache } from '../runtime/cache_module.js';
import type { ResidentDtype, ResidentTensor } from '../runtime/resident.js';
import type { Tensor } from '../runtime/tensor.js';

/** Where a worker has a tensor, and how many bytes it takes. */
export interface Placed {
  address: number;
  byteLength: number;
}

type Handler = (...args: never[]) => unknown;

export async function instanceOf(module: WebAssembly.Module): Promise<Instance> {
  const core = await startedForCache(module);
  const held = new Map<number, ResidentTensor>();
  const handlers: Record<string, Handler> = {
    attention: (operands: AttentionOperands) => attend(core, operands),
    resident(tensor: Tensor, dtype: ResidentDtype): Placed {
      const made = residentIn(core, tensor, dtype);
      const address = made.addressIn(core, 'the tensor');
      held.set(address, made);
      return { address, byteLength: made.byteLength };
    },
    set: (address: number, data: Float32Array, at: number) => held.get(address)!.set(data, at),
    dispose(address: number) {
      held.get(address)!.dispose();
      held.delete(address);
    },
  };
  return {
    call: ({ name, args }) => handlers[name]!(...(args as never[])),
    onNotice: () => core.raw.releaseMemory(),
  };
}
