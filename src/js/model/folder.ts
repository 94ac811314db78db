/** Which files of a folder are a model and its tokenizer. */
import type { ModelFiles } from './create_model.js';
import { splitNames } from './gguf_files.js';
import { hasGgufTokenizer } from './gguf_tokenizer.js';
import type { TokenizerFiles } from './hub_tokenizer.js';
import { sourceOf, type WeightFile } from './weights.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** A folder of Hugging Face, of llama2.c, or of a .gguf file. */
export interface ModelFolder {
  /** What createModel() takes. */
  model: Pick<ModelFiles, 'config' | 'weights'>;
  /** What createTokenizer() takes. Absent: the folder has none. */
  tokenizer?: TokenizerFiles;
}

type Files = Readonly<Record<string, WeightFile>>;

const indexName = 'model.safetensors.index.json';
const isTokenizer = (name: string) => /^tok.*\.bin$/.test(name);
/** A file of llama2.c, and not PyTorch's own format. */
const isLlama2c = (name: string) => name.endsWith('.bin') && !/^(tok|pytorch_model)/.test(name);

async function bytesIn(files: Files, name: string): Promise<Uint8Array> {
  const source = sourceOf(name, files[name]!);
  return source.read(0, source.size);
}

const textIn = async (files: Files, name: string) =>
  new TextDecoder().decode(await bytesIn(files, name));

const missing = (name: string, rule: string) => wrongValue(name, rule, undefined, '');

/** The shards of an index, each of which must be there. */
async function shardsIn(files: Files): Promise<string[]> {
  let index: { weight_map?: unknown } | null;
  try {
    index = JSON.parse(await textIn(files, indexName)) as { weight_map?: unknown };
  } catch (error) {
    throw missing(indexName, `must be JSON: ${(error as Error).message}`);
  }
  const map = index?.weight_map;
  if (typeof map !== 'object' || map === null)
    throw wrongKind(`${indexName}: weight_map`, 'must be an object', map);
  const names = [...new Set(Object.values(map as Record<string, unknown>))];
  for (const name of names)
    if (typeof name !== 'string' || !Object.hasOwn(files, name))
      throw missing(String(name), `is missing; ${indexName} lists it`);
  return names as string[];
}

/** Whether .gguf files are those of one model that was split. All of them must be there. */
function isSplit(names: readonly string[]): boolean {
  const [first = ''] = names;
  const all = splitNames(first);
  if (!all || names.some((name) => !all.includes(name))) return false;
  for (const name of all)
    if (!names.includes(name))
      throw missing(name, `is missing; ${first} is one of ${all.length} files`);
  return true;
}

/** A part of a model for pictures or sound, as llama.cpp names it, lies beside that for text. */
const isForText = (name: string) => !/mmproj/i.test(name);

async function weightsIn(files: Files): Promise<string[]> {
  if (Object.hasOwn(files, indexName)) return shardsIn(files);
  const names = Object.keys(files).sort();
  const kinds = [
    names.filter((name) => name === 'model.safetensors'),
    names.filter((name) => name.endsWith('.safetensors')),
    names.filter((name) => name.endsWith('.gguf') && isForText(name)),
    names.filter(isLlama2c),
  ];
  const found = kinds.find((kind) => kind.length > 0);
  const got = names.join(', ') || 'nothing';
  if (!found)
    throw wrongValue('files', 'must have weights: .safetensors, .gguf or .bin', names, got);
  if (found.length > 1 && !found[0]!.endsWith('.safetensors') && !isSplit(found))
    throw wrongValue('files', 'must have one file of weights', found, found.join(', '));
  return found;
}

/**
 * Finds a model and its tokenizer among the files of a folder, of which only small ones are read.
 * @param files the files by their names: of a Hugging Face folder its config.json and .safetensors,
 *   with an index where there are shards; or one .gguf file, or all that it was split into, which
 *   has its tokenizer unless a tokenizer.json or a llama2.c tokenizer is beside it; or one .bin of
 *   llama2.c with its tokenizer, a .bin file whose name begins with tok
 * @returns what createModel() and createTokenizer() take
 * @throws TypeError, RangeError naming the file that is missing or invalid
 * @see Hugging Face, transformers (from_pretrained); Karpathy 2023 (llama2.c)
 */
export async function readModelFolder(files: Files): Promise<ModelFolder> {
  if (typeof files !== 'object' || files === null)
    throw wrongKind('files', 'must be an object with a file for each name', files);
  const names = await weightsIn(files);
  const weights = names.map((name) => sourceOf(name, files[name]!));
  const ofName = async (name: string) =>
    Object.hasOwn(files, name) ? textIn(files, name) : undefined;
  const [first] = names as [string];
  const config = await ofName('config.json');
  const isFolder = first.endsWith('.safetensors');
  if (isFolder && config === undefined)
    throw missing('config.json', 'is missing; it says what the .safetensors files are');
  const model = { ...(isFolder && { config: config! }), weights };
  const own = isFolder ? undefined : Object.keys(files).find(isTokenizer);
  if (own !== undefined) return { model, tokenizer: { tokenizer: await bytesIn(files, own) } };
  const tokenizer = await ofName('tokenizer.json');
  if (tokenizer === undefined) {
    const [file] = weights as [(typeof weights)[number]];
    const isOwn = first.endsWith('.gguf') && (await hasGgufTokenizer(file));
    return isOwn ? { model, tokenizer: { tokenizer: file } } : { model };
  }
  const others = {
    tokenizerConfig: await ofName('tokenizer_config.json'),
    generationConfig: await ofName('generation_config.json'),
    config,
    chatTemplate: await ofName('chat_template.jinja'),
  };
  return { model, tokenizer: { tokenizer, ...others } };
}
