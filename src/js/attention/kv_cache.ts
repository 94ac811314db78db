/// <reference lib="esnext.disposable" preserve="true" />
/** A KV cache: the keys and values of the tokens so far, in the core's memory. */
import type { Sizes } from './operands.js';
import { isConfigured } from './configured.js';
import {
  noPosition,
  positionOperand,
  type PositionInput,
  type PositionOperand,
} from './position.js';
import { distanceTypes } from '../bias/distance.js';
import { fitting, operandTensor, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { dtypeOption, type StoredDtype } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import { shapeText, type TensorInput } from '../runtime/tensor.js';

/** The sizes of a cache, how it stores values, and its position scheme. */
export interface KvCacheOptions {
  /** Default 1. */
  batch?: number;
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

/** Which tokens evict() forgets, and what becomes of later positions. */
export interface EvictOptions {
  /**
   * Whether the positions of later tokens become smaller by the number of evicted ones: their keys
   * are rotated back, and in fewer bits rounded once more. Default false: they keep theirs.
   */
  renumber?: boolean;
}

const cacheSchema = {
  batch: option.whole.default(1),
  keyHeads: option.whole,
  dim: option.whole,
  valueDim: option.whole.optional(),
  capacity: option.whole,
  dtype: dtypeOption,
  position: option.asGiven,
} satisfies Schema<KvCacheOptions>;

const evictSchema = { renumber: option.truth.default(false) } satisfies Schema<EvictOptions>;

const forgotten = new FinalizationRegistry<{ core: Core; address: number }>(({ core, address }) =>
  core.raw.deleteCache(address),
);

/** The bits of an address that stand for a cache, see Stored in the core. */
const isCache = 3;

/** Tokens with their heads as an axis, or with the heads side by side. */
interface Tokens {
  data: Float32Array;
  count: number;
  isByToken: boolean;
}

/**
 * Keys and values of the tokens so far. Made by createCache(); `attention(q, cache)` reads exactly the
 * tokens that were appended.
 */
export class KvCache {
  readonly batch: number;
  readonly keyHeads: number;
  readonly dim: number;
  readonly valueDim: number;
  readonly capacity: number;
  readonly dtype: StoredDtype;
  /** Whether keys are rotated, or scores biased, by the cache's own position scheme. */
  readonly hasPosition: boolean;
  /** The same as dispose(), for `using`, where the engine has it. */
  declare readonly [Symbol.dispose]: () => void;
  #core: Core;
  #address: number;
  #position: PositionInput | undefined;
  /** Whether the position scheme does nothing in a call beside the rotation. */
  #onlyRotates: boolean;
  #length = 0;
  /** Of each token, where they do not count up from 0. */
  #positions: Float64Array | undefined;

  /** @internal */
  constructor(core: Core, settings: KvCacheOptions) {
    const given = read('createCache options', settings, cacheSchema);
    const { batch, keyHeads, dim, capacity, dtype } = given;
    const { valueDim = dim } = given;
    const rows = batch * keyHeads * capacity;
    fitting('the keys', rows * dim);
    fitting('the values', rows * valueDim);
    this.#core = core;
    this.#position = given.position;
    const { frequencies, attentionFactor, layout, rowScale } = this.#rotation(given, valueDim);
    this.#onlyRotates = frequencies.length > 0 && rowScale.length === 0;
    core.sendDoubles(frequencies);
    this.#address = core.address(
      core.raw.createCache(
        batch,
        keyHeads,
        dim,
        valueDim,
        capacity,
        dtype,
        frequencies[0]?.length ?? 0,
        attentionFactor,
        layout === 'half-split',
      ),
      `a cache of ${rows} keys and values`,
    );
    forgotten.register(this, { core, address: this.#address }, this);
    this.batch = batch;
    this.keyHeads = keyHeads;
    this.dim = dim;
    this.valueDim = valueDim;
    this.capacity = capacity;
    this.dtype = dtype;
    this.hasPosition = given.position !== undefined;
  }

  /** The rotation of the cache's own scheme; checks that a cache can have it. */
  #rotation(
    {
      position,
      batch,
      keyHeads,
      dim,
    }: Required<Pick<KvCacheOptions, 'batch' | 'keyHeads' | 'dim'>> & KvCacheOptions,
    valueDim: number,
  ): PositionOperand {
    if (position === undefined) return noPosition;
    const type =
      typeof position === 'string' ? position : isConfigured(position) ? 'rope' : position?.type;
    if (!['none', 'rope', ...distanceTypes].includes(type))
      throw new TypeError(
        `position of a cache must be 'rope', a bias by distance or none, got '${type}': give it to attention`,
      );
    if (typeof position === 'object' && ('positions' in position || 'keyPositions' in position))
      throw new TypeError('position of a cache must have no positions: it counts its tokens');
    if (distanceTypes.includes(type as never)) return noPosition;
    const sizes: Sizes = { batch, heads: keyHeads, keyHeads, queries: 1, keys: 1, dim, valueDim };
    return positionOperand(this.#core, position, sizes, 0);
  }

  /** The number of tokens. */
  get length(): number {
    return this.#length;
  }

  /** The position of each token. */
  get positions(): Float64Array {
    return this.#positions?.slice() ?? Float64Array.from({ length: this.#length }, (_, i) => i);
  }

  /**
   * Appends the keys and values of new tokens, with the positions that follow those before.
   * @param k [tokens, keyHeads · dim] or [keyHeads, tokens, dim], with a batch before them where
   * there is more than one; not rotated yet if the cache has a rotation
   * @param v the same with valueDim
   * @returns the new length
   * @throws TypeError, RangeError on a wrong kind or shape, or more tokens than the capacity: then
   * nothing is appended
   */
  append(k: TensorInput, v: TensorInput): number {
    const core = this.#core;
    const address = this.#alive('the cache');
    const [keys, values] = [this.#tokens('k', k, this.dim), this.#tokens('v', v, this.valueDim)];
    if (keys.count !== values.count || keys.isByToken !== values.isByToken)
      throw new RangeError(
        `v must have the tokens of k in their order, ${keys.count}, got ${values.count}`,
      );
    if (this.#length + keys.count > this.capacity)
      throw new RangeError(
        `k must have at most ${this.capacity - this.#length} tokens, what the capacity of ${this.capacity} leaves, got ${keys.count}`,
      );
    core.send([keys.data, values.data]);
    core.address(core.raw.appendToCache(address, keys.count, keys.isByToken));
    this.#length += keys.count;
    if (this.#positions) this.#readPositions(core.raw.cachePositions(address));
    return this.#length;
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
      throw new RangeError(
        `${name}.shape must be [${before}tokens, ${keyHeads * width}] or [${before}${keyHeads}, tokens, ${width}], got ${shapeText(shape)}`,
      );
    }
    return { data, count: shape[shape.length - 2]!, isByToken };
  }

  /**
   * Forgets the tokens from a length on, as after a rejected draft.
   * @throws RangeError unless there are so many
   */
  truncate(length: number): void {
    this.#evict('length', length, this.#length, false);
  }

  /**
   * Forgets the tokens first … pastEnd − 1 and moves later ones up. They keep their positions, or
   * are renumbered.
   * @throws RangeError unless it is a range of tokens
   */
  evict(first: number, pastEnd: number, settings?: EvictOptions): void {
    const { renumber } = read('evict options', settings, evictSchema);
    this.#evict('first', first, pastEnd, renumber);
  }

  #evict(name: string, first: number, pastEnd: number, renumber: boolean): void {
    const address = this.#alive('the cache');
    if (wholeNumber('pastEnd', pastEnd, 0) > this.#length)
      throw new RangeError(`pastEnd must be at most the length, ${this.#length}, got ${pastEnd}`);
    if (wholeNumber(name, first, 0) > pastEnd)
      throw new RangeError(`${name} must be at most ${pastEnd}, got ${first}`);
    if (first === pastEnd) return;
    const returned = this.#core.raw.evictFromCache(address, first, pastEnd, renumber);
    this.#length -= pastEnd - first;
    this.#readPositions(returned);
  }

  #readPositions(returned: number): void {
    const positions = this.#core.doubles(returned);
    this.#positions = positions.some((position, i) => position !== i) ? positions : undefined;
  }

  /** Releases the memory. Idempotent; any later use throws. */
  dispose(): void {
    if (this.#address === 0) return;
    forgotten.unregister(this);
    this.#core.raw.deleteCache(this.#address);
    this.#address = 0;
  }

  #alive(name: string): number {
    if (this.#address === 0) throw new Error(`${name} was disposed`);
    return this.#address;
  }

  /** The address that a call of attention reads. @internal */
  addressIn(core: Core): number {
    if (core !== this.#core)
      throw new TypeError('cache must be one of the instance that is called');
    return this.#alive('cache') + isCache;
  }

  /**
   * The cache's scheme in a call whose queries are its last tokens; the core rotates the queries.
   * @internal
   */
  operandFor(sizes: Sizes): PositionOperand {
    if (this.#position === undefined || this.#onlyRotates) return noPosition;
    const first = sizes.keys - sizes.queries;
    const at = this.#positions?.[first] ?? first;
    const operand = positionOperand(this.#core, this.#position, sizes, at, this.#positions);
    return { ...operand, frequencies: [] };
  }
}

if (typeof Symbol.dispose === 'symbol')
  Object.defineProperty(KvCache.prototype, Symbol.dispose, { value: KvCache.prototype.dispose });

export const kvCaches = (core: Core) => ({
  /**
   * Makes an empty cache of keys and values for decoding, in the core's memory until it is disposed
   * of.
   * @throws TypeError, RangeError on a wrong option, naming it, or where memory does not suffice
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (the cache of keys and values)
   */
  createCache: (settings: KvCacheOptions): KvCache => new KvCache(core, settings),
});

/** The heads of queries that have them side by side; undefined where heads are an axis. @internal */
export function headsBesideEachOther(
  { batch, dim }: KvCache,
  shape: readonly number[],
): number | undefined {
  const width = shape.at(-1)!;
  if (shape.length > 3 || width % dim !== 0) return undefined;
  return width !== dim || (shape.length === 3 && batch > 1) ? width / dim : undefined;
}
