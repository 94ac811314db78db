/**
 * The tokenizer file of llama2.c: the pieces of a SentencePiece model with their scores, and its
 * byte-pair encoding.
 */
import { bytesGiven } from '../formats/file_tensor.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** One part of a chat. */
export interface ChatMessage {
  /** Who says it, such as 'system', 'user' or 'assistant'. */
  role: string;
  content: string;
}

/** Turns text into tokens and back. */
export interface Tokenizer {
  /** Number of tokens; those that a tokenizer.json adds to its model are not counted. */
  readonly vocabulary: number;
  /** The tokens that end a text. */
  readonly endTokens: readonly number[];
  /**
   * Splits a text into tokens.
   * @param options first: whether the token that begins a text comes before it. Default true
   * @returns whole numbers; below `vocabulary` unless tokenizer.json adds tokens to its model
   * @throws TypeError unless the text is a string; RangeError on a piece that the tokenizer lacks
   */
  encode(text: string, options?: { first?: boolean }): number[];
  /**
   * Joins the texts of tokens.
   * @returns their text; bytes that are no UTF-8 become U+FFFD
   * @throws RangeError on a number that is no token of a tokenizer of llama2.c
   */
  decode(tokens: ArrayLike<number>): string;
  /**
   * Writes a chat by its template, and splits it into tokens. Absent: there is no template.
   * @returns the tokens of a chat, up to the place of the answer
   * @throws RangeError on messages that do not suit the template; Error where @huggingface/jinja is
   *   not installed
   */
  encodeChat?(messages: readonly ChatMessage[]): Promise<number[]>;
}

/**
 * Decodes tokens one by one, for text that is shown while it is written.
 * @param before the tokens in front of them, whose text is not returned
 * @returns a function that takes the next token and returns its text; the bytes of a character are
 *   held back until all are there
 * @throws as the tokenizer's decode()
 * @see Hugging Face, text-generation-inference (decode_token)
 */
export function decodeStream(
  tokenizer: Tokenizer,
  before: ArrayLike<number> = [],
): (token: number) => string {
  const tokens = Array.from(before);
  // Some tokenizers drop a space at the beginning of a text, so each is decoded after others.
  let [first, done] = [Math.max(0, tokens.length - 8), tokens.length];
  return (token) => {
    tokens.push(token);
    const shown = tokenizer.decode(tokens.slice(first, done));
    const text = tokenizer.decode(tokens.slice(first));
    if (text.length <= shown.length || text.endsWith('\uFFFD')) return '';
    [first, done] = [done, tokens.length];
    return text.slice(shown.length);
  };
}

/** Tokens that begin and end a text. */
const beginOfText = 1;
const endOfText = 2;
/** The token of byte 0; those of the other bytes follow. */
const firstByte = 3;

interface Piece {
  score: number;
  bytes: Uint8Array;
}

function piecesOf(bytes: Uint8Array): Piece[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pieces: Piece[] = [];
  for (let at = 4; at < bytes.length;) {
    if (at + 8 > bytes.length)
      throw wrongValue('tokenizer', 'must be whole: a score and a length for each token', at);
    const length = view.getInt32(at + 4, true);
    const start = at + 8;
    if (length < 0 || start + length > bytes.length)
      throw wrongValue(`tokenizer: length of token ${pieces.length}`, 'must fit the file', length);
    pieces.push({
      score: view.getFloat32(at, true),
      bytes: bytes.subarray(start, start + length),
    });
    at = start + length;
  }
  if (pieces.length < firstByte + 256)
    throw wrongValue('tokenizer', `must have at least ${firstByte + 256} tokens`, pieces.length);
  return pieces;
}

/**
 * Reads a tokenizer of llama2.c, such as tok512.bin.
 * @param file its bytes
 * @throws TypeError when it is no Uint8Array; RangeError on a file that is not one
 * @see Kudo and Richardson 2018 (SentencePiece); llama2.c, tokenizer.py: export
 */
export function readLlama2cTokenizer(file: Uint8Array | ArrayBuffer): Tokenizer {
  const pieces = piecesOf(bytesGiven(file));
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  const texts = pieces.map(({ bytes }) => decoder.decode(bytes));
  const tokenOf = new Map<string, number>();
  // Of equal pieces the first is meant; those of bytes and of the three signs are not written out.
  for (const [token, text] of texts.entries())
    if (token >= firstByte + 256 && !tokenOf.has(text)) tokenOf.set(text, token);
  // Then words are merged each by itself: the time of merged() grows with the square of its length.
  const hasInnerSpace = texts.some((text) => text.lastIndexOf(' ') > 0);
  const partsOf = (text: string) => (hasInnerSpace ? [text] : text.split(/(?= )/u));
  const bytesOf = (token: number) =>
    token >= firstByte && token < firstByte + 256
      ? Uint8Array.of(token - firstByte)
      : pieces[token]!.bytes;

  /** Merges the adjacent tokens whose piece has the best score, until none has one. */
  function merged(tokens: number[]): number[] {
    for (;;) {
      let best = -Infinity;
      let at = -1;
      let found = 0;
      for (let i = 0; i + 1 < tokens.length; ++i) {
        const token = tokenOf.get(texts[tokens[i]!]! + texts[tokens[i + 1]!]!);
        if (token !== undefined && pieces[token]!.score > best) {
          best = pieces[token]!.score;
          at = i;
          found = token;
        }
      }
      if (at < 0) return tokens;
      tokens.splice(at, 2, found);
    }
  }

  return {
    vocabulary: pieces.length,
    // The models of llama2.c write the token that begins the next text.
    endTokens: [beginOfText, endOfText],
    encode(text, { first = true } = {}) {
      if (typeof text !== 'string') throw wrongKind('text', 'must be a string', text);
      const characters = (part: string) =>
        [...part].flatMap((character) => {
          const token = tokenOf.get(character);
          if (token !== undefined) return [token];
          return Array.from(new TextEncoder().encode(character), (byte) => firstByte + byte);
        });
      const parts = text === '' ? [] : partsOf(` ${text}`);
      return [
        ...(first ? [beginOfText] : []),
        ...parts.flatMap((part) => merged(characters(part))),
      ];
    },
    decode(tokens) {
      const parts: number[] = [];
      for (const [i, token] of Array.from(tokens).entries()) {
        if (!(Number.isInteger(token) && token >= 0 && token < pieces.length))
          throw wrongValue(
            `tokens[${i}]`,
            `must be a whole number from 0 to ${pieces.length - 1}`,
            token,
          );
        if (token !== beginOfText && token !== endOfText) parts.push(...bytesOf(token));
      }
      const text = decoder.decode(Uint8Array.from(parts));
      return text.startsWith(' ') ? text.slice(1) : text;
    },
  };
}
