/** Exact attention, with position fused where the scheme allows it. */
import {
  attendInParts,
  intermediates,
  type AttentionCall,
  type AttentionIntermediate,
  type AttentionTensors,
  type ResultName,
} from './call.js';
import {
  additiveMask,
  alignments,
  bandOf,
  biasOperand,
  joined,
  maskOperand,
  operandOf,
  packed,
  sizesOf,
  type Alignment,
  type BiasInput,
  type FourAxes,
  type MaskInput,
  type Sizes,
  type Window,
} from './operands.js';
import type { KvCache } from './kv_cache.js';
import {
  noPosition,
  positionOperand,
  type PositionInput,
  type PositionOperand,
} from './position.js';
import { headsBesideEachOther, TokenCache } from './token_cache.js';
import {
  destination,
  fitting,
  fittingTogether,
  floatNumber,
  isFloats,
  leastNormal,
  oneOf,
  positiveNumber,
  wholeNumber,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { ResidentTensor } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Tensor, TensorInput } from '../runtime/tensor.js';

/** Everything that may differ from plain attention. */
export interface AttentionOptions {
  /** Multiplies q · k. Default 1/√dim. */
  scale?: number;
  /**
   * One more factor per query, such as log-n scaling or scalable softmax (`logitFactors`):
   * [queries], [heads × queries] or [batch × heads × queries] values. It multiplies the temperature
   * of a rotary scaling, but replaces the factors of what `positionFromConfig` returns.
   */
  rowScale?: ArrayLike<number>;
  /** Scores become softcap · tanh(score / softcap), before any bias or mask. Default off. */
  softcap?: number;
  /**
   * Which keys a query sees. 'top-left': query i sees keys 0 … i (PyTorch's is_causal).
   * 'bottom-right': the last query sees every key (decoding with a cache). 'after-past': query i
   * sees `past` and the new keys 0 … i. true: any of them, where all are the same. Default false.
   */
  causal?: boolean | Alignment;
  /** Hides keys far from the query. Aligned as `causal`; without it, 'bottom-right' by default. */
  window?: Window;
  /**
   * The number of real keys of each batch; the keys after them are padding and hidden.
   * 'bottom-right' then aligns with the last real key.
   */
  keyLengths?: ArrayLike<number>;
  /**
   * Hides keys. Broadcast to [batch, heads, queries, keys]; values alone are [queries, keys]. In a
   * Uint8Array or a list of booleans alone, true attends; a Float32Array is added to the scores.
   */
  mask?: MaskInput;
  /**
   * Added to the scaled scores; broadcast to [batch, heads, queries, keys]; values alone are
   * [queries, keys]. −Infinity hides a key.
   */
  bias?: BiasInput;
  /** Keys and values of earlier calls, put before k and v: […, key heads, length, dim]. */
  past?: { k: TensorInput; v: TensorInput };
  /** One score per head that belongs to no key: attention sinks. */
  sinks?: ArrayLike<number>;
  /** Output of a query that sees no key. Default 'zeros'; 'nan' is the result of plain softmax. */
  fullyMasked?: 'zeros' | 'nan';
  /** Position scheme, or what `positionFromConfig` returns. Default: none. */
  position?: PositionInput;
  /** Intermediate results to return, default none. Most have queries × keys values per head. */
  intermediates?: readonly AttentionIntermediate[];
  /**
   * When given, q is [batch, length, heads · dim] or [length, heads · dim], k and v alike with
   * `keyHeads`, and so is the output; intermediates and `present` have an axis of heads.
   */
  heads?: number;
  /** Heads of k and v; only with `heads`. Default: as many. */
  keyHeads?: number;
  /** Takes the output in place of a new array: as many values as the output has. */
  into?: Float32Array;
  /** Called after each part of a long call. An error that it throws ends the call. */
  onProgress?: (done: number, of: number) => void;
}

