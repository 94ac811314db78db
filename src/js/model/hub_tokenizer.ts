/**
 * The tokenizer of a folder or of a .gguf file. A tokenizer.json is read by @huggingface/tokenizers
 * and a template of chats by @huggingface/jinja: optional peers of the package, loaded when needed.
 */
import { ggufPieceTokenizer, ggufTokenizerJson, readGgufTokens } from './gguf_tokenizer.js';
import { readLlama2cTokenizer } from './llama2c_tokenizer.js';
import type { ChatMessage, Tokenizer } from './tokenizer.js';
import { sourceOf, type WeightFile } from './weights.js';
import type { ByteSource } from '../formats/byte_source.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';

/** The files of a tokenizer, as text or as their objects. */
export interface TokenizerFiles {
  /**
   * tokenizer.json; or one of these, which need no other file: a .gguf file as bytes, a Blob or a
   * source of bytes, or the bytes of a tokenizer of llama2.c.
   */
  tokenizer: string | object;
  /** tokenizer_config.json: special tokens and the template of chats. */
  tokenizerConfig?: string | object;
  /** generation_config.json: end tokens. */
  generationConfig?: string | object;
  /** config.json: end tokens. */
  config?: string | object;
  /** chat_template.jinja, in place of the template in tokenizer_config.json. */
  chatTemplate?: string;
}

const filesSchema = {
  tokenizer: option.given('tokenizer'),
  tokenizerConfig: option.given('tokenizer config'),
  generationConfig: option.given('generation config'),
  config: option.given('config'),
  chatTemplate: option.given('chat template'),
} satisfies Schema<TokenizerFiles>;

/** What is used of the libraries, whose own types need another module resolution than ours. */
interface Reader {
  encode(
    text: string,
    options: { add_special_tokens: boolean },
  ): { ids: number[]; tokens: string[] };
  decode(tokens: number[], options: { skip_special_tokens: boolean }): string;
  token_to_id(token: string): number | undefined;
  id_to_token(token: number): string | undefined;
  /** Ids that no token has are there under undefined. */
  get_vocab(withAddedTokens: boolean): Map<string | undefined, number>;
}
interface Tokenizers {
  Tokenizer: new (tokenizer: object, config: object) => Reader;
}
interface Jinja {
  Template: new (text: string) => { render(values: object): string };
}

type Json = Readonly<Record<string, unknown>>;

