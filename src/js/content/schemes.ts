/** The position schemes of `ropewalk/content`, and what each sends into the core. */
import type { ContentCore } from './core.js';
import type { Sizes } from '../attention/operands.js';
import { prefixTerms } from '../attention/position.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { elementCount, shapeText, type Tensor } from '../runtime/tensor.js';

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
export type ContentPosition =
  | PathPosition
  | WallPosition
  | GrapeAdditivePosition
  | PathIntegralPosition
  | RowGatePosition
  | StickBreakingPosition;

type ContentType = ContentPosition['type'];
type Of<Type> = Extract<ContentPosition, { type: Type }>;

/** What follows the other numbers and operands of a call. */
export interface ContentOperand {
  /** Its place in the core's list, and four numbers. */
  numbers: number[];
  floats: Float32Array[];
}

const typeSchema = { type: option.asGiven };

const pathSchema = {
  ...typeSchema,
  w: option.tensor,
  beta: option.tensor,
  logGates: option.tensor.optional(),
  gate: option.oneOf('scaled', 'unscaled').optional(),
} satisfies Schema<PathPosition>;

const wallSchema = {
  ...typeSchema,
  gates: option.tensor,
  scalarGates: option.tensor.optional(),
  term: option.oneOf(...prefixTerms).default('log-sigmoid'),
} satisfies Schema<WallPosition>;

const grapeSchema = {
  ...typeSchema,
  rawSlopes: option.numbers,
  slopes: option.numbers.optional(),
  keyDirection: option.tensor.optional(),
  queryDirection: option.tensor.optional(),
  normalize: option.truth.default(true),
} satisfies Schema<GrapeAdditivePosition>;

const pathIntegralSchema = {
  ...typeSchema,
  p: option.tensor,
  slopes: option.numbers.optional(),
  epsilon: option.nonNegative.default(2 ** -23),
} satisfies Schema<PathIntegralPosition>;

const rowGateSchema = {
  ...typeSchema,
  queries: option.tensor,
  keys: option.tensor,
  factor: option.finite.optional(),
  scale: option.finite.default(1),
} satisfies Schema<RowGatePosition>;

const stickSchema = {
  ...typeSchema,
  attendCurrent: option.truth.default(false),
  addRemainder: option.truth.default(false),
} satisfies Schema<StickBreakingPosition>;

/** The values of a tensor whose shape must be this, but for leading extents of 1. */
function shaped(name: string, { data, shape }: Tensor, wanted: readonly number[]): Float32Array {
  const missing = Math.max(0, wanted.length - shape.length);
  const full = [...Array<number>(missing).fill(1), ...shape];
  if (shapeText(full) !== shapeText(wanted))
    throw wrongShape(`position.${name}`, `must be ${shapeText(wanted)}`, shape);
  return data;
}

/** One number per head, by default the slopes of ALiBi. */
function perHead(core: ContentCore, name: string, list: Float64Array | undefined, heads: number) {
  const values = list ?? core.doubles(core.content.alibiSlopes(heads, 'published', 8, 0, heads));
  if (values.length !== heads)
    throw wrongValue(`position.${name}`, `must have ${heads} values`, values.length);
  return Float32Array.from(values);
}

/** In the order of the core's list. */
const schemes: {
  [Type in ContentType]: (
    core: ContentCore,
    position: Of<Type>,
    sizes: Sizes,
  ) => Omit<ContentOperand, 'numbers'> & { own: number[] };
} = {
  path(_, position, { batch, heads, keyHeads, keys, dim }) {
    const { w, beta, logGates, gate } = read('position', position, pathSchema, 'position.');
    if ((logGates === undefined) !== (gate === undefined))
      throw wrongKind(
        'position.logGates',
        'and position.gate must be given together',
        undefined,
        '',
      );
    return {
      own: [gate === undefined ? 0 : gate === 'scaled' ? 2 : 1],
      floats: [
        shaped('w', w, [batch, keyHeads, keys, dim]),
        shaped('beta', beta, [batch, keyHeads, keys]),
        ...(logGates ? [shaped('logGates', logGates, [batch, heads, keys])] : []),
      ],
    };
  },
  wall(_, position, { batch, heads, keys, dim }) {
    const { gates, scalarGates, term } = read('position', position, wallSchema, 'position.');
    return {
      own: [prefixTerms.indexOf(term), Number(scalarGates !== undefined)],
      floats: [
        shaped('gates', gates, [batch, heads, keys, dim]),
        ...(scalarGates ? [shaped('scalarGates', scalarGates, [batch, heads, keys])] : []),
      ],
    };
  },
  'grape-a'(core, position, { heads, dim }) {
    const given = read('position', position, grapeSchema, 'position.');
    const { keyDirection, queryDirection } = given;
    if (!keyDirection && !queryDirection)
      throw wrongKind('position', 'must have keyDirection, queryDirection or both', given, '');
    return {
      own: [keyDirection, queryDirection, given.normalize].map((value) => Number(Boolean(value))),
      floats: [
        perHead(core, 'rawSlopes', given.rawSlopes, heads),
        perHead(core, 'slopes', given.slopes, heads),
        ...(keyDirection ? [shaped('keyDirection', keyDirection, [heads, dim])] : []),
        ...(queryDirection ? [shaped('queryDirection', queryDirection, [heads, dim])] : []),
      ],
    };
  },
  'grape-ap'(core, position, { batch, heads, keys }) {
    const given = read('position', position, pathIntegralSchema, 'position.');
    const width = given.p.shape[given.p.shape.length - 1] ?? 0;
    return {
      own: [width, given.epsilon],
      floats: [
        perHead(core, 'slopes', given.slopes, heads),
        shaped('p', given.p, [batch, heads, keys, width]),
      ],
    };
  },
  'row-gates'(_, position, { batch, heads, keys }) {
    const given = read('position', position, rowGateSchema, 'position.');
    const width = given.queries.shape[given.queries.shape.length - 1] ?? 0;
    const shape = [batch, heads, keys, width];
    return {
      own: [width, given.factor ?? NaN],
      floats: [
        new Float32Array(heads).fill(given.scale),
        shaped('queries', given.queries, shape),
        shaped('keys', given.keys, shape),
      ],
    };
  },
  'stick-breaking'(_, position) {
    const given = read('position', position, stickSchema, 'position.');
    return { own: [Number(given.attendCurrent), Number(given.addRemainder)], floats: [] };
  },
};

const contentTypes = Object.keys(schemes) as ContentType[];

export const isContentType = (type: unknown): type is ContentType =>
  contentTypes.includes(type as ContentType);

export function contentOperand(
  core: ContentCore,
  position: ContentPosition,
  sizes: Sizes,
): ContentOperand {
  const scheme = schemes[position.type] as (
    core: ContentCore,
    position: ContentPosition,
    sizes: Sizes,
  ) => { own: number[]; floats: Float32Array[] };
  const { own, floats } = scheme(core, position, sizes);
  const numbers = [contentTypes.indexOf(position.type), ...own];
  return { numbers: [...numbers, ...Array<number>(5 - numbers.length).fill(0)], floats };
}

/** Values of a tensor whose leading axes are heads, and its last two axes. */
export function headsOf(name: string, { data, shape }: Tensor, last: number) {
  if (shape.length < last) throw wrongShape(name, `must have at least ${last} axes`, shape);
  const leading = shape.slice(0, shape.length - last);
  return { data, leading, heads: elementCount(leading), own: shape.slice(-last) };
}
