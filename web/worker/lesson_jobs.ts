/** The jobs of a worker that trains one model at a time while the page watches: a lesson. */
import {
  createModels,
  readLlama2cTokenizer,
  type Model,
  type ModelTrainer,
  type PositionChange,
  type Tokenizer,
} from 'ropewalk/model';
import type { Trainer, Training } from 'ropewalk/train';
import * as healing from '../chapters/real_model/healing.ts';
import * as poems from '../chapters/real_model/poem_training.ts';
import type { HealingFiles, LessonPart } from './lesson_parts.ts';
import { lost } from './model_requests.ts';

/** What is being trained. */
interface Lesson {
  readonly isDone: boolean;
  /** Takes a step, or measures the model. */
  advance(): Promise<Omit<LessonPart, 'isDone'>>;
  dispose(): void;
}

let lesson: Lesson | undefined;

/** Ends the lesson, if there is one. */
export function endLesson(_: object): void {
  lesson?.dispose();
  lesson = undefined;
}

/** Takes the next step of the lesson, or measures the model. */
export async function advanceLesson(_: object): Promise<LessonPart> {
  const own = lesson;
  if (!own) throw new Error(lost);
  const part = await own.advance();
  const { isDone } = own;
  if (isDone && lesson === own) endLesson(_);
  return { ...part, isDone };
}

/** Texts of a live test: fewer than of recorded ones, since each takes most of a step's time. */
const liveTexts = 1;

/** What a model is healed with. */
interface HealingParts {
  /** The unchanged model. */
  teacher: Model;
  model: Model;
  tokenizer: Tokenizer;
  position: PositionChange;
}

class Healing implements Lesson {
  readonly #parts: HealingParts;
  #measured = -1;
  readonly #trainer: ModelTrainer;
  readonly #stories: healing.Stories;
  #tests: healing.TestTexts | undefined;

  constructor(parts: HealingParts, seed: number) {
    this.#parts = parts;
    this.#trainer = healing.trainerOf(parts.model, parts.position);
    this.#stories = new healing.Stories(parts.teacher, seed);
  }

  get isDone() {
    return this.#measured === healing.plan.steps;
  }

  async advance() {
    const { steps: step } = this.#trainer;
    const isDue = (healing.plan.measured as readonly number[]).includes(step);
    if (!isDue || this.#measured === step) {
      const { loss } = await healing.learn(this.#trainer, this.#stories);
      return { step: step + 1, loss };
    }
    const { teacher, model, tokenizer, position } = this.#parts;
    const isFirst = this.#tests === undefined;
    const tests = (this.#tests ??= await healing.testTexts(teacher, liveTexts, 0));
    const measured = healing.measure(model, tests, step, position);
    const beginning = tokenizer.encode(healing.plan.beginning);
    const text = tokenizer.decode(await healing.sampleStory(model, beginning, position));
    this.#measured = step;
    const unchanged = isFirst && { unchanged: healing.measure(teacher, tests, 0, {}).places };
    return { step, measured: measured.places, text, ...unchanged };
  }

  dispose() {
    this.#parts.model.dispose();
    this.#parts.teacher.dispose();
  }
}

/** Begins to train a Llama with its positions changed, in place of the lesson before. */
export async function startHealing(
  _: object,
  { weights, tokenizer }: HealingFiles,
  position: PositionChange,
  seed: number,
): Promise<void> {
  endLesson(_);
  const { createModel } = await createModels();
  // What is trained is float32.
  const load = () => createModel({ weights, precision: 'float32' });
  const [teacher, model] = [await load(), await load()];
  const parts = { teacher, model, tokenizer: readLlama2cTokenizer(tokenizer), position };
  lesson = new Healing(parts, seed);
}

/** Steps between the poems that a model in training writes. */
const stepsPerPoem = 40;

class PoemLesson implements Lesson {
  readonly #trainer: Trainer;
  readonly #poems: poems.Poems;
  readonly #seed: number;
  /** The last step after which the model wrote. */
  #wrote = -1;

  constructor(trainer: Trainer, own: poems.Poems, seed: number) {
    this.#trainer = trainer;
    this.#poems = own;
    this.#seed = seed;
  }

  get isDone() {
    return this.#wrote === poems.plan.steps;
  }

  advance() {
    const { steps: step } = this.#trainer;
    if (step % stepsPerPoem !== 0 || this.#wrote === step) {
      const { loss } = poems.learn(this.#trainer, this.#poems, this.#seed);
      return Promise.resolve({ step: step + 1, loss });
    }
    this.#wrote = step;
    const first = this.#seed * poems.plan.written;
    const count = this.isDone ? poems.plan.written : 1;
    const written = Array.from({ length: count }, (_, i) =>
      poems.written(this.#trainer, this.#poems, first + i),
    );
    const measured = this.isDone && { measured: poems.countedRight(written) };
    return Promise.resolve({ step, text: written[0]!.join(''), ...measured });
  }

  dispose() {
    this.#trainer.dispose();
  }
}

/** Begins to train a model on poems, one per line of the text, in place of the lesson before. */
export function startPoems(
  training: Training,
  text: string,
  scheme: poems.PoemScheme,
  seed: number,
): void {
  endLesson(training);
  const own = poems.poemsOf(text);
  lesson = new PoemLesson(poems.trainerOf(training, own, scheme, seed), own, seed);
}
