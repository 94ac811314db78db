/** What every KV cache has: its sizes, its position scheme, and the rules for tokens. */
import { isConfigured } from './configured.js';
import { elsewhere, type FourAxes, type Sizes } from './operands.js';
import {
  noPosition,
  positionOperand,
  type PositionInput,
  type PositionOperand,
} from './position.js';
import { distanceTypes } from '../bias/distance.js';
import { fitting, operandTensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { described, wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { dtypeOption, type StoredDtype } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import { shapeText, type TensorInput } from '../runtime/tensor.js';

/** The sizes of a cache, how it stores values, and its position scheme. */
export interface KvCacheOptions {
  /** Default 1. */
  batch?: number;
  /** Heads of keys and values. */
  keyHeads: number;
  /** Width of a head of keys. */
  dim: number;
  /** Width of a head of values. Default: `dim`. */
  valueDim?: number;
  /** The largest number of tokens. */
  capacity: number;
  /**
   * How keys and values are stored: 'float32' (default), or 'float16' and 'int8' in half and a
   * quarter of the memory, with the errors that `resident` states.
   */
  dtype?: StoredDtype;
  /**
   * A rotation ('rope'), a bias by distance ('alibi' …), or what `positionFromConfig` returns: keys
   * are rotated as they are appended, and attention gives queries the positions of the last tokens.
   * Default: none; attention then takes `position`, except rotations of keys in fewer bits.
   */
  position?: PositionInput;
}

const cacheSchema = {
  batch: option.whole.default(1),
  keyHeads: option.whole,
  dim: option.whole,
  valueDim: option.whole.optional(),
  capacity: option.whole,
  dtype: dtypeOption,
  position: option.given('position'),
} satisfies Schema<KvCacheOptions>;

/** Tokens with their heads as an axis, or with the heads side by side. @internal */
export interface Tokens {
  data: Float32Array;
  count: number;
  isByToken: boolean;
}

/** The scheme of a configuration is a rotation, ALiBi, or one that attention refuses. */
function typeOf(position: Exclude<PositionInput, string>): unknown {
  if (!isConfigured(position)) return position?.type;
  return position.scheme.type === 'alibi' ? 'alibi' : 'rope';
}

/** The sizes and the position scheme of a cache, which an instance or a pool holds. */
export abstract class TokenCache {
  /** Number of batches. */
  readonly batch: number;
  /** Heads of keys and values. */
  readonly keyHeads: number;
  /** Width of a head of keys. */
  readonly dim: number;
  /** Width of a head of values. */
  readonly valueDim: number;
  /** The largest number of tokens. */
  readonly capacity: number;
  /** How keys and values are stored. */
  readonly dtype: StoredDtype;
  /** Whether keys are rotated, or scores biased, by the cache's own position scheme. */
  readonly hasPosition: boolean;
  /** The number of tokens. */
  abstract readonly length: number;
  /** How keys are rotated as they are appended. @internal */
  protected readonly rotation: PositionOperand;
  #core: Core;
  #position: PositionInput | undefined;

  /** @internal */
  constructor(core: Core, settings: KvCacheOptions) {
    const given = read('createCache options', settings, cacheSchema);
    const { batch, keyHeads, dim, valueDim = dim, capacity, dtype, position } = given;
    const rows = batch * keyHeads * capacity;
    fitting('the keys', rows * dim);
    fitting('the values', rows * valueDim);
    this.batch = batch;
    this.keyHeads = keyHeads;
    this.dim = dim;
    this.valueDim = valueDim;
    this.capacity = capacity;
    this.dtype = dtype;
    this.hasPosition = position !== undefined;
    this.#core = core;
    this.#position = position;
    this.rotation = this.#rotationOf(position);
  }

  /** Checks that a cache can have the scheme. */
  #rotationOf(position: PositionInput | undefined): PositionOperand {
    if (position === undefined) return noPosition;
    const type = typeof position === 'string' ? position : typeOf(position);
    if (!['none', 'rope', ...distanceTypes].includes(type as never))
      throw wrongKind(
        'position',
        "of a cache must be 'rope', a bias by distance or none",
        position,
        typeof type === 'string' ? `'${type}': give it to attention` : described(type),
      );
    const given = Object(position) as Record<string, unknown>;
    for (const name of ['positions', 'keyPositions'])
      if (given[name] !== undefined)
        throw wrongKind(name, 'must be left out with a cache', given, '');
    if (distanceTypes.includes(type as never)) return noPosition;
    const { batch, keyHeads, dim, valueDim } = this;
    const sizes: Sizes = { batch, heads: keyHeads, keyHeads, queries: 1, keys: 1, dim, valueDim };
    return positionOperand(this.#core, position, sizes, 0);
  }

  /** The position of each token. */
  get positions(): Float64Array {
    return this.ownPositions?.slice() ?? Float64Array.from({ length: this.length }, (_, i) => i);
  }

  /** The same where they do not count up from 0. @internal */
  abstract readonly ownPositions: Float64Array | undefined;

  /** The keys and values of tokens that fit. @internal */
  protected tokensOf(k: TensorInput, v: TensorInput): { keys: Tokens; values: Tokens } {
    this.addressOf('the cache');
    const [keys, values] = [this.#tokens('k', k, this.dim), this.#tokens('v', v, this.valueDim)];
    if (keys.count !== values.count || keys.isByToken !== values.isByToken)
      throw wrongValue(
        'v',
        `must have the tokens of k in their order, ${keys.count}`,
        values.count,
      );
    if (this.length + keys.count > this.capacity)
      throw wrongValue(
        'k',
        `must have at most ${this.capacity - this.length} tokens, what the capacity of ${this.capacity} leaves`,
        keys.count,
      );
    return { keys, values };
  }

  #tokens(name: string, value: TensorInput, width: number): Tokens {
    const { data, shape } = operandTensor(name, value);
    const { batch, keyHeads } = this;
    const [leading, last] = [shapeText(shape.slice(0, -2)), shape.at(-1)];
    const leads = (...axes: number[]) =>
      leading === shapeText([batch, ...axes]) || (batch === 1 && leading === shapeText(axes));
    const isByToken = shape.length > 1 && last === keyHeads * width && leads();
    if (!isByToken && !(last === width && leads(keyHeads))) {
      const before = batch > 1 ? `${batch}, ` : '';
      throw wrongShape(
        name,
        `must be [${before}tokens, ${keyHeads * width}] or [${before}${keyHeads}, tokens, ${width}]`,
        shape,
      );
    }
    return { data, count: shape[shape.length - 2]!, isByToken };
  }

  /**
   * The address of the cache in the core.
   * @throws Error with this name for it, where it was disposed
   * @internal
   */
  abstract addressOf(name: string): number;

  /** The filled rows as keys and values of a call. @internal */
  operandsIn(core: Core): [keys: FourAxes, values: FourAxes] {
    if (core !== this.#core)
      throw wrongKind('cache', 'must be one of the instance that is called', this, '');
    const address = this.addressOf('cache');
    const rows = (width: number): FourAxes => ({
      data: elsewhere,
      shape: [this.batch, this.keyHeads, this.length, width],
      leading: [],
      address,
    });
    return [rows(this.dim), rows(this.valueDim)];
  }

  /**
   * The cache's scheme in a call whose queries are its last tokens; the core rotates the queries.
   * @internal
   */
  operandFor(sizes: Sizes, hasKeyLengths: boolean): PositionOperand {
    const { frequencies, rowScale, softmaxScale } = this.rotation;
    const onlyRotates = frequencies.length > 0 && rowScale.length === 0 && softmaxScale === 1;
    if (this.#position === undefined || onlyRotates) return noPosition;
    const first = sizes.keys - sizes.queries;
    const at = this.ownPositions?.[first] ?? first;
    const operand = positionOperand(
      this.#core,
      this.#position,
      sizes,
      at,
      this.ownPositions,
      hasKeyLengths,
    );
    return { ...operand, frequencies: [] };
  }
}

/** The number of heads of queries that have them side by side; undefined where they are an axis. */
export function headsBesideEachOther(
  { batch, dim }: TokenCache,
  shape: readonly number[],
): number | undefined {
  const width = shape.at(-1)!;
  // What is no number is refused where the shape is checked.
  if (shape.length > 3 || !Number.isInteger(width) || width % dim !== 0) return undefined;
  return width !== dim || (shape.length === 3 && batch > 1) ? width / dim : undefined;
}