/** The output, and the intermediate results that `intermediates` lists. */
export interface AttentionResult {
  /** softmax(softcap(scale · q kᵀ) + bias) v, of q's leading shape. */
  output: Tensor;
  /** scale · q kᵀ, after any rotation. */
  scores?: Tensor;
  /** Scores after the softcap. */
  capped?: Tensor;
  /** Scores with every bias; −Infinity where masked. */
  biased?: Tensor;
  /** softmax of biased: each row sums to 1 (less with sinks; 0 where no key is seen). */
  weights?: Tensor;
  /** −Σ w ln w of each row of weights, in nats. */
  entropy?: Tensor;
  /** Logarithm of each row's softmax denominator; −Infinity where no key is seen. */
  logSumExp?: Tensor;
  /** With `past`: the joined keys and values, to be the next call's past. */
  present?: { k: Tensor; v: Tensor };
  /** With stick-breaking: 1 minus the sum of each row's weights. */
  remainder?: Tensor;
}

/** The options where keys and values are in a cache. */
export interface CachedAttentionOptions extends Omit<AttentionOptions, 'past' | 'keyHeads'> {}

/** The core also divides by it, so its reciprocal must be a finite float, too. */
const softcap = new option.Option<number>({
  kind: 'number',
  check(name, value) {
    const cap = floatNumber(name, positiveNumber(name, value));
    if (cap < leastNormal) throw wrongValue(name, `must be at least ${leastNormal}`, cap);
    return cap;
  },
});

export const attentionSchema = {
  scale: option.float.optional(),
  rowScale: option.numbers.optional(),
  softcap: softcap.optional(),
  causal: option.oneOf(false, true, ...alignments).default(false),
  window: option.given('window'),
  keyLengths: option.numbers.optional(),
  mask: option.given('mask'),
  bias: option.given('bias'),
  past: option.given('past'),
  sinks: option.numbers.optional(),
  fullyMasked: option.oneOf('zeros', 'nan').default('zeros'),
  position: option.given('position'),
  intermediates: option.given('intermediates'),
  heads: option.whole.optional(),
  keyHeads: option.whole.optional(),
  into: option.floats.optional(),
  onProgress: option.callback<NonNullable<AttentionOptions['onProgress']>>().optional(),
} satisfies Schema<AttentionOptions>;

const pastSchema = {
  k: option.given('k'),
  v: option.given('v'),
} satisfies Schema<NonNullable<AttentionOptions['past']>>;

/**
 * Returns a list with one finite value per query, head or batch as floats; [] if there is none.
 */
function listOf(name: string, list: Float64Array | undefined, length: number): Float64Array[] {
  if (list === undefined) return [];
  if (list.length !== length) throw wrongValue(name, `must have ${length} values`, list.length);
  return [list];
}

/** The same, with values in the range of 32-bit floats. */
function floatsOf(name: string, list: Float64Array | undefined, length: number): Float32Array[] {
  if (list === undefined) return [];
  return listOf(name, list, length).map((list) => {
    const floats = new Float32Array(list);
    const wrong = floats.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) floatNumber(`${name}[${wrong}]`, list[wrong]);
    return floats;
  });
}

/** Returns the number of factors that the list must have. */
function rowFactors(list: Float64Array | undefined, { batch, heads, queries }: Sizes): number {
  const count = list?.length ?? queries;
  const perHead = heads * queries;
  return count === perHead || count === batch * perHead ? count : queries;
}

const noIntermediates: ReadonlySet<AttentionIntermediate> = new Set();

function intermediatesOf(
  list: readonly AttentionIntermediate[] | undefined,
): ReadonlySet<AttentionIntermediate> {
  if (list === undefined) return noIntermediates;
  if (!Array.isArray(list)) throw wrongKind('intermediates', 'must be an array of names', list);
  return new Set(Array.from(list, (step) => oneOf('intermediates', step, intermediates)));
}

/** Lengths of the real keys, one per batch. */
function keyLengthsOf(given: Float64Array | undefined, sizes: Sizes): Float64Array[] {
  const lists = listOf('keyLengths', given, sizes.batch);
  lists[0]?.forEach((length, batch) => {
    if (wholeNumber(`keyLengths[${batch}]`, length, 0) > sizes.keys) {
      throw wrongValue(
        `keyLengths[${batch}]`,
        `must be at most the number of keys, ${sizes.keys}`,
        length,
      );
    }
  });
  return lists;
}

