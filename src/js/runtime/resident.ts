/// <reference lib="esnext.disposable" preserve="true" />
/** Tensors that stay in the core's memory, for calls that repeat them. */
import { isFloats, lengthOf, operandTensor, wholeNumber } from './checks.js';
import type { Core } from './core.js';
import { wrongKind, wrongValue } from './errors.js';
import { shapeText, type TensorInput } from './tensor.js';

/** Releases the memory of a garbage-collected handle; dispose() releases it at once. */
const forgotten = new FinalizationRegistry<{ core: Core; address: number }>(({ core, address }) => {
  core.raw.releaseResident(address);
});

/** How the values of a resident tensor are stored. */
export type ResidentDtype = 'float32' | 'float16' | 'int8';

/** How the values of a tensor lie in the core's memory. @internal */
export interface Storage {
  dtype: ResidentDtype;
  /** The size in floats of a tensor of so many values. */
  size(count: number): number;
  /** Writes values from element `at` of the tensor at an address on. */
  write(core: Core, address: number, data: Float32Array, at: number): void;
}

const asFloats: Storage = {
  dtype: 'float32',
  size: (count) => count,
  write: (core, address, data, at) => core.overwrite(address + 4 * at, data),
};

/** An operand of attention that is not in an array of the caller. @internal */
export abstract class StoredTensor {
  abstract readonly shape: readonly number[];
  abstract readonly dtype: ResidentDtype;

  /**
   * Returns the address of the tensor that a caller passed as `name`; only its own core can read
   * it.
   */
  abstract addressIn(core: Core, name: string): number;
}

/** Returns where values end that are written from element `at` on, of so many. @internal */
export function endOf(
  data: Float32Array,
  at: number,
  length: number,
  shape: readonly number[],
): number {
  if (!isFloats(data)) throw wrongKind('data', 'must be a Float32Array', data);
  const end = wholeNumber('at', at, 0) + lengthOf(data);
  if (end > length) {
    throw wrongValue('data', `must end within the ${length} values of ${shapeText(shape)}`, end);
  }
  return end;
}

/**
 * A tensor in the core's memory: attention takes it for q, k or v without another copy. For a KV
 * cache that grows by a row with every token: allocate it at its largest length, write each row
 * with `set`, and pass `keyLengths` with `causal: 'bottom-right'`, which aligns mask and
 * positions with the last real key.
 */
export class ResidentTensor extends StoredTensor {
  /** The shape that resident() was called with. */
  readonly shape: readonly number[];
  /** How the values are stored: 'float32', or in an instance of `createCache` in fewer bits. */
  readonly dtype: ResidentDtype;
  /** Bytes in the core's memory. */
  readonly byteLength: number;
  /** The same as dispose(), for `using`, where the engine has it. */
  declare readonly [Symbol.dispose]: () => void;
  #core: Core;
  #address: number;
  #length: number;
  #storage: Storage;

  /** @internal */
  constructor(core: Core, given: TensorInput, storage = asFloats) {
    super();
    const { data, shape } = operandTensor('tensor', given);
    const size = storage.size(lengthOf(data));
    this.shape = shape;
    this.dtype = storage.dtype;
    this.byteLength = 4 * size;
    this.#core = core;
    this.#length = lengthOf(data);
    this.#storage = storage;
    this.#address = core.allocate(size);
    forgotten.register(this, { core, address: this.#address }, this);
    try {
      storage.write(core, this.#address, data, 0);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Writes values from element `at` on; in fewer bits only whole rows, which are the last axis. */
  set(data: Float32Array, at = 0): void {
    endOf(data, at, this.#length, this.shape);
    this.#storage.write(this.#core, this.#live('the tensor'), data, at);
  }

  /** Releases the memory. Idempotent; any later use throws. */
  dispose(): void {
    if (this.#address === 0) return;
    forgotten.unregister(this);
    this.#core.raw.releaseResident(this.#address);
    this.#address = 0;
  }

  /** @internal */
  addressIn(core: Core, name: string): number {
    if (core !== this.#core)
      throw wrongKind(name, 'must be resident in the instance that is called', this, '');
    return this.#live(name);
  }

  #live(name: string): number {
    if (this.#address === 0) throw new Error(`${name} was disposed`);
    return this.#address;
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(ResidentTensor.prototype, Symbol.dispose, {
    value: ResidentTensor.prototype.dispose,
  });

export const residents = (core: Core) => ({
  /**
   * Keeps a copy of a tensor in the core's memory until it is disposed of.
   * @param tensor of any shape; attention reads [length, dim], [heads, length, dim], [batch, heads,
   * length, dim]
   * @returns a handle of the tensor's shape
   * @throws TypeError, RangeError if the argument is not a tensor or does not fit in memory
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (the cache of keys and values)
   */
  resident(tensor: TensorInput): ResidentTensor {
    return new ResidentTensor(core, tensor);
  },
});
