/** The description of a decoder: its options in the core, and where a file has its parameters. */

/** Choices of the core's options, in its order (training/decoder_options.hpp). */
const choices = {
  'model.weightOrder': ['in-by-out', 'out-by-in'],
  'model.norm': ['rms', 'layer'],
  'model.normPlace': ['before', 'after', 'both', 'after-sum'],
  'model.queryKeyNorm': ['none', 'shared', 'own', 'whole'],
  'model.activation': ['gelu-tanh', 'gelu', 'silu', 'relu'],
} as const;

type Choice<Name extends keyof typeof choices> = (typeof choices)[Name][number];

export type Activation = Choice<'model.activation'>;

/** Options of a decoder; those left out are the core's defaults. */
export interface DecoderOptions {
  /** Number of tokens that the model knows. */
  vocabulary: number;
  /** Width of the residual stream. */
  width: number;
  /** Number of layers. */
  layers: number;
  /** Query heads of a layer. */
  heads: number;
  /** Width of the feed-forward layers; 0: four times the width. */
  hidden: number;
  /** Epsilon of the norms. */
  normEpsilon: number;
  /** Key and value heads. Default: as many as heads. */
  keyHeads?: number;
  /** Width of a head. Default width / heads. */
  headWidth?: number;
  /** Width of the embedding, where it is projected to that of the model. */
  embeddingWidth?: number;
  /** Axes of the weights: in × out or out × in. */
  weightOrder: Choice<'model.weightOrder'>;
  /** RMSNorm or LayerNorm. */
  norm: Choice<'model.norm'>;
  /**
   * 'before' (default): x + f(norm(x)). 'after': x + norm(f(x)), OLMo 2. 'both':
   * x + norm(f(norm(x))), Gemma 2 and 3. 'after-sum': norm(x + f(x)), OPT-350M.
   */
  normPlace?: Choice<'model.normPlace'>;
  /** Whether a norm comes before the output matrix. Default true. */
  finalNorm?: boolean;
  /** Whether embeddings are normalized. Default false. */
  embeddingNorm?: boolean;
  /** norm(x) + f(norm(x)) in place of x + f(norm(x)): BLOOM's option. Default false. */
  normAsResidual?: boolean;
  /**
   * What queries and keys are normalized by before they are rotated. 'shared': each head, with one
   * gain for all. 'own': each head with its own gain. 'whole': all heads of a token together.
   * Default 'none'.
   */
  queryKeyNorm?: Choice<'model.queryKeyNorm'>;
  /** Whether the projections to queries, keys and values have a bias. Default false. */
  queryKeyValueBias?: boolean;
  /** Whether the output projection of attention has a bias. Default false. */
  outputBias?: boolean;
  /** Factor on scores. Default 1/√headWidth. */
  scale?: number;
  /** Divides scores by the number of the layer too, from 1: GPT-2's option. Default false. */
  scalesByLayer?: boolean;
  /** Softcap of scores. Default none. */
  scoreCap?: number;
  /** Queries, keys and values are clipped to ±this. Default: not clipped. */
  queryKeyValueCap?: number;
  /** Whether each head has an attention sink. Default false. */
  sinks?: boolean;
  /** Activation of the feed-forward layers. */
  activation: Activation;
  /** activation(x · Wg) · (x · W1) in place of activation(x · W1). */
  gated: boolean;
  /** Whether the feed-forward layers have biases. Default false. */
  feedForwardBias?: boolean;
  /** x + attention(norm(x)) + feedForward(norm(x)). Default false. */
  parallel?: boolean;
  /** Of a parallel layer: one norm for both parts. Default false. */
  sharesNorm?: boolean;
  /** Factor on what a layer adds. Default 1. */
  residualFactor?: number;
  /** Factor on embeddings. Default 1. */
  embeddingFactor?: number;
  /** Factor on logits. Default 1. */
  logitFactor?: number;
  /** Softcap of logits. Default none. */
  logitCap?: number;
  /** Whether the embedding is the output matrix. */
  tied: boolean;
  /** Whether the output matrix has a bias. Default false. */
  headBias?: boolean;
  /** Rows of a learned position embedding. Absent: the model has none. */
  positionRows?: number;
}

/** The options as the core's record has them. */
export function recordOfDecoder(
  { positionRows, ...options }: DecoderOptions,
  positionKinds: readonly string[],
): Record<string, unknown> {
  const entries = Object.entries(options).map(([name, value]) => {
    const field = `model.${name}`;
    const list: readonly unknown[] = (choices as Record<string, readonly string[]>)[field] ?? [];
    return [field, list.length > 0 ? list.indexOf(value) : value];
  });
  if (positionRows !== undefined)
    entries.push(
      ['position.type', positionKinds.indexOf('learned')],
      ['position.rows', positionRows],
    );
  return Object.fromEntries(entries);
}

/** Where a file has the values of a parameter. */
export interface Place {
  /** Name of the tensor. */
  tensor: string;
  /** Runs of rows [first, count], or of columns with `along: 'columns'`. Absent: all of it. */
  runs?: readonly (readonly [number, number])[];
  along?: 'rows' | 'columns';
  /** Added to each value: 1 where the file has what a norm's gain exceeds 1 by. */
  offset?: number;
  /** Value of a parameter that the file may lack. */
  absent?: number;
  /** The file has the rows as columns. */
  isTransposed?: true;
}

/** A model as data: what the core makes of it, and where its parameters are. */
export interface ModelDescription {
  options: DecoderOptions;
  /** Place of a parameter by the core's name, such as "blocks.3.Wq" or "blocks.3.Wq.b". */
  placeOf(parameter: string): Place;
}
