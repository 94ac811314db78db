/** The position schemes whose numbers come from the text, and what each sends into the core. */
import type { Sizes, TextOperand, TextTensor } from './operands.js';
import { requireShapes } from './shapes.js';
import { prefixTerms } from '../bias/prefix_terms.js';
import type { Core } from '../runtime/core.js';
import { wrongKind } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Checked, type Schema } from '../runtime/schema.js';
import type { Tensor } from '../runtime/tensor.js';

/**
 * PaTH: score(m, n) = scale · qₘᵀ Hₘ Hₘ₋₁ … Hₙ₊₁ kₙ with Hₜ = I − βₜ wₜ wₜᵀ (Yang et al. 2025).
 * Queries stand at keys, and see none after their own.
 */
export interface PathPosition {
  type: 'path';
  /** [batch, key heads, keys, dim]; the layer normalizes each row to length 1. */
  w: Tensor;
  /** [batch, key heads, keys], between 0 and 2. */
  beta: Tensor;
  /** Logarithms of forget gates, [batch, heads, keys]. Default: none. */
  logGates?: Tensor;
  /**
   * Whether sums of the gates are multiplied by `scale` as the scores are: 'scaled' in the code of
   * PaTH, 'unscaled' in that of FoX. To be given with `logGates`.
   */
  gate?: 'scaled' | 'unscaled';
}

/**
 * Wall attention: score(m, n) = scale · Σ qₘ kₙ exp(Pₘ − Pₙ) with a sum P of gates per channel
 * (Tilde Research 2026). Queries stand at keys, and see none after their own.
 */
export interface WallPosition {
  type: 'wall';
  /** [batch, heads, keys, dim]: logits, or logarithms of the gates, which are at most 0. */
  gates: Tensor;
  /** Gates of the same kind that are added to the scores, [batch, heads, keys]. Default: none. */
  scalarGates?: Tensor;
  /** What a gate stands for: 'log-sigmoid' (default) of it, or 'number': the logarithm itself. */
  term?: (typeof prefixTerms)[number];
}

/**
 * GRAPE-A: score(m, n) −= (m − n) ωₕ (softplus(v · qₘ/√dim) + softplus(u · kₙ/√dim)), with
 * ωₕ = softplus(rawₕ) · slopeₕ (Zhang et al. 2025, equation 4.6). With one direction the other term
 * is absent.
 */
export interface GrapeAdditivePosition {
  type: 'grape-a';
  /** One per head. */
  rawSlopes: ArrayLike<number>;
  /** One per head. Default: ALiBi's. */
  slopes?: ArrayLike<number>;
  /** u: [heads, dim]. */
  keyDirection?: Tensor;
  /** v: [heads, dim]. */
  queryDirection?: Tensor;
  /** Whether u and v are divided by their lengths, as the code does and the paper does not. */
  normalize?: boolean;
}

/**
 * GRAPE-AP: score(m, n) += Σ slopeₕ · ln σ(pₘ · R_l p̂_l / P) over l = n + 1 … m (Zhang et al.
 * 2025, equations 5.1 and 5.2). p̂ has root mean square 1 and R_l rotates each of its pairs by l.
 * It takes a logarithm per pair of tokens.
 */
export interface PathIntegralPosition {
  type: 'grape-ap';
  /** [batch, heads, keys, P], P even. */
  p: Tensor;
  /** One per head. Default: ALiBi's. */
  slopes?: ArrayLike<number>;
  /** Inside the root of the mean square. Default 2^−23. */
  epsilon?: number;
}

/**
 * A forget gate per pair of tokens: score(m, n) += Σ scale · ln σ(pₘ · r_l · factor) over
 * l = n … m − 1, the other edges than those of FoX (x-transformers). It takes a logarithm per pair.
 */
export interface RowGatePosition {
  type: 'row-gates';
  /** [batch, heads, keys, width]; the query's row is that of its key. */
  queries: Tensor;
  /** [batch, heads, keys, width]. */
  keys: Tensor;
  /** Default 1/√width. */
  factor?: number;
  /** Multiplies the logarithms. Default 1. */
  scale?: number;
}

/**
 * Stick-breaking: no softmax. The nearest key takes σ(score) of the row's weight, the next that
 * share of what is left, and so on; the rest is the remainder (Tan et al. 2024). It has no sinks.
 */
export interface StickBreakingPosition {
  type: 'stick-breaking';
  /** Whether a query sees its own key. Default false. */
  attendCurrent?: boolean;
  /** Whether the remainder times the query's own value is added to the output. Default false. */
  addRemainder?: boolean;
}

/** A position scheme whose numbers come from the text. */
export type TextPosition =
  | PathPosition
  | WallPosition
  | GrapeAdditivePosition
  | PathIntegralPosition
  | RowGatePosition
  | StickBreakingPosition;

type TextType = TextPosition['type'];
type Of<Type> = Extract<TextPosition, { type: Type }>;

const typeSchema = { type: option.type };