/** The alignment that `causal: true` means: every one, or it is an error. */
function alignmentOf(
  causal: boolean | Alignment,
  { queries, keys }: Sizes,
  pastKeys: number,
  keyLengths: readonly Float64Array[],
): false | Alignment {
  if (causal !== true) return causal;
  if (queries === keys && pastKeys === 0 && keyLengths.length === 0) return 'top-left';
  const counts = `${queries} queries and ${keys} keys`;
  const got = keyLengths.length > 0 ? 'keyLengths' : pastKeys > 0 ? `past, ${counts}` : counts;
  throw wrongValue(
    'causal',
    "must be 'top-left' (query i sees keys 0 … i, as is_causal of PyTorch) or 'bottom-right' (the last query sees the last key, as in decoding with a cache)",
    true,
    `true with ${got}`,
  );
}

/** How many heads q, and k and v, have side by side; undefined where heads are an axis. */
function headsOf(heads: number | undefined, keyHeads: number | undefined) {
  if (heads === undefined && keyHeads !== undefined)
    throw wrongKind('keyHeads', 'must come with heads', keyHeads, 'it alone');
  return [heads, keyHeads ?? heads] as const;
}

/** Both are added; one of them may be given. */
function addedOf(bias: BiasInput | undefined, mask: MaskInput | undefined, sizes: Sizes) {
  if (!isFloats(mask)) return bias && biasOperand(bias, sizes);
  if (bias === undefined) return additiveMask(mask, sizes);
  throw wrongKind('mask', 'of 32-bit floats must come without bias: both are added', mask, '');
}

/** Factors per query times that of all queries. */
function withTemperature(
  factors: Float32Array[],
  { softmaxScale }: PositionOperand,
  { queries }: Sizes,
): Float32Array[] {
  if (softmaxScale === 1) return factors;
  const given = factors.length > 0 ? factors : [new Float32Array(queries).fill(1)];
  return given.map((list) => list.map((factor) => factor * softmaxScale));
}

/** Factors by position: where batches end at keys of their own, each batch has others. */
function requireConstant(factors: Float32Array): void {
  if (factors.some((factor) => factor !== factors[0]))
    throw wrongKind(
      'rowScale',
      'must be given with keyLengths: the config has one per position',
      undefined,
      '',
    );
}

/** A tensor, or one that resident() keeps in this instance. */
export type Operand = TensorInput | ResidentTensor;

/** A checked call, and the function that shapes its result. */
export interface CheckedAttention {
  call: AttentionCall;
  /** The axes of q and of the results before length and dim. */
  leading: number[];
  finished(result: AttentionTensors): AttentionResult;
}

/** Keys and values of a call, and how many of the keys are earlier ones. */
interface KeysAndValues {
  keys: FourAxes;
  values: FourAxes;
  pastKeys: number;
  cache?: TokenCache;
}

function keysAndValues(
  core: Core,
  k: Operand,
  v: Operand,
  keyHeads: number | undefined,
  past: AttentionOptions['past'],
): KeysAndValues {
  const newKeys = operandOf(core, 'k', k, keyHeads);
  const newValues = operandOf(core, 'v', v, keyHeads);
  if (!past) return { keys: newKeys, values: newValues, pastKeys: 0 };
  const given = read('past', past, pastSchema);
  const keys = joined('past.k', given.k, newKeys);
  const values = joined('past.v', given.v, newValues);
  return { keys, values, pastKeys: keys.shape[2] - newKeys.shape[2] };
}

function ofCache(core: Core, cache: TokenCache, given: AttentionOptions): KeysAndValues {
  for (const name of ['past', 'keyHeads'] as const)
    if (given[name] !== undefined)
      throw wrongKind(name, 'must be left out with a cache', given[name], '');
  if (cache.length === 0) throw wrongValue('cache', 'must have at least one token', 0);
  const [keys, values] = cache.operandsIn(core);
  return { keys, values, pastKeys: 0, cache };
}

/** Queries are the last tokens of a cache. */
function requireLast(causal: false | Alignment, window: Window | undefined): void {
  const rule = "must be 'bottom-right' with a cache, whose last tokens the queries are";
  const alignment = causal || window?.align || 'bottom-right';
  if (alignment !== 'bottom-right')
    throw wrongValue(causal ? 'causal' : 'window.align', rule, alignment, `'${alignment}'`);
}

const dtypeOf = (operand: Operand | TokenCache | undefined) =>
  operand instanceof TokenCache || operand instanceof ResidentTensor ? operand.dtype : 'float32';

