/** The text that the models of the ropes continue: a word, over and over, as symbols. */
import type { RotaryScaling } from 'ropewalk';
import type { Words } from '../languages.ts';
import type { Continuation } from 'ropewalk/train';

/** Length of the texts that the models were trained on, and of the ropes. */
export const originalLength = 32;
export const ropeLength = 136;

/** The models were trained on blocks of this many different symbols, out of 32. */
export const shortest = 4;
export const longest = 16;
const symbolCount = 32;

/** `yarn` is the model of RoPE, with other frequencies and without any training. */
export const ropeSchemes = ['sinusoidal', 'rope', 'yarn', 'alibi', 'fox'] as const;

export type RopeScheme = (typeof ropeSchemes)[number];

export const yarnScaling = {
  type: 'yarn',
  factor: ropeLength / originalLength,
  originalLength,
} satisfies RotaryScaling;

/** The words that are laid first. */
export const firstWords: Words = { en: 'ropewalk', zh: '绳锯木断水滴石穿' };

/**
 * From a symbol that is taken to the next one. With 1, words with a repeated letter failed at once:
 * the models have learned which symbol often follows which.
 */
const probe = 5;

/** The letters of a word: what a reader sees as one may be several code points, as in an emoji. */
export function lettersIn(word: string): string[] {
  const text = word.replaceAll(/\s+/g, '');
  return 'Segmenter' in Intl
    ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    : [...text];
}

export interface Block {
  letters: string[];
  /** One per letter; all different. */
  symbols: number[];
}

/**
 * The block of a word: its first 16 letters without spaces; a word of fewer than four, several
 * times. Each letter has its own symbol; where the letter comes again, the next one that is free.
 */
export function blockOf(word: string): Block {
  const given = lettersIn(word).slice(0, longest);
  const times = Math.max(1, Math.ceil(shortest / Math.max(1, given.length)));
  const letters = Array.from({ length: times }, () => given).flat();
  const symbols: number[] = [];
  for (const letter of letters) {
    let symbol = (11 * letter.codePointAt(0)! + 5) % symbolCount;
    while (symbols.includes(symbol)) symbol = (symbol + probe) % symbolCount;
    symbols.push(symbol);
  }
  return { letters, symbols };
}

/** The prompt: the block twice. */
export const promptOf = ({ symbols }: Block) => [...symbols, ...symbols];

/** What a model wrote after the word twice. */
export interface Laid {
  /** The symbol of each letter after the prompt. */
  symbols: readonly number[];
  /** The probability of each right letter: of a letter that comes again, of all its symbols. */
  right: readonly number[];
}

/** The number of tokens that a model appends to the prompt. */
export const writtenLength = (block: Block) => ropeLength - promptOf(block).length;

export function laidOf(block: Block, { tokens, probabilities }: Continuation): Laid {
  const [, vocabulary] = probabilities.shape as [number, number];
  const right = tokens.map((_, i) => {
    const row = probabilities.data.subarray(i * vocabulary, (i + 1) * vocabulary);
    const right = block.letters[i % block.letters.length];
    return block.symbols.reduce(
      (sum, symbol, k) => (block.letters[k] === right ? sum + row[symbol]! : sum),
      0,
    );
  });
  return { symbols: tokens, right };
}

/** The letter of a symbol; undefined if the word does not have it. */
export const letterOf = ({ letters, symbols }: Block, symbol: number): string | undefined =>
  letters[symbols.indexOf(symbol)];

/** The number of the first letter, from 1, that does not repeat the word; undefined if all do. */
export function firstWrong(block: Block, continuation: readonly number[]) {
  const { letters } = block;
  const index = continuation.findIndex(
    (symbol, i) => letterOf(block, symbol) !== letters[i % letters.length],
  );
  return index < 0 ? undefined : 2 * letters.length + index + 1;
}
