/** What a trainer is made of, and the record in which it crosses into the core. */
import { described, oneOf } from '../runtime/checks.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';

/** The tasks by name. Each has answers that only position can tell; parity is the exception. */
export interface TaskOptions {
  /** Things are put into drawers; asked for a drawer, name the latest thing put into it. */
  drawers: {
    /** Default 6. */
    drawers?: number;
    /** Default 6. */
    things?: number;
    /** Of a step being a question. Default 0.3. */
    askProbability?: number;
  };
  /** The next character of a text. */
  characters: {
    text: string;
    /** Of the text, at its end, that is not trained on. Default 0.15. */
    heldOut?: number;
  };
  /** The next symbol of a block that repeats, or of random text with favourite successors. */
  repeats: {
    /** Default 32. */
    symbols?: number;
    /** Of a sequence repeating a block. Default 0.8. */
    repeatProbability?: number;
    /** Default 4. */
    minPeriod?: number;
    /** Default 16. */
    maxPeriod?: number;
    /** Of a symbol being followed by its favourite, in other sequences. Default 0.7. */
    favouriteProbability?: number;
  };
  /** One bit is written, read and ignored; name it at each read. */
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
  /** Whether the ones so far are odd in number. */
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
    /** Of the table: positions are at most rows − 1. Default 512. */
    rows?: number;
    /** Whether each layer has a table of its own. Default false. */
    perLayer?: boolean;
  };
  fox: {};
}

type PositionType = keyof TrainedPositions;

/** A position scheme that is trained with the model. */
export type TrainedPosition = {
  [Type in PositionType]: { type: Type } & TrainedPositions[Type];
}[PositionType];

/** The decoder: pre-normalization, causal attention, GELU, no biases. */
export interface ModelOptions {
  /** Default 64. */
  width?: number;
  /** Default 2. */
  layers?: number;
  /** Default 4. */
  heads?: number;
  /** Of the feed-forward layers. Default 4 × width. */
  hidden?: number;
  /** Of the RMSNorms. Default 1e-6. */
  normEpsilon?: number;
  /** Default: what the task needs. */
  vocabulary?: number;
}

/** AdamW with a linear warm-up, then half a cosine. */
export interface ScheduleOptions {
  /** Default 1000. */
  steps?: number;
  /** Default 50. */
  warmUp?: number;
  /** Default 3e-3. */
  learningRate?: number;
  /** Of the learning rate, at the last step. Default 0.05. */
  finalShare?: number;
  /** Of Wq, Wk, Wv, Wo, W1 and W2. Default 0.01. */
  weightDecay?: number;
  /** Most of the gradients' norm; 0: no clip. Default 1. */
  clip?: number;
}

const typed = { type: option.asGiven };
const probability = new option.Option<number>({
  kind: 'number',
  check(name, value) {
    const number = option.finite.read(name, value);
    if (number < 0 || number > 1)
      throw new RangeError(`${name} must be from 0 to 1, got ${number}`);
    return number;
  },
});
const text = new option.Option<string>({
  kind: 'text',
  check(name, value) {
    if (typeof value === 'string') return value;
    throw new TypeError(`${name} must be a string, got ${described(value)}`);
  },
});
const perLayer = option.truth.default(false);
const base = option.positive.default(10000);
const layout = option.oneOf('interleaved', 'half-split').default('half-split');

export const taskSchemas = {
  drawers: {
    ...typed,
    drawers: option.whole.default(6),
    things: option.whole.default(6),
    askProbability: probability.default(0.3),
  },
  characters: { ...typed, text, heldOut: probability.default(0.15) },
  repeats: {
    ...typed,
    symbols: option.whole.default(32),
    repeatProbability: probability.default(0.8),
    minPeriod: option.whole.default(4),
    maxPeriod: option.whole.default(16),
    favouriteProbability: probability.default(0.7),
  },
  'flip-flop': { ...typed, ignoreProbability: probability.default(0.8) },
  copy: { ...typed, symbols: option.whole.default(32), maxItems: option.whole.default(12) },
  reverse: { ...typed, symbols: option.whole.default(32), maxItems: option.whole.default(12) },
  addition: { ...typed, maxDigits: option.whole.default(5) },
  parity: typed,
} satisfies { [Type in TaskType]: Schema<{ type: Type } & TaskOptions[Type]> };

export const positionSchemas = {
  none: typed,
  sinusoidal: { ...typed, base, layout },
  learned: { ...typed, rows: option.whole.default(512) },
  rope: { ...typed, base, layout },
  xpos: {
    ...typed,
    base,
    scaleBase: option.positive.default(512),
    gamma: option.positive.default(0.4),
  },
  alibi: typed,
  t5: {
    ...typed,
    buckets: option.wholeFrom(2).default(32),
    maxDistance: option.whole.default(128),
    tableScale: option.positive.default(1),
    perLayer,
  },
  kerple: { ...typed, softplus: option.truth.default(false), perLayer },
  fire: {
    ...typed,
    hidden: option.whole.default(32),
    c: option.positive.default(0.1),
    threshold: option.finite.default(512),
    epsilon: option.positive.default(1e-6),
    perLayer,
  },
  cope: { ...typed, rows: option.whole.default(512), perLayer },
  fox: typed,
} satisfies { [Type in PositionType]: Schema<{ type: Type } & TrainedPositions[Type]> };

