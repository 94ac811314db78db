/** The options of a trainer. */
import { contentPositionSchemas, type ContentTrainedPositions } from './content_positions.js';

import { probability, type ScheduleOptions } from '../model/schedule.js';
import { wrongKind } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';

/** The tasks by name. All but parity need position. */
export interface TaskOptions {
  /**
   * Things are put into drawers; when a drawer is queried, predict the latest thing put into it.
   */
  drawers: {
    /** Default 6. */
    drawers?: number;
    /** Default 6. */
    things?: number;
    /** Probability that a step is a query. Default 0.3. */
    askProbability?: number;
  };
  /** The next character of a text. */
  characters: {
    text: string;
    /** Share of the text, at its end, that is not trained on. Default 0.15. */
    heldOut?: number;
  };
  /** The next symbol of a block that repeats, or of random text with favorite successors. */
  repeats: {
    /** Default 32. */
    symbols?: number;
    /** Probability that a sequence repeats a block. Default 0.8. */
    repeatProbability?: number;
    /** Default 4. */
    minPeriod?: number;
    /** Default 16. */
    maxPeriod?: number;
    /** Probability that a symbol is followed by its favorite, in other sequences. Default 0.7. */
    favouriteProbability?: number;
  };
  /** Bits are written, read and ignored; predict the last written bit at each read. */
  'flip-flop': {
    /** Default 0.8. */
    ignoreProbability?: number;
  };
  /** A list of symbols, then the same list again. */
  copy: {
    /** Default 32. */
    symbols?: number;
    /** Longest list in training. Default 12. */
    maxItems?: number;
  };
  /** A list of symbols, then the same list backwards. */
  reverse: {
    /** Default 32. */
    symbols?: number;
    /** Longest list in training. Default 12. */
    maxItems?: number;
  };
  /** The sum of two numbers, digits from the last to the first. */
  addition: {
    /** Longest number in training. Default 5. */
    maxDigits?: number;
  };
  /** Whether the number of ones so far is odd. */
  parity: {};
}

type TaskType = keyof TaskOptions;

/** A task with its options. */
export type TrainingTask = {
  [Type in TaskType]: { type: Type } & TaskOptions[Type];
}[TaskType];

/** Schemes by name, with the options that training adds to their published forms. */
export interface TrainedPositions {
  none: {};
  sinusoidal: {
    /** Default 10000. */
    base?: number;
    /** Default 'half-split'. */
    layout?: 'interleaved' | 'half-split';
  };
  learned: {
    /** Positions that have a row. Default 512. */
    rows?: number;
  };
  rope: {
    /** Default 10000. */
    base?: number;
    /** Default 'half-split'. */
    layout?: 'interleaved' | 'half-split';
  };
  xpos: {
    /** Default 10000. */
    base?: number;
    /** Default 512. */
    scaleBase?: number;
    /** Default 0.4. */
    gamma?: number;
  };
  alibi: {};
  t5: {
    /** Default 32. */
    buckets?: number;
    /** Default 128. */
    maxDistance?: number;
    /** The bias is this times the table: larger steps for the same learning rate. Default 1. */
    tableScale?: number;
    /** Whether each layer has a table of its own. Default false, as in T5. */
    perLayer?: boolean;
  };
  kerple: {
    /** Whether r1 and r2 are softplus of the parameters, and so always positive. Default false. */
    softplus?: boolean;
    /** Whether each layer has parameters of its own. Default false. */
    perLayer?: boolean;
  };
  fire: {
    /** Width of the network. Default 32. */
    hidden?: number;
    /** Default 0.1. */
    c?: number;
    /** Default 512. */
    threshold?: number;
    /** Default 1e-6. */
    epsilon?: number;
    /** Whether each layer has a network of its own. Default false. */
    perLayer?: boolean;
  };
  cope: {
    /** Rows of the table: positions are at most rows − 1. Default 512. */
    rows?: number;
    /** Whether each layer has a table of its own. Default false. */
    perLayer?: boolean;
  };
  fox: {};
}

type AllPositions = TrainedPositions & ContentTrainedPositions;
type PositionType = keyof AllPositions;

/** A position scheme that is trained with the model. */
export type TrainedPosition = {
  [Type in PositionType]: { type: Type } & AllPositions[Type];
}[PositionType];

