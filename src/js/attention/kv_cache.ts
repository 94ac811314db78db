/// <reference lib="esnext.disposable" preserve="true" />
/** A KV cache: the keys and values of the tokens so far, in the core's memory. */
import { TokenCache, type KvCacheOptions } from './token_cache.js';
import { wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TensorInput } from '../runtime/tensor.js';

export type { KvCacheOptions } from './token_cache.js';

/** Which tokens evict() forgets, and what becomes of later positions. */
export interface EvictOptions {
  /**
   * Whether the positions of later tokens become smaller by the number of evicted ones: their keys
   * are rotated back, and in fewer bits rounded once more. Default false: they keep theirs.
   */
  renumber?: boolean;
}

/** @internal */
export const evictSchema = { renumber: option.truth.default(false) } satisfies Schema<EvictOptions>;

const forgotten = new FinalizationRegistry<{ core: Core; address: number }>(({ core, address }) =>
  core.raw.deleteCache(address),
);

/** The bits of an address that stand for a cache, see Stored in the core. */
const isCache = 3;

/**
 * Keys and values of the tokens so far. Made by createCache(); `attention(q, cache)` reads exactly
 * the tokens that were appended.
 */
export class KvCache extends TokenCache {
  /** The same as dispose(), for `using`, where the engine has it. */
  declare readonly [Symbol.dispose]: () => void;
  #core: Core;
  #address: number;
  #length = 0;
  #positions: Float64Array | undefined;

  /** @internal */
  constructor(core: Core, settings: KvCacheOptions) {
    super(core, settings);
    const { batch, keyHeads, dim, valueDim, capacity, dtype } = this;
    const { frequencies, attentionFactor, layout } = this.rotation;
    this.#core = core;
    core.sendDoubles(frequencies);
    const address = core.address(
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
      `a cache of ${batch * keyHeads * capacity} keys and values`,
    );
    this.#address = address + isCache;
    forgotten.register(this, { core, address }, this);
  }

  get length(): number {
    return this.#length;
  }

  /** @internal */
  get ownPositions(): Float64Array | undefined {
    return this.#positions;
  }

  /**
   * Appends the keys and values of new tokens, with the positions that follow those before.
   * @param k [tokens, keyHeads · dim] or [keyHeads, tokens, dim], with a batch before them where
   * there is more than one; not rotated yet if the cache has a rotation
   * @param v the same with valueDim
   * @returns the new length
   * @throws TypeError, RangeError on a wrong kind or shape, more tokens than the capacity, or, in
   * fewer bits, values that are not finite or above 2²⁸: then nothing is appended
   */
  append(k: TensorInput, v: TensorInput): number {
    const core = this.#core;
    const { keys, values } = this.tokensOf(k, v);
    const address = this.#address;
    core.send([keys.data, values.data]);
    core.address(core.raw.appendToCache(address, keys.count, keys.isByToken));
    this.#length += keys.count;
    if (this.#positions) this.#readPositions(core.raw.cachePositions(address));
    return this.#length;
  }

  /**
   * Forgets the tokens from a length on, as after a rejected draft.
   * @throws RangeError if the length is above the number of tokens
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
    const address = this.addressOf('the cache');
    if (wholeNumber('pastEnd', pastEnd, 0) > this.#length)
      throw wrongValue('pastEnd', `must be at most the length, ${this.#length}`, pastEnd);
    if (wholeNumber(name, first, 0) > pastEnd)
      throw wrongValue(name, `must be at most ${pastEnd}`, first);
    if (first === pastEnd) return;
    this.#readPositions(this.#core.raw.evictFromCache(address, first, pastEnd, renumber));
    this.#length -= pastEnd - first;
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

  /** @internal */
  addressOf(name: string): number {
    if (this.#address === 0) throw new Error(`${name} was disposed`);
    return this.#address;
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
