/**
 * Splits a text into the tokens of the lab: words, single Han characters, numbers, whole emoji and
 * punctuation marks, without white space. A Han character stands alone because the engines'
 * dictionaries disagree about Chinese words, and a link must show everyone the same tokens.
 */
const characterLimit = 5000;
export const tokenLimit = 512;

/**
 * Why a text cannot be read: the rule it breaks and its own value, for a message in any language.
 */
export type TextFault =
  | { rule: 'empty' }
  | { rule: 'characters'; limit: number; count: number }
  | { rule: 'tokens'; limit: number; count: number };

export type Reading =
  { tokens: string[]; fault?: undefined } | { tokens?: undefined; fault: TextFault };

const hanOrRest = /\p{Script=Han}\p{M}*|(?:(?!\p{Script=Han}).)+/gsu;

/** White space, controls, bidi marks, lone surrogates: nothing in it that a reader could see. */
const invisible = /^[\p{Z}\p{C}\p{M}]*$/u;

/** For engines without Intl.Segmenter: Han, flags, emoji sequences, words, then any other sign. */
const roughly = new RegExp(
  [
    String.raw`\p{Script=Han}\p{M}*`,
    String.raw`\p{RI}\p{RI}`,
    String.raw`\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]*)*`,
    String.raw`(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}_])+(?:['’.](?!\p{Script=Han})[\p{L}\p{N}]+)*`,
    String.raw`\S\p{M}*`,
  ].join('|'),
  'gu',
);

/** The tokens of a text, or the rule it breaks. Composed and decomposed letters are the same. */
export function readText(
  text: string,
  segmenter: typeof Intl.Segmenter | null = Intl.Segmenter ?? null,
  limits = { characters: characterLimit, tokens: tokenLimit },
): Reading {
  const count = characterCount(text);
  if (count > limits.characters)
    return { fault: { rule: 'characters', limit: limits.characters, count } };
  const tokens = split(text.normalize('NFC'), segmenter).filter((token) => !invisible.test(token));
  if (tokens.length === 0) return { fault: { rule: 'empty' } };
  if (tokens.length > limits.tokens) {
    return { fault: { rule: 'tokens', limit: limits.tokens, count: tokens.length } };
  }
  return { tokens };
}

function split(text: string, Segmenter: typeof Intl.Segmenter | null): string[] {
  if (!Segmenter) return text.match(roughly) ?? [];
  const words = new Segmenter(undefined, { granularity: 'word' }).segment(text);
  return Array.from(words, ({ segment }) => segment.match(hanOrRest) ?? []).flat();
}

/** Code points, not UTF-16 units: what a reader would call characters, emoji sequences aside. */
function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** After these no space: Han, opening marks, dashes, Chinese marks. */
const tightAfter = /[\p{Script=Han}\p{Ps}\p{Pi}\p{Pd}/，。、；：？！]$/u;

/** And before these none: Han, closing marks, dashes. */
const tightBefore = /^[\p{Script=Han}\p{Pe}\p{Pf}\p{Pd}/,.;:!?…，。、；：？！]/u;

/** What a text has between two tokens: a space or nothing. */
export const between = (left = '', right = ''): string =>
  left === '' || right === '' || tightAfter.test(left) || tightBefore.test(right) ? '' : ' ';

/** Tokens as text again. */
export const joined = (tokens: readonly string[]): string =>
  tokens.map((token, i) => between(tokens[i - 1], token) + token).join('');
