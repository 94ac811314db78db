/** The tokenizer that a .gguf file has in its keys. */
import { byteText, kinds, pieceTokenizer } from './piece_tokenizer.js';
import type { Tokenizer } from './tokenizer.js';
import { wordSplittings, type WordSplitting } from './word_splitting.js';
import type { ByteSource } from '../formats/byte_source.js';
import { readGgufHeader, type GgufFile } from '../formats/gguf.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

const prefix = 'tokenizer.ggml.';
const templateKey = 'tokenizer.chat_template';

/** Keys whose lists and texts a tokenizer needs whole. */
const wholeKeys = new Set(
  ['tokens', 'scores', 'token_type', 'merges'].map((key) => prefix + key).concat(templateKey),
);

/** Values of `tokenizer.ggml.model` of files without a tokenizer. */
const noTokenizer: readonly unknown[] = [undefined, 'no_vocab', 'none'];

/** Whether a .gguf file has a tokenizer. */
export async function hasGgufTokenizer(source: ByteSource): Promise<boolean> {
  return !noTokenizer.includes((await readGgufHeader(source)).keys.get(`${prefix}model`));
}

/** Keys of a file, each checked when it is taken. */
class TokenizerKeys {
  constructor(readonly file: GgufFile) {}

  /** As errors call a key. */
  name(key: string): string {
    return `${this.file.source.name}: ${prefix}${key}`;
  }

  get(key: string): unknown {
    return this.file.keys.get(prefix + key);
  }

  flag(key: string, absent: boolean): boolean {
    const value = this.get(key) ?? absent;
    if (typeof value === 'boolean') return value;
    throw wrongKind(this.name(key), 'must be true or false', value);
  }

  texts(key: string): readonly string[] {
    const list = this.get(key);
    if (Array.isArray(list) && list.every((text) => typeof text === 'string')) return list;
    throw wrongKind(this.name(key), 'must be a list of texts', list);
  }

  /** A list with a number for each token. */
  numbers(key: string, count: number, rule: string, fits: (value: number) => boolean) {
    const list = this.get(key);
    if (!Array.isArray(list))
      throw wrongKind(this.name(key), 'must be a list with a number for each token', list);
    if (list.length !== count)
      throw wrongValue(
        this.name(key),
        `must have a number for each of ${count} tokens`,
        list.length,
      );
    const wrong = list.findIndex((value) => typeof value !== 'number' || !fits(value));
    if (wrong < 0) return list as number[];
    throw wrongValue(`${this.name(key)}[${wrong}]`, rule, list[wrong]);
  }

  /** The number of a token. */
  token(key: string, count: number): number | undefined {
    const value = this.get(`${key}_token_id`);
    const isToken = Number.isInteger(value) && (value as number) >= 0 && (value as number) < count;
    if (value === undefined || isToken) return value as number | undefined;
    throw wrongValue(this.name(`${key}_token_id`), `must be below ${count}, the tokens`, value);
  }
}

/** The end of an error about a kind of tokenizer that is not read. */
const otherwise = ', unless a tokenizer.json is beside the file';

/** What tokenizers of every kind have. */
export interface GgufTokens {
  keys: TokenizerKeys;
  /** 'llama': pieces of SentencePiece. 'gpt2': byte pairs. */
  model: 'llama' | 'gpt2';
  texts: readonly string[];
  kinds: readonly number[];
  bos: number | undefined;
  eos: number | undefined;
  endTokens: readonly number[];
  chatTemplate: string | undefined;
}

/** Texts of tokens that end an answer, whatever the file calls its end. */
const ends = [
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|im_end|>',
  '<|end|>',
  '<end_of_turn>',
];

function requireDistinct(keys: TokenizerKeys, texts: readonly string[]): void {
  const found = new Map<string, number>();
  for (const [token, text] of texts.entries()) {
    const before = found.get(text);
    if (before !== undefined && text !== '') {
      const name = `${keys.name('tokens')}[${token}]`;
      throw wrongValue(name, `must not be that of token ${before}`, text);
    }
    found.set(text, token);
  }
}

