/**
 * The layer whose attention the lab shows: what enters it, its weights, and one pass through it.
 * Here it is the toy's one random layer; trained_layer.ts has those of a trained decoder.
 */
import type { Ropewalk, Tensor } from 'ropewalk';
import type { Scheme, Situation } from './scheme.ts';
import { embed, modelWidth, project, roles, weightsOf, type Model } from './toy_model.ts';

export interface ShownLayer {
  heads: number;
  headDim: number;
  /** C, of a token vector. */
  width: number;
  sinusoidLayout: Situation['sinusoidLayout'];
  /** Weights of query, key and value for a scheme, each [heads, C, headDim]. */
  weightsFor(scheme: Scheme): readonly Float32Array[];
  /** Vectors of the tokens as written, [tokens, C]. */
  vectors: Float32Array;
  /** What enters the layer when these vectors enter the model, under a scheme. */
  enter(vectors: Float32Array, scheme: Scheme, situation: Situation): Entering;
}

export interface Entering {
  /** [tokens, C] */
  input: Float32Array;
  /** What the scheme added, where nothing stands between the sum and the layer. */
  added?: Float32Array | undefined;
}

/** The sum with what the scheme adds at the input, and what that is. */
export function withAdded(
  rw: Ropewalk,
  vectors: Float32Array,
  scheme: Scheme,
  situation: Situation,
): Entering {
  const added = scheme.input?.(rw, situation).data;
  return { input: added ? vectors.map((value, i) => value + added[i]!) : vectors, added };
}

export function randomLayer(rw: Ropewalk, model: Model & { tokens: string[] }): ShownLayer {
  const weights = roles.map((role) => weightsOf(role, model));
  return {
    heads: model.heads,
    headDim: model.headDim,
    width: modelWidth,
    sinusoidLayout: 'interleaved',
    weightsFor: () => weights,
    vectors: embed(model.tokens, model.seed),
    enter: (vectors, scheme, situation) => withAdded(rw, vectors, scheme, situation),
  };
}

const steps = ['scores', 'biased', 'weights', 'entropy'] as const;

/** What attention gives back for all heads, and its operands, each [heads, tokens, …]. */
export type Attended = Record<
  (typeof steps)[number] | 'queries' | 'keys' | 'values' | 'output',
  Tensor
> & { temperature: Float64Array | undefined; scoreBias: Tensor | undefined };

/** One pass through attention, with the scheme where it acts. */
export function attend(
  rw: Ropewalk,
  input: Float32Array,
  weights: readonly Float32Array[],
  scheme: Scheme,
  situation: Situation,
): Attended {
  const [q, k, v] = weights.map((matrix) => projected(input, matrix, situation));
  const queries = scheme.rotate?.(rw, q!, 'query', situation) ?? q!;
  const keys = scheme.rotate?.(rw, k!, 'key', situation) ?? k!;
  const temperature = scheme.temperature?.(rw, situation);
  const scoreBias = scheme.scoreBias?.(rw, queries, keys, situation);
  const {
    scores,
    biased,
    weights: shares,
    entropy,
    output,
  } = rw.attention(queries, keys, v!, {
    causal: situation.causal && 'top-left',
    position: scheme.position?.(rw, situation) ?? { type: 'none' },
    // A scheme may widen the vectors; the scale is that of the width before.
    scale: 1 / Math.sqrt(situation.headDim),
    ...(temperature && { rowScale: temperature }),
    ...(scoreBias && { bias: scoreBias }),
    intermediates: steps,
  });
  const made = { scores: scores!, biased: biased!, weights: shares!, entropy: entropy! };
  return { temperature, scoreBias, queries, keys, values: v!, output, ...made };
}

/** x W of every head, [heads, tokens, headDim]. */
export function projected(
  x: Float32Array,
  weights: Float32Array,
  { heads, headDim, positions }: Pick<Situation, 'heads' | 'headDim' | 'positions'>,
): Tensor {
  return {
    data: project(x, weights, { heads, headDim }),
    shape: [heads, positions.length, headDim],
  };
}