/** @internal */
export const textSchemas = {
  path: {
    ...typeSchema,
    w: option.tensor.shaped('batch', 'keyHeads', 'keys', 'dim'),
    beta: option.tensor.shaped('batch', 'keyHeads', 'keys'),
    logGates: option.tensor.shaped('batch', 'heads', 'keys').optional(),
    gate: option.oneOf('scaled', 'unscaled').optional(),
  },
  wall: {
    ...typeSchema,
    gates: option.tensor.shaped('batch', 'heads', 'keys', 'dim'),
    scalarGates: option.tensor.shaped('batch', 'heads', 'keys').optional(),
    term: option.oneOf(...prefixTerms).default('log-sigmoid'),
  },
  'grape-a': {
    ...typeSchema,
    rawSlopes: option.numbers.shaped('heads'),
    slopes: option.numbers.shaped('heads').optional(),
    keyDirection: option.tensor.shaped('heads', 'dim').optional(),
    queryDirection: option.tensor.shaped('heads', 'dim').optional(),
    normalize: option.truth.default(true),
  },
  'grape-ap': {
    ...typeSchema,
    p: option.tensor.shaped('batch', 'heads', 'keys', 'even width'),
    slopes: option.numbers.shaped('heads').optional(),
    epsilon: option.nonNegative.default(2 ** -23),
  },
  'row-gates': {
    ...typeSchema,
    queries: option.tensor.shaped('batch', 'heads', 'keys', 'width'),
    keys: option.tensor.shaped('batch', 'heads', 'keys', 'width'),
    factor: option.finite.optional(),
    scale: option.finite.default(1),
  },
  'stick-breaking': {
    ...typeSchema,
    attendCurrent: option.truth.default(false),
    addRemainder: option.truth.default(false),
  },
} satisfies { [Type in TextType]: Schema<Of<Type>> };

type Given<Type extends TextType> = Checked<Of<Type>, (typeof textSchemas)[Type]>;

/** A list with a value per head; by default the slopes of ALiBi. */
function perHead(core: Core, list: Float64Array | undefined, heads: number): TextTensor {
  const values = list ?? core.doubles(core.raw.alibiSlopes(heads, 'published', 8, 0, heads));
  return { data: Float32Array.from(values), axes: ['heads'] };
}

/** The given options that are tensors, in the order of the schema. */
const tensorsOf = (type: TextType, given: object): TextTensor[] =>
  Object.entries(textSchemas[type]).flatMap(([name, described]: [string, object]) => {
    const { kind, axes } = (described as Partial<option.Option<unknown>>).rule ?? {};
    const value = given[name as never] as Tensor | undefined;
    return kind === 'tensor' && value ? [{ data: value.data, axes: axes! }] : [];
  });

/** What a scheme sends before its tensors, after checks that no schema can state. */
const own: {
  [Type in TextType]: (
    given: Given<Type>,
    core: Core,
    extents: Record<string, number>,
  ) => { own: number[]; lists?: TextTensor[] };
} = {
  path({ logGates, gate }) {
    if ((logGates === undefined) !== (gate === undefined))
      throw wrongKind(
        'position.logGates',
        'and position.gate must be given together',
        logGates,
        '',
      );
    return { own: [gate === undefined ? 0 : gate === 'scaled' ? 2 : 1] };
  },
  wall: ({ term, scalarGates }, { raw }) => ({
    own: [raw.PrefixTerm[term], Number(scalarGates !== undefined)],
  }),
  'grape-a'({ keyDirection, queryDirection, normalize, rawSlopes, slopes }, core, { heads }) {
    if (!keyDirection && !queryDirection)
      throw wrongKind('position', 'must have keyDirection, queryDirection or both', undefined, '');
    return {
      own: [keyDirection, queryDirection, normalize].map((value) => Number(Boolean(value))),
      lists: [perHead(core, rawSlopes, heads!), perHead(core, slopes, heads!)],
    };
  },
  'grape-ap': ({ slopes, epsilon }, core, extents) => ({
    own: [extents['even width']!, epsilon],
    lists: [perHead(core, slopes, extents.heads!)],
  }),
  'row-gates': ({ factor = NaN, scale }, core, { heads, width }) => ({
    own: [width!, factor],
    lists: [perHead(core, new Float64Array(heads!).fill(scale), heads!)],
  }),
  'stick-breaking': ({ attendCurrent, addRemainder }) => ({
    own: [Number(attendCurrent), Number(addRemainder)],
  }),
};

/** @internal */
export const textTypes = Object.keys(own) as TextType[];

/** @internal */
export const isTextType = (type: unknown): type is TextType => textTypes.includes(type as TextType);

/** @internal */
export function textOperand(core: Core, position: TextPosition, sizes: Sizes): TextOperand {
  const { type } = position;
  const given = read('position', position, textSchemas[type] as Schema<TextPosition>, 'position.');
  const extents = requireShapes(textSchemas[type], given, sizes);
  const { own: numbers, lists = [] } = own[type](given as never, core, extents);
  return {
    scheme: core.raw.ContentScheme[type],
    own: [...numbers, 0, 0].slice(0, 3),
    tensors: [...lists, ...tensorsOf(type, given)],
    readsKeys: type === 'path' || type === 'wall' || (type === 'grape-a' && numbers[0] === 1),
    readsValues: type === 'stick-breaking' && numbers[1] === 1,
  };
}