function templateOf({ source, keys }: GgufFile): string | undefined {
  const value = keys.get(templateKey);
  if (value === undefined || typeof value === 'string') return value;
  throw wrongKind(`${source.name}: ${templateKey}`, 'must be text', value);
}

/**
 * Reads the tokens of a .gguf file.
 * @throws TypeError, RangeError on a key that is missing or invalid, naming it
 * @see GGUF, the text of the format (ggml, docs/gguf.md): tokenizer
 */
export async function readGgufTokens(source: ByteSource): Promise<GgufTokens> {
  const file = await readGgufHeader(source, (key) => wholeKeys.has(key));
  const keys = new TokenizerKeys(file);
  const model = keys.get('model');
  if (model !== 'llama' && model !== 'gpt2')
    throw wrongValue(keys.name('model'), `must be 'llama' or 'gpt2'${otherwise}`, model);
  const texts = keys.texts('tokens');
  const count = texts.length;
  if (count === 0) throw wrongValue(keys.name('tokens'), 'must have at least one token', 0);
  requireDistinct(keys, texts);
  const isKind = (kind: number) => (Object.values(kinds) as number[]).includes(kind);
  const kindOf = keys.numbers('token_type', count, 'must be a whole number from 1 to 6', isKind);
  const isSpecial = (text: string) => {
    const token = texts.indexOf(text);
    return token >= 0 && (kindOf[token] === kinds.control || kindOf[token] === kinds.userDefined);
  };
  // As llama.cpp, pieces have the numbers of Llama where the file has none.
  const absent = (token: number) => (model === 'llama' && token < count ? token : undefined);
  const [bos, eos, eot, eom] = (['bos', 'eos', 'eot', 'eom'] as const).map((key) =>
    keys.token(key, count),
  );
  const eosOrLlama = eos ?? absent(2);
  const named = ends.filter(isSpecial).map((text) => texts.indexOf(text));
  const endTokens = [eosOrLlama, eot, eom, ...named].filter((token) => token !== undefined);
  return {
    keys,
    model,
    texts,
    kinds: kindOf,
    bos: bos ?? absent(1),
    eos: eosOrLlama,
    endTokens: [...new Set(endTokens)],
    chatTemplate: templateOf(file),
  };
}

/** The tokens that come before and after each text. */
export function framing({ keys, bos, eos }: GgufTokens, absent: boolean) {
  const framed = (key: string, token: number | undefined, isAbsent: boolean) => {
    if (!keys.flag(`add_${key}_token`, isAbsent)) return [];
    if (token !== undefined) return [token];
    const rule = `must be a token: add_${key}_token is true`;
    throw wrongValue(keys.name(`${key}_token_id`), rule, undefined);
  };
  return { first: framed('bos', bos, absent), last: framed('eos', eos, false) };
}

/** SentencePiece's sign for a space. */
const spaceSign = '\u2581';
const withSpaces = (text: string) => text.replaceAll(spaceSign, ' ');

/** The tokens with one of these kinds. */
export const tokensOfKinds = ({ kinds: kindOf }: GgufTokens, ...wanted: readonly number[]) =>
  kindOf.flatMap((kind, token) => (wanted.includes(kind) ? [token] : []));

function requireBytes({ keys, texts, kinds: kindOf }: GgufTokens): void {
  const known = new Set(Array.from({ length: 256 }, (_, byte) => byteText(byte)));
  const wrong = texts.findIndex((text, i) => kindOf[i] === kinds.byte && !known.has(text));
  if (wrong < 0) return;
  const rule = 'must be the text of a byte, such as <0x0A>';
  throw wrongValue(`${keys.name('tokens')}[${wrong}]`, rule, texts[wrong]);
}

