/// <reference lib="esnext.disposable" preserve="true" />
/** Tensors that stay in the core's memory, for calls that repeat them. */
import { operandTensor } from './checks.js';
import type { Core } from './core.js';
import * as option from './option.js';
import { viewOf, type TensorInput } from './tensor.js';
import { wrongKind } from './errors.js';

/** Releases the memory of a garbage-collected handle; dispose() releases it at once. */
const forgotten = new FinalizationRegistry<{ core: Core; address: number }>(({ core, address }) => {
  core.raw.releaseResident(address);
});

/** How the values of a stored tensor are kept. */
export type StoredDtype = 'float32' | 'float16' | 'int8';

/** In the order of Stored in the core: an address has the index in its lowest bits. @internal */
export const dtypes = ['float32', 'float16', 'int8'] as const;

/** @internal */
export const dtypeOption = option.oneOf(...dtypes).default('float32');

/** How a tensor is kept. */
export interface ResidentOptions {
  /**
   * 'float16': half of the memory; each value x is off by at most 2⁻¹¹ |x| + 2⁻³⁹ m, where m is
   * the largest magnitude of its row (the last axis). 'int8': a quarter; by at most m / 253.
   * Default 'float32', which is exact.
   */
  dtype?: StoredDtype;
}

/** Values that are written at a time: they pass through a buffer of the core. */
const valuesAtOnce = 65536;

/**
 * A tensor in the core's memory: attention takes it for q, k or v, layers for their weights, and
 * `rotate` for a table or to rotate it in place, without another copy.
 */
export class ResidentTensor {
  /** The shape that resident() was called with. */
  readonly shape: readonly number[];
  /** How the values are kept. */
  readonly dtype: StoredDtype;
  /** Bytes in the core's memory. */
  readonly byteLength: number;
  /** The same as dispose(), for `using`, where the engine has it. */
  declare readonly [Symbol.dispose]: () => void;
  #core: Core;
  #address: number;

  /** @internal */
  constructor(core: Core, given: TensorInput, dtype: StoredDtype) {
    const { data, shape } = operandTensor('tensor', given);
    const width = shape.at(-1) ?? 1;
    const rows = data.length / width;
    const size = core.raw.storedSize(dtype, rows, width);
    this.shape = shape;
    this.dtype = dtype;
    this.byteLength = 4 * size;
    this.#core = core;
    this.#address = core.allocate(size);
    forgotten.register(this, { core, address: this.#address }, this);
    try {
      this.#write(data, rows, width);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  #write(data: Float32Array, rows: number, width: number): void {
    const at = this.#address + dtypes.indexOf(this.dtype);
    const most = Math.max(1, Math.floor(valuesAtOnce / width));
    for (let first = 0; first < rows; first += most) {
      const count = Math.min(most, rows - first);
      this.#core.send([viewOf(data, first * width, (first + count) * width)]);
      this.#core.address(this.#core.raw.writeRows(at, rows, width, first, count));
    }
  }

  /** Releases the memory. Idempotent; any later use throws. */
  dispose(): void {
    if (this.#address === 0) return;
    forgotten.unregister(this);
    this.#core.raw.releaseResident(this.#address);
    this.#address = 0;
  }

  /**
   * Returns the address of the tensor that a caller passed as `name`; only its own core can read
   * it.
   * @internal
   */
  addressIn(core: Core, name: string): number {
    if (core !== this.#core)
      throw wrongKind(name, 'must be resident in the instance that is called', this, '');
    if (this.#address === 0) throw new Error(`${name} was disposed`);
    return this.#address + dtypes.indexOf(this.dtype);
  }

  /** The same, of floats. @internal */
  floatsIn(core: Core, name: string): number {
    if (this.dtype !== 'float32')
      throw wrongKind(name, "must be resident with dtype 'float32'", this.dtype, `'${this.dtype}'`);
    return this.addressIn(core, name);
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(ResidentTensor.prototype, Symbol.dispose, {
    value: ResidentTensor.prototype.dispose,
  });
