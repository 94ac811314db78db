/**
 * Poems that count: how small models learn poems of eight lines of five characters and what they
 * write, for the live run in the page's worker and for those of tests/experiments/poems.mjs.
 */
import type { Trainer, TrainerOptions, Training } from 'ropewalk/train';

export const schemes = ['rope', 'sinusoidal', 'alibi', 'none'] as const;
export type PoemScheme = (typeof schemes)[number];

export const plan = {
  name: 'poems',
  schemes,
  /** Poems of the file, over so many characters. */
  poems: 1820,
  characters: 1591,
  model: { width: 64, layers: 2, heads: 4 },
  batchSize: 16,
  steps: 400,
  schedule: { learningRate: 3e-3, warmupSteps: 50, finalShare: 0.05 },
  temperature: 0.8,
  /** Poems that each model writes, and their lines; eight were trained. */
  written: 8,
  lines: 24,
} as const;

/** Characters of a line with its sign, and lines of a trained poem. */
export const rowLength = 6;
export const trainedLines = 8;

const start = 0;
/** What a model writes that takes the start for a character. */
const startMark = '□';
/** After odd and after even lines. */
const signs = ['，', '。'];

/** The poems as tokens, and the character of each token. */
export interface Poems {
  /** Each begins with `start`; five characters and a sign for each line follow. */
  tokens: number[][];
  characters: string[];
}

/** @param text a poem per line, 40 characters each */
export function poemsOf(text: string): Poems {
  const lines = text.split('\n').filter((line) => line !== '');
  const characters = [startMark, ...signs, ...new Set(lines.join(''))];
  const numbers = new Map(characters.map((character, token) => [character, token]));
  const tokens = lines.map((line) => [
    start,
    ...Array.from(line).flatMap((character, i) => {
      const own = numbers.get(character)!;
      const isLast = i % 5 === 4;
      return isLast ? [own, 1 + (Math.floor(i / 5) % 2)] : [own];
    }),
  ]);
  return { tokens, characters };
}

export function trainerOf(
  training: Training,
  { characters }: Poems,
  scheme: PoemScheme,
  seed: number,
): Trainer {
  const options: TrainerOptions = {
    // The poems are batches of our own: the task draws none.
    task: { type: 'parity' },
    model: { ...plan.model, vocabulary: characters.length },
    position: { type: scheme },
    schedule: { ...plan.schedule, steps: plan.steps },
    seed,
  };
  return training.createTrainer(options);
}

/** A prime that divides no number of poems here, for steps through all of them. */
const strides = [617, 811, 1009, 1213, 1423];

/** The poems of a step, in an order of the seed: each comes once before any comes again. */
export function batchOf({ tokens }: Poems, step: number, seed: number) {
  const stride = strides[seed % strides.length]!;
  const chosen = Array.from({ length: plan.batchSize }, (_, i) => {
    const number = (step - 1) * plan.batchSize + i;
    return tokens[(number * stride + 97 * seed) % tokens.length]!;
  });
  return {
    batch: plan.batchSize,
    tokens: chosen.flatMap((poem) => poem.slice(0, -1)),
    targets: chosen.flatMap((poem) => poem.slice(1)),
  };
}

/** Takes the next step. */
export function learn(trainer: Trainer, poems: Poems, seed: number) {
  return trainer.stepOn(batchOf(poems, trainer.steps + 1, seed));
}

/** A poem that a model writes, with its signs. */
export function written(trainer: Trainer, { characters }: Poems, seed: number): string[] {
  const { temperature, lines } = plan;
  const { tokens } = trainer.generate([start], lines * rowLength, { temperature, seed });
  return tokens.map((token) => characters[token]!);
}

export const isSign = (character: string) => signs.includes(character);

/** Whether a place of a line has a sign if and only if it should. */
export const isRight = (character: string, place: number) =>
  isSign(character) === (place === rowLength - 1);

/** Of each line the share of places where there is a sign if and only if there should be. */
export function countedRight(poems: readonly (readonly string[])[]): number[] {
  return Array.from({ length: plan.lines }, (_, line) => {
    let right = 0;
    for (const poem of poems)
      for (let i = 0; i < rowLength; i++) right += Number(isRight(poem[line * rowLength + i]!, i));
    return right / (poems.length * rowLength);
  });
}

/** How many characters each line has: a line ends with its sign, an unfinished one is left out. */
export function lineLengths(poem: readonly string[]): number[] {
  const lengths: number[] = [];
  let length = 0;
  for (const character of poem) {
    if (isSign(character)) lengths.push(length);
    length = isSign(character) ? 0 : length + 1;
  }
  return lengths;
}

/** Of lines 1–8, 9–16 and 17–24 of poems, the share that has five characters. */
export function sharesOfFive(poems: readonly (readonly string[])[]): number[] {
  const lengths = poems.map(lineLengths);
  return Array.from({ length: plan.lines / trainedLines }, (_, i) => {
    const lines = lengths.flatMap((own) => own.slice(i * trainedLines, (i + 1) * trainedLines));
    const right = lines.filter((length) => length === rowLength - 1);
    return lines.length > 0 ? right.length / lines.length : 0;
  });
}
