/** What an instance of `ropewalk/cache` offers: resident keys and values in fewer bits. */
import {
  checkedAttention,
  type AttentionOptions,
  type AttentionResult,
  type Operand,
} from './attention.js';
import { attendInParts, type AttentionCall } from './call.js';
import { lengthOf, operandTensor } from '../runtime/checks.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import {
  compiled,
  loadSchema,
  type BinarySource,
  type LoadOptions,
  type Simd,
} from '../runtime/load.js';
import { startedForCache, type CacheCore } from '../runtime/cache_module.js';
import * as option from '../runtime/option.js';
import {
  ResidentTensor,
  StoredTensor,
  type ResidentDtype,
  type Storage,
} from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import { viewOf, type TensorInput } from '../runtime/tensor.js';

/** How a tensor is kept. */
export interface ResidentOptions {
  /**
   * 'float16': half of the memory; each value x is off by at most 2⁻¹¹ |x| + 2⁻³⁹ m, where m is
   * the largest magnitude of its row (the last axis). 'int8': a quarter; by at most m / 253.
   * Default 'float32', which is exact.
   */
  dtype?: ResidentDtype;
}

/** In the order of RowFormat in the core, after floats. */
const dtypes = ['float32', 'float16', 'int8'] as const;

/** @internal */
export const residentSchema = {
  dtype: option.oneOf(...dtypes).default('float32'),
} satisfies Schema<ResidentOptions>;

/** Throws unless values that are written are rows, where those have a scale. @internal */
export function requireRows(dtype: ResidentDtype, width: number, at: number, count: number): void {
  if (dtype === 'float32' || (at % width === 0 && count % width === 0)) return;
  throw wrongValue(
    'data',
    `must be whole rows of ${width} values where dtype is '${dtype}'`,
    count,
    `${count} values from ${at} on`,
  );
}

/** Throws where attention would rotate keys that are stored as they are scored. @internal */
export function requireUnrotated(k: object, { position }: AttentionCall): void {
  const dtype = k instanceof StoredTensor ? k.dtype : 'float32';
  if (dtype === 'float32' || position.frequencies.length + position.anglePairs === 0) return;
  throw wrongKind(
    'position',
    `must not rotate k of dtype '${dtype}': store keys that rotate() has rotated, and rotate q likewise`,
    position,
    '',
  );
}

/** Values that are converted at a time: they pass through a buffer of the core. */
const valuesAtOnce = 65536;

/** Rows of so many values with a scale each. */
function inFewerBits({ cache }: CacheCore, dtype: ResidentDtype, width: number, rows: number) {
  const format = dtypes.indexOf(dtype);
  return {
    dtype,
    size: () => cache.quantizedSize(format, rows, width),
    write(core, address, data, at) {
      const count = lengthOf(data);
      requireRows(dtype, width, at, count);
      const most = Math.max(1, Math.floor(valuesAtOnce / width)) * width;
      for (let first = 0; first < count; first += most) {
        const part = viewOf(data, first, Math.min(first + most, count));
        core.send([part]);
        const row = (at + first) / width;
        core.address(
          cache.quantizeRows(address + format, rows, width, row, lengthOf(part) / width),
        );
      }
    },
  } satisfies Storage;
}

/** A tensor in fewer bits. The core reads its format from the lowest bits of its address. */
class QuantizedTensor extends ResidentTensor {
  constructor(core: CacheCore, given: TensorInput, dtype: ResidentDtype) {
    const { data, shape } = operandTensor('tensor', given);
    const width = shape.at(-1) ?? 1;
    super(core, { data, shape }, inFewerBits(core, dtype, width, lengthOf(data) / width));
  }

  override addressIn(core: CacheCore, name: string): number {
    const address = super.addressIn(core, name);
    if (name === 'q')
      throw wrongKind('q', "must be resident with dtype 'float32'", this.dtype, `'${this.dtype}'`);
    return address + dtypes.indexOf(this.dtype);
  }
}

/** Keeps a copy of a tensor in the core's memory. @internal */
export const residentIn = (
  core: CacheCore,
  tensor: TensorInput,
  dtype: ResidentDtype,
): ResidentTensor =>
  dtype === 'float32' ? new ResidentTensor(core, tensor) : new QuantizedTensor(core, tensor, dtype);

/** What an instance offers, over a core. @internal */
export const functions = (core: CacheCore) => ({
  /**
   * Exact attention as that of the main entry, over keys and values that may be resident in fewer
   * bits: decoding with a long cache then reads less, which is most of its time.
   *
   * With K and V for the largest magnitude of a row of keys and values, and u for the error of one
   * value, a score is off by at most e = scale (Σ|qᵢ| u(K) + r), where int8 also rounds q:
   * r = 2⁻¹⁶ max|qᵢ| Σ|kᵢ|, else 0. Each weight w is then off by a factor between exp(−2e) and
   * exp(2e), and the output by Σ w (u(V) + s) more; int8 rounds the weights: s = 2⁻¹¹ V, else 0.
   * Keys in fewer bits are stored as they are scored: rotate them with `rotate` before.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]; or a
   * resident one of floats; with `heads`, [batch, length, heads · dim]
   * @param k the same with its own length, and heads that divide q's; resident in any dtype
   * @param v k's shape with its own dim
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter; TypeError
   * where `position` would rotate keys in fewer bits
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (a cache of keys and values);
   * Dettmers et al. 2022, LLM.int8(), section 2.1 (a scale per row)
   */
  attention(q: Operand, k: Operand, v: Operand, settings?: AttentionOptions): AttentionResult {
    const { call, leading, finished } = checkedAttention(core, q, k, v, settings);
    requireUnrotated(k, call);
    return finished(attendInParts(core, call, leading));
  },

  /**
   * Keeps a copy of a tensor in the core's memory until it is disposed of, as floats or in fewer
   * bits with a scale per row.
   * @param tensor of any shape; attention reads [length, dim], [heads, length, dim], [batch, heads,
   * length, dim]
   * @returns a handle of the tensor's shape
   * @throws TypeError, RangeError if the argument is not a tensor or does not fit in memory; in
   * fewer bits also for values that are not finite, or above 2²⁹
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (a cache of keys and values)
   */
  resident(tensor: TensorInput, settings?: ResidentOptions): ResidentTensor {
    const { dtype } = read('resident options', settings, residentSchema);
    return residentIn(core, tensor, dtype);
  },
});

/** Attention over a cache in fewer bits. A tensor is resident in one instance: this one. */
export interface Cache extends ReturnType<typeof functions> {
  /** Which binary runs. */
  readonly simd: Simd;
  /** Releases the memory that calls keep for reuse. */
  release(): void;
}

/** What every entry starts. @internal */
export async function startCache(
  settings: LoadOptions | undefined,
  binary: BinarySource,
): Promise<Cache> {
  const given = read('createCache options', settings, loadSchema);
  const { module, simd } = await compiled(given, binary, 'simd-cache');
  const core = await startedForCache(module);
  return { ...functions(core), simd, release: () => core.raw.releaseMemory() };
}

export type { AttentionOptions, AttentionResult, Operand } from './attention.js';
export type { LoadOptions, Simd } from '../runtime/load.js';
export type { ResidentDtype, ResidentTensor } from '../runtime/resident.js';
export type { Tensor, TensorInput } from '../runtime/tensor.js';
