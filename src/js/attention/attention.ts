/** Exact attention, with position fused where the scheme allows it. */
import {
  attendInParts,
  intermediates,
  type AttentionCall,
  type AttentionIntermediate,
  type AttentionTensors,
} from './call.js';
import {
  alignments,
  bandOf,
  biasOperand,
  joined,
  maskOperand,
  operandOf,
  sizesOf,
  type Alignment,
  type FourAxes,
  type BooleanMask,
  type Sizes,
  type Window,
} from './operands.js';
import { noPosition, positionOperand, type AttentionPosition } from './position.js';
import {
  described,
  fitting,
  fittingTogether,
  floatNumber,
  leastNormal,
  membersOf,
  oneOf,
  positiveNumber,
  wholeNumber,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import type { ResidentTensor } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';

/** Everything that may differ from plain attention. */
export interface AttentionOptions {
  /** Multiplies q · k. Default 1/√dim. */
  scale?: number;
  /**
   * One more factor per query, such as log-n scaling or scalable softmax (`logitFactors`):
   * [queries], [heads × queries] or [batch × heads × queries] values.
   */
  rowScale?: ArrayLike<number>;
  /** Scores become softcap · tanh(score / softcap), before any bias or mask. Default off. */
  softcap?: number;
  /**
   * Which keys a query sees. 'top-left': query i sees keys 0 … i (PyTorch's is_causal).
   * 'bottom-right': the last query sees every key (decoding with a cache). 'after-past': query i
   * sees `past` and the new keys 0 … i. Default false.
   */
  causal?: false | Alignment;
  /** Only keys near the query. Aligned as `causal` is; without it, by default, 'bottom-right'. */
  window?: Window;
  /**
   * Which keys are real, per batch: the first keyLengths[b]. 'bottom-right' then aligns with the
   * last real key.
   */
  keyLengths?: ArrayLike<number>;
  /** Hides keys. Broadcast to [batch, heads, queries, keys]. */
  mask?: BooleanMask;
  /**
   * Added to the scaled scores; broadcast to [batch, heads, queries, keys]. −Infinity hides a key.
   */
  bias?: Tensor;
  /** Keys and values of earlier calls, put before k and v. */
  past?: { k: Tensor; v: Tensor };
  /** One score per head that belongs to no key: attention sinks. */
  sinks?: ArrayLike<number>;
  /** What a query that sees no key gets. Default 'zeros'; 'nan' as a plain softmax would. */
  fullyMasked?: 'zeros' | 'nan';
  /** Position scheme. Default: none. */
  position?: AttentionPosition;
  /** Intermediate results to return, default none. Most have queries × keys values per head. */
  intermediates?: readonly AttentionIntermediate[];
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
}

/** The core divides by it as well, so its reciprocal must be a float too. */
const softcap = new option.Option<number>({
  kind: 'number',
  check(name, value) {
    const cap = floatNumber(name, positiveNumber(name, value));
    if (cap < leastNormal)
      throw new RangeError(`${name} must be at least ${leastNormal}, got ${cap}`);
    return cap;
  },
});

export const attentionSchema = {
  scale: option.float.optional(),
  rowScale: option.numbers.optional(),
  softcap: softcap.optional(),
  causal: option.oneOf(false, ...alignments).default(false),
  window: option.asGiven,
  keyLengths: option.numbers.optional(),
  mask: option.asGiven,
  bias: option.asGiven,
  past: option.asGiven,
  sinks: option.numbers.optional(),
  fullyMasked: option.oneOf('zeros', 'nan').default('zeros'),
  position: option.asGiven,
  intermediates: option.asGiven,
} satisfies Schema<AttentionOptions>;

const pastSchema = {
  k: option.asGiven,
  v: option.asGiven,
} satisfies Schema<NonNullable<AttentionOptions['past']>>;

/**
 * A list with one finite value per query, head or batch, as the floats of one operand; none: [].
 */
function listOf(name: string, list: Float64Array | undefined, length: number): Float64Array[] {
  if (list === undefined) return [];
  if (list.length !== length)
    throw new RangeError(`${name} must have ${length} values, got ${list.length}`);
  return [list];
}

/** The same as floats, which reach as far as the core computes. */
function floatsOf(name: string, list: Float64Array | undefined, length: number): Float32Array[] {
  return listOf(name, list, length).map((list) =>
    Float32Array.from(list, (number, at) => floatNumber(`${name}[${at}]`, number)),
  );
}

/** How many factors a list of them must have. */
function rowFactors(list: Float64Array | undefined, { batch, heads, queries }: Sizes): number {
  const count = list?.length ?? queries;
  const perHead = heads * queries;
  return count === perHead || count === batch * perHead ? count : queries;
}

function intermediatesOf(
  list: readonly AttentionIntermediate[] | undefined,
): Set<AttentionIntermediate> {
  if (list === undefined) return new Set();
  if (!Array.isArray(list))
    throw new TypeError(`intermediates must be an array of names, got ${described(list)}`);
  return new Set(membersOf(list, (step) => oneOf('intermediates', step, intermediates)));
}

/** Lengths of the real keys, one per batch. */
function keyLengthsOf(given: Float64Array | undefined, sizes: Sizes): Float64Array[] {
  const lists = listOf('keyLengths', given, sizes.batch);
  lists[0]?.forEach((length, batch) => {
    if (wholeNumber(`keyLengths[${batch}]`, length, 0) > sizes.keys) {
      throw new RangeError(
        `keyLengths[${batch}] must be at most the number of keys, ${sizes.keys}, got ${length}`,
      );
    }
  });
  return lists;
}

/** A tensor, or one that resident() keeps in this instance. */
export type Operand = Tensor | ResidentTensor;

/** A call after its checks, and what is left to do with its result. */
export interface CheckedAttention {
  call: AttentionCall;
  /** q's axes before length and dim, and its results'. */
  leading: number[];
  finished(result: AttentionTensors): AttentionResult;
}

/** All checks of a call of attention: it throws here or not at all. */
export function checkedAttention(
  core: Core,
  q: Operand,
  k: Operand,
  v: Operand,
  settings: AttentionOptions | undefined,
): CheckedAttention {
  const given = read('attention options', settings, attentionSchema);
  const { causal, softcap = 0 } = given;
  const past = given.past && read('past', given.past, pastSchema);
  const queries = operandOf(core, 'q', q);
  const [newKeys, newValues] = [operandOf(core, 'k', k), operandOf(core, 'v', v)];
  const keys = past ? joined('past.k', past.k, newKeys) : newKeys;
  const values = past ? joined('past.v', past.v, newValues) : newValues;
  const sizes = sizesOf(queries, keys, values);
  const wanted = intermediatesOf(given.intermediates);
  const rowScale = floatsOf('rowScale', given.rowScale, rowFactors(given.rowScale, sizes));
  const sinks = floatsOf('sinks', given.sinks, sizes.heads);
  const keyLengths = keyLengthsOf(given.keyLengths, sizes);
  const bias = given.bias && biasOperand(given.bias, sizes);
  const mask = given.mask && maskOperand(given.mask, sizes);
  const rows = sizes.batch * sizes.heads * sizes.queries;
  const results = fitting(
    'the output and the intermediates',
    rows * (sizes.valueDim + wanted.size * sizes.keys),
  );
  fittingTogether(
    'q, k, v and the results',
    queries.data.length + keys.data.length + values.data.length + results,
  );
  const pastKeys = keys.shape[2] - newKeys.shape[2];
  const band = bandOf(causal, given.window, pastKeys);
  const { scale = NaN } = given;
  const position =
    given.position === undefined
      ? noPosition
      : positionOperand(
          core,
          given.position,
          sizes,
          band.alignsLast ? sizes.keys - sizes.queries : band.offset,
        );
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
    rowScale,
    sinks,
    keyLengths,
    unseeingIsNan: given.fullyMasked === 'nan',
    wanted,
  };
  const kept = past && { k: present(keys), v: present(values) };
  return {
    call,
    leading: queries.leading,
    finished(result: AttentionResult) {
      if (kept) result.present = kept;
      return result;
    },
  };
}

export const attention = (core: Core) => ({
  /**
   * Exact softmax attention, softmax(softcap(scale · q kᵀ) + bias) v, for every batch and head.
   *
   * Tiled with an online softmax: without `intermediates`, memory grows with the lengths, not with
   * their product, and keys that `causal` or `window` hide cost nothing. Fewer key heads than query
   * heads share (query head h reads key head ⌊h · keyHeads / heads⌋). NaN reaches only rows that
   * see it.
   * @param q a tensor [length, dim], [heads, length, dim] or [batch, heads, length, dim]; or a
   * resident one
   * @param k the same with its own length, and heads that divide q's
   * @param v k's shape with its own dim
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Vaswani et al. 2017, equation 1; Milakov and Gimelshein 2018 (online softmax)
   */
  attention(q: Operand, k: Operand, v: Operand, settings?: AttentionOptions): AttentionResult {
    const { call, leading, finished } = checkedAttention(core, q, k, v, settings);
    return finished(attendInParts(core, call, leading));
  },
});

function present({ data, leading, shape }: FourAxes): Tensor {
  return { data, shape: [...leading, ...shape.slice(2)] };
}
