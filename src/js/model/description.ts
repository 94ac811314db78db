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
  vocabulary: number;
  width: number;
  layers: number;
  heads: number;
  hidden: number;
  normEpsilon: number;
  keyHeads?: number;
  headWidth?: number;
  /** Width of the embedding, where it is projected to that of the model. */
  embeddingWidth?: number;
  weightOrder: Choice<'model.weightOrder'>;
  norm: Choice<'model.norm'>;
  normPlace?: Choice<'model.normPlace'>;
  finalNorm?: boolean;
  embeddingNorm?: boolean;
  normAsResidual?: boolean;
  queryKeyNorm?: Choice<'model.queryKeyNorm'>;
  queryKeyValueBias?: boolean;
  outputBias?: boolean;
  scale?: number;
  scalesByLayer?: boolean;
  scoreCap?: number;
  queryKeyValueCap?: number;
  sinks?: boolean;
  activation: Activation;
  gated: boolean;
  feedForwardBias?: boolean;
  parallel?: boolean;
  sharesNorm?: boolean;
  residualFactor?: number;
  embeddingFactor?: number;
  logitFactor?: number;
  logitCap?: number;
  tied: boolean;
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
