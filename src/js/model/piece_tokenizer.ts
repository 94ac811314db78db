/**
 * SentencePiece's byte-pair encoding: pieces with scores, and bytes for characters without a piece.
 * The tokenizers of llama2.c and of `.gguf` files of the kind "llama" share it.
 */
import type { Tokenizer } from './tokenizer.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** Kinds of tokens, by the numbers of SentencePiece and GGUF. */
export const kinds = {
  normal: 1,
  unknown: 2,
  control: 3,
  userDefined: 4,
  unused: 5,
  byte: 6,
} as const;

/** The text of the token of a byte. */
export const byteText = (byte: number) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/** The tokens of a model. */
export interface Pieces {
  /** By token; of pieces with spaces as they are in a text. */
  texts: readonly string[];
  /** Pieces with a higher score are merged first. */
  scores: ArrayLike<number>;
  kinds: ArrayLike<number>;
}

export interface PieceOptions {
  /** Tokens before and after each text. */
  first: readonly number[];
  last: readonly number[];
  endTokens: readonly number[];
  /** Whether a text begins with a space that it does not have. */
  hasSpacePrefix: boolean;
  /** Tokens that are found in a text before it is split: special ones, and those of users. */
  whole: readonly number[];
  /** For a character that has no piece and no bytes. Absent: such a text is refused. */
  unknown?: number | undefined;
  /** What a text becomes before it is split. */
  normalized(text: string): string;
}

/** Two adjacent symbols that together are a piece. */
interface Candidate {
  score: number;
  /** Places of the symbols, and the length of their text when they were added. */
  left: number;
  right: number;
  length: number;
}

const isBefore = (a: Candidate, b: Candidate) =>
  a.score > b.score || (a.score === b.score && a.left < b.left);

/** A binary heap: the candidate with the best score first, and of equal ones the leftmost. */
class Candidates {
  readonly #heap: Candidate[] = [];

  add(candidate: Candidate): void {
    const heap = this.#heap;
    let at = heap.push(candidate) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(candidate, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = candidate;
  }

  take(): Candidate | undefined {
    const heap = this.#heap;
    const best = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return best;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return best;
  }
}

/** A pattern that captures any of the texts, the longest that fits. Absent: there are none. */
function patternOf(texts: readonly string[]): RegExp | undefined {
  const parts = [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return parts.length > 0 ? new RegExp(`(${parts.join('|')})`, 'u') : undefined;
}

/**
 * Makes a tokenizer of pieces.
 * @see Kudo and Richardson 2018 (SentencePiece); sentencepiece, bpe_model.cc
 */
export function pieceTokenizer(pieces: Pieces, options: PieceOptions): Tokenizer {
  const { texts, scores, kinds: kindOf } = pieces;
  const { first, last, endTokens, hasSpacePrefix, normalized, unknown } = options;
  const tokenOf = new Map<string, number>();
  const byteTokens: (number | undefined)[] = new Array(256).fill(undefined);
  for (const [token, text] of texts.entries()) {
    const kind = kindOf[token];
    if (kind === kinds.byte) byteTokens[Number.parseInt(text.slice(3), 16)] = token;
    // Of equal pieces the first is meant.
    const isPiece = kind === kinds.normal || kind === kinds.unused;
    if (isPiece && text !== '' && !tokenOf.has(text)) tokenOf.set(text, token);
  }
  const wholeOf = new Map(
    options.whole.map((token) => [texts[token]!, token] as const).filter(([text]) => text !== ''),
  );
  const whole = patternOf([...wholeOf.keys()]);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

  /** The tokens of a character that is no piece. */
  function bytesOf(character: string): number[] {
    const tokens = Array.from(encoder.encode(character), (byte) => byteTokens[byte]);
    if (tokens.every((token) => token !== undefined)) return tokens;
    if (unknown !== undefined) return [unknown];
    throw wrongValue('text', 'must be of pieces that the tokenizer has', character);
  }

  /** Merges adjacent symbols, from single characters on, until no two together are a piece. */
  function tokensIn(text: string): number[] {
    const symbols = Array.from(text);
    const end = symbols.length;
    const next = Int32Array.from(symbols, (_, i) => i + 1);
    const previous = Int32Array.from(symbols, (_, i) => i - 1);
    const candidates = new Candidates();
    /** What unused pieces are made of: they are merged, and in the end taken apart. */
    const halves = new Map<string, readonly [string, string]>();
    const consider = (left: number, right: number) => {
      if (left < 0 || right >= end) return;
      const joined = symbols[left]! + symbols[right]!;
      const token = tokenOf.get(joined);
      if (token === undefined) return;
      if (kindOf[token] === kinds.unused) halves.set(joined, [symbols[left]!, symbols[right]!]);
      candidates.add({ score: scores[token]!, left, right, length: joined.length });
    };
    for (let i = 1; i < end; ++i) consider(i - 1, i);
    for (let best = candidates.take(); best; best = candidates.take()) {
      const { left, right, length } = best;
      const [a, b] = [symbols[left]!, symbols[right]!];
      // One of the two was merged with another before.
      if (a === '' || b === '' || a.length + b.length !== length) continue;
      symbols[left] = a + b;
      symbols[right] = '';
      next[left] = next[right]!;
      if (next[left]! < end) previous[next[left]!] = left;
      consider(previous[left]!, left);
      consider(left, next[left]!);
    }
    const tokensOf = (symbol: string): number[] => {
      const token = tokenOf.get(symbol);
      if (token === undefined) return bytesOf(symbol);
      const parts = kindOf[token] === kinds.unused ? halves.get(symbol) : undefined;
      return parts ? parts.flatMap(tokensOf) : [token];
    };
    return symbols.filter((symbol) => symbol !== '').flatMap(tokensOf);
  }

  function tokensOfPart(part: string): readonly number[] {
    const token = wholeOf.get(part);
    if (token !== undefined) return [token];
    if (part === '') return [];
    const text = normalized(part);
    return tokensIn(hasSpacePrefix ? ` ${text}` : text);
  }

  return {
    vocabulary: texts.length,
    endTokens,
    encode(text, { first: isFirst = true } = {}) {
      if (typeof text !== 'string') throw wrongKind('text', 'must be a string', text);
      const tokens = (whole ? text.split(whole) : [text]).flatMap(tokensOfPart);
      return isFirst ? [...first, ...tokens, ...last] : tokens;
    },
    decode(tokens) {
      const bytes: number[] = [];
      for (const [i, token] of Array.from(tokens).entries()) {
        if (!(Number.isInteger(token) && token >= 0 && token < texts.length)) {
          const rule = `must be a whole number from 0 to ${texts.length - 1}`;
          throw wrongValue(`tokens[${i}]`, rule, token);
        }
        const text = texts[token]!;
        if (kindOf[token] === kinds.byte) bytes.push(Number.parseInt(text.slice(3), 16));
        else if (kindOf[token] !== kinds.control) bytes.push(...encoder.encode(text));
      }
      const text = decoder.decode(Uint8Array.from(bytes));
      return hasSpacePrefix && text.startsWith(' ') ? text.slice(1) : text;
    },
  };
}
