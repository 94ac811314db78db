/** Tensors that stay in the core's memory, for calls that repeat them. */
import { described, isFloats, lengthOf, tensor, wholeNumber } from './checks.js';
import type { Core } from './core.js';
import { shapeText, type Tensor } from './tensor.js';

/** Gives memory back whose handle nobody holds any more; dispose() does so at once. */
const forgotten = new FinalizationRegistry<{ core: Core; address: number }>(({ core, address }) => {
  core.raw.releaseResident(address);
});

/**
 * A tensor in the core's memory: attention takes it for q, k or v without copying it in again. A
 * cache of keys, say, that grows by a row with every token: keep it at its largest length, write
 * each row with `set`, and pass `keyLengths` with `causal: 'bottom-right'`, which aligns mask and
 * positions with the last real key.
 */
export class ResidentTensor {
  /** As it was given. */
  readonly shape: readonly number[];
  #core: Core;
  #address: number;
  #length: number;

  /** @internal */
  constructor(core: Core, given: Tensor) {
    const { data, shape } = tensor('tensor', given);
    this.shape = shape;
    this.#core = core;
    this.#length = lengthOf(data);
    this.#address = core.keep(data);
    forgotten.register(this, { core, address: this.#address }, this);
  }

  /** Writes values from element `at` on. */
  set(data: Float32Array, at = 0): void {
    if (!isFloats(data)) throw new TypeError(`data must be a Float32Array, got ${described(data)}`);
    const end = wholeNumber('at', at, 0) + lengthOf(data);
    if (end > this.#length) {
      throw new RangeError(
        `data must end within the ${this.#length} values of ${shapeText(this.shape)}, got ${end}`,
      );
    }
    this.#core.overwrite(this.#live('the tensor') + 4 * at, data);
  }

  /** Gives the memory back. Idempotent; any later use throws. */
  dispose(): void {
    if (this.#address === 0) return;
    forgotten.unregister(this);
    this.#core.raw.releaseResident(this.#address);
    this.#address = 0;
  }

  /**
   * Where `core`, which alone can read it, finds the tensor that a caller passed as `name`.
   * @internal
   */
  addressIn(core: Core, name: string): number {
    if (core !== this.#core)
      throw new TypeError(
        `${name} must be resident in the instance that is called, not in another`,
      );
    return this.#live(name);
  }

  #live(name: string): number {
    if (this.#address === 0) throw new Error(`${name} was disposed`);
    return this.#address;
  }
}

export const residents = (core: Core) => ({
  /**
   * Keeps a copy of a tensor in the core's memory until it is disposed of.
   * @param tensor of any shape; attention reads [length, dim], [heads, length, dim], [batch, heads,
   * length, dim]
   * @returns a handle of the tensor's shape
   * @throws TypeError, RangeError on what is no tensor, or does not fit into memory
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (the cache of keys and values)
   */
  resident(tensor: Tensor): ResidentTensor {
    return new ResidentTensor(core, tensor);
  },
});
