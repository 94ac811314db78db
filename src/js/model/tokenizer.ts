/** What a tokenizer does, and text that is decoded while it is written. */

/** One part of a chat. */
export interface ChatMessage {
  /** Who says it, such as 'system', 'user' or 'assistant'. */
  role: string;
  /** What is said. */
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
   * @throws RangeError on a number that is no token, of a tokenizer of SentencePiece
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
