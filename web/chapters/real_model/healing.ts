/**
 * How interpolation heals: what a model is trained on and how it is measured, for the live run in
 * the page's worker and for the recorded ones (tests/experiments/healing.mjs).
 *
 * The unchanged model is the teacher: it writes stories, the text of all training and tests. A copy
 * of it, with its positions changed, learns from them.
 */
import type { RotaryScaling } from 'ropewalk';
import type { Model, ModelTrainer, PositionChange } from 'ropewalk/model';
import { scalings } from './methods.ts';

export const methods = ['pi', 'ntk', 'yarn', 'direct'] as const;
export type HealMethod = (typeof methods)[number];

export const plan = {
  name: 'healing',
  /** Factor of PI, NTK and YaRN: 4 times the training length of 512. */
  factor: 4,
  /** Tokens of the window of a step. */
  window: 1024,
  temperature: 0.9,
  steps: 80,
  schedule: {
    learningRate: 2e-3,
    warmupSteps: 10,
    finalShare: 0.1,
    weightDecay: 0,
    maxGradNorm: 1,
  },
  /** Steps after which the model is measured. */
  measured: [0, 5, 10, 20, 40, 80],
  /** Places between which the losses of a test text are averaged. */
  places: [0, 128, 512, 1024, 1536, 2048],
  /** Texts of a test, and single stories. */
  texts: 8,
  stories: 48,
  testSeed: 1000,
  /** The beginning of the sample story, which greedy decoding continues. */
  beginning: 'Once upon a time',
  storyLength: 60,
} as const;

/** How a method changes the frequencies. */
export const scalingOf = (method: HealMethod): RotaryScaling =>
  method === 'direct' ? { type: 'none' } : scalings[method](plan);

/** The number of losses of a test text. */
export const testLength: number = plan.places[plan.places.length - 1]!;

/** Seeds of two texts do not meet before so many stories. */
const storiesPerSeed = 2 ** 20;

/** The token that begins a text, and the one that ends one in SentencePiece. */
const begin = 1;
const end = 2;

/** A story that the model writes, from its first token on. */
async function story(teacher: Model, seed: number): Promise<number[]> {
  const tokens = [begin];
  const { temperature } = plan;
  for await (const token of teacher.generate(tokens, { temperature, seed, stop: [begin, end] }))
    tokens.push(token);
  return tokens;
}

/** Stories that a model writes, one after another. */
export class Stories {
  readonly #teacher: Model;
  #next: number;
  #left: number[] = [];

  constructor(teacher: Model, seed: number) {
    this.#teacher = teacher;
    this.#next = seed * storiesPerSeed;
  }

  one(): Promise<number[]> {
    return story(this.#teacher, this.#next++);
  }

  /** The next tokens of the stories joined. */
  async tokens(count: number): Promise<number[]> {
    while (this.#left.length < count) this.#left.push(...(await this.one()));
    return this.#left.splice(0, count);
  }
}

/** The windows of the first steps. */
export async function lessons(teacher: Model, seed: number, steps: number): Promise<number[][]> {
  const written = new Stories(teacher, seed);
  const windows: number[][] = [];
  while (windows.length < steps) windows.push(await written.tokens(plan.window + 1));
  return windows;
}

/** What models are tested on. */
export interface TestTexts {
  /** Stories joined. */
  texts: number[][];
  /** Stories by themselves: short texts. */
  stories: number[][];
}

export async function testTexts(teacher: Model, texts: number, stories: number) {
  const written = new Stories(teacher, plan.testSeed);
  const result: TestTexts = { texts: [], stories: [] };
  for (let i = 0; i < texts; i++) result.texts.push(await written.tokens(testLength + 1));
  const alone = new Stories(teacher, plan.testSeed + 1);
  for (let i = 0; i < stories; i++) result.stories.push(await alone.one());
  return result;
}

/** What a model scores. */
export interface Healed {
  step: number;
  /** Mean loss between the places of the plan, in nats. */
  places: number[];
  /** Mean loss of the stories by themselves; absent without any. */
  short?: number;
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

export function measure(
  model: Model,
  { texts, stories }: TestTexts,
  step: number,
  position: PositionChange,
): Healed {
  const losses = texts.map((text) => model.loss(text, { position, chunk: 512 }));
  const places = plan.places.slice(1).map((past, i) => {
    const first = plan.places[i]!;
    const sum = losses.reduce((total, list) => total + sumOf(list.subarray(first, past)), 0);
    return sum / (texts.length * (past - first));
  });
  const alone = stories.map((text) => model.loss(text, { position }));
  const count = alone.reduce((total, { length }) => total + length, 0);
  const short = alone.reduce((total, list) => total + sumOf(list), 0) / count;
  return { step, places, ...(stories.length > 0 && { short }) };
}

/** The sample story, as tokens with those of its beginning. */
export async function sampleStory(model: Model, beginning: number[], position: PositionChange) {
  const tokens = [...beginning];
  const options = { maxTokens: plan.storyLength, stop: [begin, end], position };
  for await (const token of model.generate(beginning, options)) tokens.push(token);
  return tokens;
}

/** Makes the trainer of a copy of the teacher. */
export const trainerOf = (model: Model, position: PositionChange): ModelTrainer =>
  model.trainer({ schedule: { ...plan.schedule, steps: plan.steps }, position });

/** Takes a step on what the teacher writes next. */
export async function learn(trainer: ModelTrainer, stories: Stories) {
  return trainer.stepOn([await stories.tokens(plan.window + 1)]);
}