/**
 * The tokenizer of a file of the kind 'llama'.
 * @throws RangeError on keys that would split texts in another way
 * @see llama.cpp, llama-vocab.cpp: a special token is found in a text, and the text after it begins
 *   with a space as that of a new text does
 */
export function ggufPieceTokenizer(tokens: GgufTokens): Tokenizer {
  const { keys, texts, kinds: kindOf, endTokens } = tokens;
  const scores = keys.numbers('scores', texts.length, 'must be finite', Number.isFinite);
  requireBytes(tokens);
  for (const key of ['remove_extra_whitespaces', 'precompiled_charsmap']) {
    const value = keys.get(key) ?? false;
    if (value !== false)
      throw wrongValue(
        keys.name(key),
        'must be false or absent: texts are read as they are',
        value,
      );
  }
  const isWritten = (token: number) =>
    kindOf[token] !== kinds.control && kindOf[token] !== kinds.unknown;
  return pieceTokenizer(
    {
      texts: texts.map((text, token) => (isWritten(token) ? withSpaces(text) : text)),
      scores,
      kinds: kindOf,
    },
    {
      ...framing(tokens, true),
      endTokens,
      hasSpacePrefix: keys.flag('add_space_prefix', true),
      whole: tokensOfKinds(tokens, kinds.control, kinds.unknown, kinds.userDefined),
      unknown: keys.token('unknown', texts.length),
      normalized: withSpaces,
    },
  );
}

/**
 * A tokenizer.json of a file of the kind 'gpt2'.
 * @throws RangeError on a way to split words that is not known, or a merge of texts without tokens
 */
export function ggufTokenizerJson(tokens: GgufTokens): object {
  const { keys, texts, kinds: kindOf } = tokens;
  const splitting = splittingOf(keys);
  if (keys.flag('add_space_prefix', false))
    throw wrongValue(keys.name('add_space_prefix'), 'must be false or absent', true);
  const { first, last } = framing(tokens, splitting.addsBos);
  const special = (token: number) => ({ SpecialToken: { id: texts[token]!, type_id: 0 } });
  const sequence = { Sequence: { id: 'A', type_id: 0 } };
  const frame = [...first.map(special), sequence, ...last.map(special)];
  // Unused tokens fill up the table of the model: no text has them.
  const vocabulary = texts.flatMap((text, token) =>
    kindOf[token] === kinds.unused ? [] : [[text, token] as const],
  );
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: tokensOfKinds(tokens, kinds.control, kinds.userDefined).map((token) => ({
      id: token,
      content: texts[token]!,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: kindOf[token] === kinds.control,
    })),
    normalizer: splitting.normalizer,
    pre_tokenizer: splitting.preTokenizer,
    post_processor: { type: 'TemplateProcessing', single: frame, pair: frame, special_tokens: {} },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: splitting.ignoresMerges,
      vocab: Object.fromEntries(vocabulary),
      merges: mergesOf(keys, new Set(texts)),
    },
  };
}

function splittingOf(keys: TokenizerKeys): WordSplitting {
  const name = keys.get('pre');
  if (typeof name === 'string' && Object.hasOwn(wordSplittings, name)) return wordSplittings[name]!;
  const known = Object.keys(wordSplittings).join(', ');
  throw wrongValue(keys.name('pre'), `must be one of ${known}${otherwise}`, name);
}

/** Pairs of texts, in the order in which they are merged. */
function mergesOf(keys: TokenizerKeys, known: ReadonlySet<string>): [string, string][] {
  return keys.texts('merges').map((text, i) => {
    const at = text.indexOf(' ', 1);
    const pair: [string, string] = [text.slice(0, at), text.slice(at + 1)];
    if (at > 0 && [...pair, pair.join('')].every((part) => known.has(part))) return pair;
    const rule = 'must be two tokens with a space between them, and together a token';
    throw wrongValue(`${keys.name('merges')}[${i}]`, rule, text);
  });
}