export const modelSchema = {
  width: option.whole.default(64),
  layers: option.whole.default(2),
  heads: option.whole.default(4),
  hidden: option.whole.optional(),
  normEpsilon: option.positive.default(1e-6),
  vocabulary: option.whole.optional(),
} satisfies Schema<ModelOptions>;

export const scheduleSchema = {
  steps: option.whole.default(1000),
  warmUp: option.wholeFrom(0).default(50),
  learningRate: option.positive.default(3e-3),
  finalShare: probability.default(0.05),
  weightDecay: option.nonNegative.default(0.01),
  clip: option.nonNegative.default(1),
} satisfies Schema<ScheduleOptions>;

/** The options of one of several kinds after their checks; those of other kinds are absent. */
function readKind(
  what: string,
  value: { type: string },
  schemas: Readonly<Record<string, object>>,
): { kind: number; options: Record<string, any> } {
  const types = Object.keys(schemas);
  const type = oneOf(`${what}.type`, value?.type, types);
  const options = read(what, value, schemas[type] as Schema<{ type: string }>, `${what}.`);
  return { kind: types.indexOf(type), options };
}

/** 64 bits as two numbers, which the core reads as their upper and lower half. */
export const halves = (bits: bigint): [number, number] => [
  Number(bits >> 32n),
  Number(bits & 0xffffffffn),
];

/** What the core needs of a task, the model, its position scheme and the schedule. */
export interface CheckedOptions {
  record: number[];
  text: { training: number[]; heldOut: number[]; characters: string[] };
  steps: number;
  isRope: boolean;
}

/** Each character of the text as a number, by first appearance. */
function encoded({ text, heldOut }: { text: string; heldOut: number }): CheckedOptions['text'] {
  const all = [...text];
  const characters = [...new Set(all)];
  const numbers = new Map(characters.map((character, id) => [character, id]));
  const ids = all.map((character) => numbers.get(character)!);
  const end = Math.floor(ids.length * (1 - heldOut));
  return { training: ids.slice(0, end), heldOut: ids.slice(end), characters };
}

export interface TrainerSettings {
  task: TrainingTask;
  model?: ModelOptions;
  position?: TrainedPosition;
  schedule?: ScheduleOptions;
  sequences: number;
  length: number;
  positionsBelow: number;
  seed: number;
}

export function checkedOptions(settings: TrainerSettings): CheckedOptions {
  const task = readKind('task', settings.task, taskSchemas);
  const position = readKind('position', settings.position ?? { type: 'none' }, positionSchemas);
  const model = read('model', settings.model, modelSchema, 'model.');
  const schedule = read('schedule', settings.schedule, scheduleSchema, 'schedule.');
  const t = task.options;
  const p = position.options;
  const hasText = typeof t.text === 'string';
  return {
    text: hasText
      ? encoded(t as { text: string; heldOut: number })
      : { training: [], heldOut: [], characters: [] },
    steps: schedule.steps,
    isRope: settings.position?.type === 'rope',
    // In the order of options_of() in the bindings.
    record: [
      task.kind,
      t.drawers ?? 6,
      t.things ?? 6,
      t.askProbability ?? 0.3,
      t.symbols ?? 32,
      t.repeatProbability ?? 0.8,
      t.minPeriod ?? 4,
      t.maxPeriod ?? 16,
      t.favouriteProbability ?? 0.7,
      t.ignoreProbability ?? 0.8,
      t.maxItems ?? 12,
      t.maxDigits ?? 5,
      model.vocabulary ?? 0,
      model.width,
      model.layers,
      model.heads,
      model.hidden ?? 0,
      model.normEpsilon,
      position.kind,
      p.base ?? 10000,
      Number((p.layout ?? 'half-split') === 'half-split'),
      p.rows ?? 512,
      Number(p.perLayer ?? false),
      p.buckets ?? 32,
      p.maxDistance ?? 128,
      p.tableScale ?? 1,
      Number(p.softplus ?? false),
      p.hidden ?? 32,
      p.c ?? 0.1,
      p.threshold ?? 512,
      p.epsilon ?? 1e-6,
      p.scaleBase ?? 512,
      p.gamma ?? 0.4,
      schedule.steps,
      schedule.warmUp,
      schedule.learningRate,
      schedule.finalShare,
      schedule.weightDecay,
      schedule.clip,
      settings.sequences,
      settings.length,
      settings.positionsBelow,
      ...halves(BigInt(settings.seed)),
    ],
  };
}