function objectOf(name: string, file: string | object): Json {
  let value: unknown = file;
  try {
    if (typeof file === 'string') value = JSON.parse(file);
  } catch (error) {
    throw wrongValue(name, `must be JSON: ${(error as Error).message}`, file, '');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw wrongKind(name, 'must be a JSON object or its text', value);
}

/** Loads an optional peer. */
async function loaded<Module>(name: string, load: Promise<unknown>): Promise<Module> {
  try {
    return (await load) as Module;
  } catch (error) {
    const rule = 'is missing beside ropewalk';
    throw new Error(`${name} ${rule}; run \`npm install ${name}\``, { cause: error });
  }
}

/** A special token of tokenizer_config.json: its text, or an object that has it. */
function tokenText(token: unknown): string | undefined {
  const text = typeof token === 'object' && token !== null ? (token as Json)['content'] : token;
  return typeof text === 'string' ? text : undefined;
}

/** The ids of `eos_token_id`: one number, a list, or none. */
function idsIn(name: string, { eos_token_id: ids }: Json): number[] {
  const list = [ids ?? []].flat();
  for (const id of list)
    if (!(Number.isSafeInteger(id) && (id as number) >= 0))
      throw wrongKind(`${name}.eos_token_id`, 'must be whole numbers of at least 0', id);
  return list as number[];
}

function templateIn({ chat_template: found }: Json): string | undefined {
  const list = (Array.isArray(found) ? found : []) as Json[];
  const named = list.find(({ name }) => name === 'default')?.['template'] ?? found;
  return typeof named === 'string' ? named : undefined;
}

/** The tokenizer of a tokenizer.json, which its library reads. */
async function jsonTokenizer(
  json: Json,
  config: Json,
  endTokens: readonly number[],
): Promise<Tokenizer> {
  const library = '@huggingface/tokenizers';
  const { Tokenizer: Own } = await loaded<Tokenizers>(library, import('@huggingface/tokenizers'));
  let reader: Reader;
  let largest = -1;
  try {
    // As in transformers, spaces before marks stay unless the file says otherwise.
    reader = new Own(json, { clean_up_tokenization_spaces: false, ...config });
    for (const [token, id] of reader.get_vocab(false))
      if (token !== undefined) largest = Math.max(largest, id);
  } catch (error) {
    const { message } = error as Error;
    throw wrongValue('tokenizer', `must be one that ${library} reads: ${message}`, json, '');
  }
  const endText = tokenText(config['eos_token']);
  const endToken = endText === undefined ? undefined : reader.token_to_id(endText);
  const ends = [...endTokens, ...(endToken === undefined ? [] : [endToken])];
  return {
    vocabulary: largest + 1,
    endTokens: [...new Set(ends)],
    encode(text, { first = true } = {}) {
      if (typeof text !== 'string') throw wrongKind('text', 'must be a string', text);
      const { ids, tokens } = reader.encode(text, { add_special_tokens: first });
      const unknown = (ids as unknown[]).findIndex((id) => typeof id !== 'number');
      if (unknown < 0) return ids;
      throw wrongValue('text', 'must be of pieces that the tokenizer has', tokens[unknown]);
    },
    decode(tokens) {
      const known = Array.from(tokens).filter((token) => reader.id_to_token(token) !== undefined);
      return known.length === 0 ? '' : reader.decode(known, { skip_special_tokens: true });
    },
  };
}

/** Adds chats, where there is a template. @param specials texts of tokens, by names of templates */
function withChat(
  tokenizer: Tokenizer,
  template: string | undefined,
  specials: Readonly<Record<string, string>>,
): Tokenizer {
  if (template === undefined) return tokenizer;
  return {
    ...tokenizer,
    async encodeChat(messages: readonly ChatMessage[]) {
      const { Template } = await loaded<Jinja>('@huggingface/jinja', import('@huggingface/jinja'));
      let text: string;
      try {
        const values = { ...specials, messages, add_generation_prompt: true };
        text = new Template(template).render(values);
      } catch (error) {
        const { message } = error as Error;
        throw wrongValue('messages', `must suit the template of chats: ${message}`, messages, '');
      }
      return tokenizer.encode(text, { first: false });
    },
  };
}

async function ggufTokenizer(source: ByteSource): Promise<Tokenizer> {
  const tokens = await readGgufTokens(source);
  const { texts, model, bos, eos, endTokens, chatTemplate } = tokens;
  const tokenizer =
    model === 'llama'
      ? ggufPieceTokenizer(tokens)
      : {
          ...(await jsonTokenizer(ggufTokenizerJson(tokens) as Json, {}, endTokens)),
          vocabulary: texts.length,
        };
  return withChat(tokenizer, chatTemplate, {
    ...(bos !== undefined && { bos_token: texts[bos]! }),
    ...(eos !== undefined && { eos_token: texts[eos]! }),
  });
}

/** Whether it is a file, and no object of a tokenizer.json. */
const isFile = (value: object): value is WeightFile =>
  value instanceof Uint8Array ||
  (typeof Blob === 'function' && value instanceof Blob) ||
  typeof (value as Partial<ByteSource>).read === 'function';

const isGguf = (file: WeightFile) =>
  !(file instanceof Uint8Array) || new TextDecoder().decode(file.subarray(0, 4)) === 'GGUF';

/**
 * Makes the tokenizer of a Hugging Face folder, of a .gguf file or of llama2.c.
 * @param files the texts of its files; the end tokens of all of them are used
 * @returns the tokenizer; it encodes chats where there is a template
 * @throws TypeError, RangeError on a wrong file, naming it; Error where @huggingface/tokenizers is
 *   needed and not installed
 * @see Hugging Face, tokenizers and transformers (tokenization_utils_base.py); ggml, docs/gguf.md
 */
export async function createTokenizer(files: TokenizerFiles): Promise<Tokenizer> {
  const given = read('tokenizer files', files, filesSchema);
  const { tokenizer: file } = given;
  if (file === undefined)
    throw wrongKind(
      'tokenizer',
      'must be a tokenizer.json, a .gguf file or the tokenizer of llama2.c',
      undefined,
    );
  if (typeof file === 'object' && file !== null && isFile(file))
    return isGguf(file)
      ? ggufTokenizer(sourceOf('tokenizer', file))
      : readLlama2cTokenizer(file as Uint8Array);
  const json = objectOf('tokenizer', file);
  const [tokenizerConfig, generationConfig, config] = (
    ['tokenizerConfig', 'generationConfig', 'config'] as const
  ).map((name) => objectOf(name, given[name] ?? {})) as [Json, Json, Json];
  const tokenizer = await jsonTokenizer(json, tokenizerConfig, [
    ...idsIn('generationConfig', generationConfig),
    ...idsIn('config', config),
  ]);
  const specials = Object.fromEntries(
    Object.entries(tokenizerConfig).flatMap(([name, token]) => {
      const text = name.endsWith('_token') ? tokenText(token) : undefined;
      return text === undefined ? [] : [[name, text]];
    }),
  );
  return withChat(tokenizer, given.chatTemplate ?? templateIn(tokenizerConfig), specials);
}