/** Throws where a scheme needs keys or values as floats, which are stored in fewer bits. */
function requireFloats(k: string, v: string, { frequencies, anglePairs, text }: PositionOperand) {
  if (k !== 'float32' && frequencies.length + anglePairs > 0)
    throw wrongKind(
      'position',
      `must not rotate k of dtype '${k}': give it to createCache, or store keys that ` +
        'rotate() has rotated, and rotate q likewise',
      k,
      '',
    );
  if (k !== 'float32' && text?.readsKeys)
    throw wrongKind('k', 'must have the dtype float32 with this position', k, `'${k}'`);
  if (v !== 'float32' && text?.readsValues)
    throw wrongKind('v', 'must have the dtype float32 with addRemainder', v, `'${v}'`);
}

/** The position scheme of a call, its own or that of its cache. */
function positionOf(
  core: Core,
  given: AttentionOptions['position'],
  sizes: Sizes,
  { alignsLast, offset }: AttentionCall['band'],
  k: Operand | TokenCache,
  v: Operand | undefined,
  hasKeyLengths: boolean,
): PositionOperand {
  if (k instanceof TokenCache && k.hasPosition) {
    if (given === undefined) return k.operandFor(sizes, hasKeyLengths);
    throw wrongKind('position', 'must be left out with a cache that has one', given, '');
  }
  if (given === undefined) return noPosition;
  const position = positionOperand(
    core,
    given,
    sizes,
    alignsLast ? sizes.keys - sizes.queries : offset,
  );
  requireFloats(dtypeOf(k), dtypeOf(v ?? k), position);
  return position;
}

/** What a call returns beside the output. */
function resultsOf(
  wanted: ReadonlySet<AttentionIntermediate>,
  given: AttentionOptions,
  { text, map }: PositionOperand,
): ReadonlySet<ResultName> {
  const type = text ? (given.position as { type: string }).type : map.type;
  if ((text || type === 'dual-chunk') && !given.causal)
    throw wrongKind('causal', `must be given with the position '${type}'`, given.causal, '');
  if (type !== 'stick-breaking') return wanted;
  if (given.sinks)
    throw wrongKind(
      'sinks',
      "must be left out with the position 'stick-breaking'",
      given.sinks,
      '',
    );
  if (given.fullyMasked === 'nan')
    throw wrongValue('fullyMasked', "must be 'zeros' with the position 'stick-breaking'", 'nan');
  if (wanted.has('logSumExp'))
    throw wrongKind(
      'intermediates',
      "must be without 'logSumExp' with the position 'stick-breaking', which has no softmax: its result has the remainder",
      given.intermediates,
      '',
    );
  return new Set([...wanted, 'remainder']);
}

/** Checks a call of attention. Later steps do not throw for its arguments. */
export function checkedAttention(
  core: Core,
  q: Operand,
  k: Operand | TokenCache,
  v: Operand | undefined,
  settings: AttentionOptions | undefined,
): CheckedAttention {
  const given = read('attention options', settings, attentionSchema);
  const { softcap = 0 } = given;
  const [heads, keyHeads] =
    k instanceof TokenCache
      ? [given.heads ?? headsBesideEachOther(k, shapeGiven(q)), undefined]
      : headsOf(given.heads, given.keyHeads);
  const queries = operandOf(core, 'q', q, heads);
  const { keys, values, pastKeys, cache } =
    k instanceof TokenCache
      ? ofCache(core, k, given)
      : keysAndValues(core, k, v!, keyHeads, given.past);
  const sizes = sizesOf(queries, keys, values);
  if (cache && sizes.queries > sizes.keys)
    throw wrongValue(
      'q',
      `must have at most as many queries as the cache has tokens, ${sizes.keys}`,
      sizes.queries,
    );
  const wanted = intermediatesOf(given.intermediates);
  const rowScale = floatsOf('rowScale', given.rowScale, rowFactors(given.rowScale, sizes));
  const sinks = floatsOf('sinks', given.sinks, sizes.heads);
  const keyLengths = keyLengthsOf(given.keyLengths, sizes);
  const bias = addedOf(given.bias, given.mask, sizes);
  const mask = given.mask && !isFloats(given.mask) ? maskOperand(given.mask, sizes) : undefined;
  const rows = sizes.batch * sizes.heads * sizes.queries;
  const results = fitting(
    'the output and the intermediates',
    rows * (sizes.valueDim + wanted.size * sizes.keys),
  );
  fittingTogether(
    'q, k, v and the results',
    queries.data.length + keys.data.length + values.data.length + results,
  );
  const into = destination(given.into, rows * sizes.valueDim);
  const { onProgress } = given;
  const causal =
    given.causal === true && cache
      ? 'bottom-right'
      : alignmentOf(given.causal, sizes, pastKeys, keyLengths);
  const band = bandOf(causal, given.window, pastKeys);
  if (cache) {
    requireLast(causal, given.window);
    band.alignsLast = true;
  }
  const position = positionOf(core, given.position, sizes, band, k, v, keyLengths.length > 0);
  const { scale = NaN } = given;
  if (keyLengths.length > 0 && band.alignsLast && rowScale.length === 0)
    position.rowScale.forEach(requireConstant);
  const call: AttentionCall = {
    sizes,
    q: queries.data,
    k: keys.data,
    v: values.data,
    addresses: [queries.address, keys.address, values.address],
    scale,
    softcap,
    band,
    bias,
    mask,
    position,
    rowScale: withTemperature(rowScale.length > 0 ? rowScale : position.rowScale, position, sizes),
    sinks,
    keyLengths,
    fullyMaskedIsNan: given.fullyMasked === 'nan',
    wanted: resultsOf(wanted, given, position),
    into: heads === undefined ? into : undefined,
    onProgress,
  };
  const kept = given.past && { k: present(keys), v: present(values) };
  return {
    call,
    leading: queries.leading,
    finished(result: AttentionResult) {
      if (kept) result.present = kept;
      if (heads !== undefined) result.output = packed(result.output, into);
      return result;
    },
  };
}