/** The decoder: pre-normalization, causal attention, GELU, no biases. */
export interface ModelOptions {
  /** Default 64. */
  width?: number;
  /** Default 2. */
  layers?: number;
  /** Default 4. */
  heads?: number;
  /** Width of the feed-forward layers. Default 4 × width. */
  hidden?: number;
  /** Epsilon of the RMSNorms. Default 1e-6. */
  normEpsilon?: number;
  /** Default: what the task needs. */
  vocabulary?: number;
}

/** A task, a model and its training. */
export interface TrainerOptions {
  /** What is learned, and the options of its data. */
  task: TrainingTask;
  /** Sizes of the decoder. */
  model?: ModelOptions;
  /** Default: none. */
  position?: TrainedPosition;
  /** Learning rate and optimizer. */
  schedule?: ScheduleOptions;
  /** Sequences per training step. Default 32. */
  batchSize?: number;
  /** Tokens of a training sequence, unless the task draws its length. Default 32. */
  length?: number;
  /**
   * Randomized positions: each step draws sorted positions below this number, the same for all of
   * its sequences (Ruoss et al. 2023). Default: positions are 0, 1, 2, …
   */
  randomPositions?: number;
  /** Seed of the weights and the data. Default 0. */
  seed?: number;
}

// No schema has a default that the core has too, see src/core/training.
const typed = { type: option.type };
const text = new option.Option<string>({
  kind: 'text',
  check(name, value) {
    if (typeof value === 'string') return value;
    throw wrongKind(name, 'must be a string', value);
  },
});
const perLayer = option.truth.optional();
const base = option.positive.optional();
const layout = option.oneOf('interleaved', 'half-split').optional();

export const taskSchemas = {
  drawers: {
    ...typed,
    drawers: option.whole.optional(),
    things: option.whole.optional(),
    askProbability: probability.optional(),
  },
  characters: { ...typed, text, heldOut: probability.default(0.15) },
  repeats: {
    ...typed,
    symbols: option.whole.optional(),
    repeatProbability: probability.optional(),
    minPeriod: option.whole.optional(),
    maxPeriod: option.whole.optional(),
    favouriteProbability: probability.optional(),
  },
  'flip-flop': { ...typed, ignoreProbability: probability.optional() },
  copy: { ...typed, symbols: option.whole.optional(), maxItems: option.whole.optional() },
  reverse: { ...typed, symbols: option.whole.optional(), maxItems: option.whole.optional() },
  addition: { ...typed, maxDigits: option.whole.optional() },
  parity: typed,
} satisfies { [Type in TaskType]: Schema<{ type: Type } & TaskOptions[Type]> };

export const positionSchemas = {
  none: typed,
  sinusoidal: { ...typed, base, layout },
  learned: { ...typed, rows: option.whole.optional() },
  rope: { ...typed, base, layout },
  xpos: {
    ...typed,
    base,
    scaleBase: option.positive.optional(),
    gamma: option.positive.optional(),
  },
  alibi: typed,
  t5: {
    ...typed,
    buckets: option.wholeFrom(2).optional(),
    maxDistance: option.whole.optional(),
    tableScale: option.positive.optional(),
    perLayer,
  },
  kerple: { ...typed, softplus: option.truth.optional(), perLayer },
  fire: {
    ...typed,
    hidden: option.whole.optional(),
    c: option.positive.optional(),
    threshold: option.finite.optional(),
    epsilon: option.positive.optional(),
    perLayer,
  },
  cope: { ...typed, rows: option.whole.optional(), perLayer },
  fox: typed,
  ...contentPositionSchemas,
} satisfies { [Type in PositionType]: Schema<{ type: Type } & AllPositions[Type]> };

export const modelSchema = {
  width: option.whole.optional(),
  layers: option.whole.optional(),
  heads: option.whole.optional(),
  hidden: option.whole.optional(),
  normEpsilon: option.positive.optional(),
  vocabulary: option.whole.optional(),
} satisfies Schema<ModelOptions>;

export const trainerSchema = {
  task: option.given('task'),
  model: option.given('model'),
  position: option.given('position'),
  schedule: option.given('schedule'),
  batchSize: option.whole.optional(),
  length: option.whole.optional(),
  randomPositions: option.wholeFrom(0).optional(),
  seed: option.wholeFrom(0).optional(),
} satisfies Schema<TrainerOptions>;
