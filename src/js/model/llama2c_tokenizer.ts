/** The tokenizer file of llama2.c: the pieces of a SentencePiece model with their scores. */
import { byteText, kinds, pieceTokenizer, type Pieces } from './piece_tokenizer.js';
import type { Tokenizer } from './tokenizer.js';
import { bytesGiven } from '../formats/file_tensor.js';
import { wrongValue } from '../runtime/errors.js';

/** Tokens that begin and end a text. */
const beginOfText = 1;
const endOfText = 2;
/** The token of byte 0; those of the other bytes follow. */
const firstByte = 3;

function piecesOf(bytes: Uint8Array): Pieces {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  const [texts, scores]: [string[], number[]] = [[], []];
  for (let at = 4; at < bytes.length;) {
    if (at + 8 > bytes.length)
      throw wrongValue('tokenizer', 'must be whole: a score and a length for each token', at);
    const length = view.getInt32(at + 4, true);
    const start = at + 8;
    if (length < 0 || start + length > bytes.length)
      throw wrongValue(`tokenizer: length of token ${texts.length}`, 'must fit the file', length);
    scores.push(view.getFloat32(at, true));
    texts.push(decoder.decode(bytes.subarray(start, start + length)));
    at = start + length;
  }
  if (texts.length < firstByte + 256)
    throw wrongValue('tokenizer', `must have at least ${firstByte + 256} tokens`, texts.length);
  const kindOf = texts.map((_, token) => {
    if (token >= firstByte + 256) return kinds.normal;
    if (token >= firstByte) return kinds.byte;
    return token === beginOfText || token === endOfText ? kinds.control : kinds.unknown;
  });
  for (let byte = 0; byte < 256; ++byte) texts[firstByte + byte] = byteText(byte);
  return { texts, scores, kinds: kindOf };
}

/**
 * Reads a tokenizer of llama2.c, such as tok512.bin.
 * @param file its bytes
 * @throws TypeError when it is no Uint8Array; RangeError on a file that is not one
 * @see Kudo and Richardson 2018 (SentencePiece); llama2.c, tokenizer.py: export
 */
export function readLlama2cTokenizer(file: Uint8Array | ArrayBuffer): Tokenizer {
  return pieceTokenizer(piecesOf(bytesGiven(file)), {
    first: [beginOfText],
    last: [],
    // The models of llama2.c write the token that begins the next text.
    endTokens: [beginOfText, endOfText],
    hasSpacePrefix: true,
    // Its texts are plain: a special token has no text.
    whole: [],
    normalized: (text) => text,
  });
}