/** The functions of attention. */
export interface Attention {
  /**
   * Exact softmax attention, softmax(softcap(scale · q kᵀ) + bias) v, for every batch and head.
   *
   * Tiled with an online softmax: without `intermediates`, memory grows with the lengths, not with
   * their product, and keys that `causal` or `window` hide cost nothing. With fewer key heads than
   * query heads, query head h reads key head ⌊h · keyHeads / heads⌋. NaN spreads only to rows that
   * see it.
   *
   * Resident keys and values in fewer bits: with K and V for the largest magnitude of a row of keys
   * and values, and u for the error of one value, a score is off by at most e = scale (Σ|qᵢ| u(K) +
   * r), where int8 also rounds q: r = 2⁻¹⁶ max|qᵢ| Σ|kᵢ|, else 0. Each weight w is then off by a
   * factor between exp(−2e) and exp(2e), and the output by Σ w (u(V) + s) more; int8 rounds the
   * weights: s = 2⁻¹¹ V, else 0.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]; or a
   * resident one; with `heads`, [batch, length, heads · dim]
   * @param k the same with its own length, and heads that divide q's; resident in any dtype
   * @param v k's shape with its own dim
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Vaswani et al. 2017, equation 1; Milakov and Gimelshein 2018 (online softmax)
   */
  attention(q: Operand, k: Operand, v: Operand, settings?: AttentionOptions): AttentionResult;
  /**
   * The same over the tokens of a cache, of which the queries are the last ones: `causal: true`
   * aligns them so.
   * @param q as above, or as a linear layer gives it, [length, heads · dim], and then so is the
   * output
   * @param cache one of this instance, with at least as many tokens as there are queries
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Pope et al. 2022, Efficiently Scaling Transformer Inference (a cache of keys and values)
   */
  attention(q: Operand, cache: KvCache, settings?: CachedAttentionOptions): AttentionResult;
}

export const attention = (core: Core): Attention => ({
  attention(
    q: Operand,
    k: Operand | TokenCache,
    v?: Operand | CachedAttentionOptions,
    settings?: AttentionOptions,
  ): AttentionResult {
    const { call, leading, finished } =
      k instanceof TokenCache
        ? checkedAttention(core, q, k, undefined, v as CachedAttentionOptions | undefined)
        : checkedAttention(core, q, k, v as Operand, settings);
    return finished(attendInParts(core, call, leading));
  },
});

function present({ data, leading, shape }: FourAxes): Tensor {
  return { data, shape: [...leading, ...shape.slice(2)] };
}

/** The shape of an operand that is not checked yet. */
function shapeGiven(value: Operand): readonly number[] {
  const { shape, dims } = (value ?? {}) as { shape?: unknown; dims?: unknown };
  const given = shape ?? dims;
  return Array.isArray(given) ? (given as number[]) : [];
}
