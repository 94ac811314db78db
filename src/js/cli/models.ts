/** Opens the model of a command: a folder, or a file in one. */
import { UsageError, type Call, type Given, type OptionRule } from './rules.js';
import { createTokenizer, type TokenizerFiles } from '../model/hub_tokenizer.js';
import { createModelIn } from '../model/create_model.js';
import { splitNames } from '../model/gguf_files.js';
import { readModelFolder } from '../model/folder.js';
import type { Model } from '../model/model.js';
import type { Tokenizer } from '../model/tokenizer.js';
import { functions, type Functions } from '../ropewalk.js';
import { inlineForTraining } from '../runtime/train_inline.js';
import type { ParameterError } from '../runtime/errors.js';
import { startTrainingCore } from '../training/training.js';

/** What a command works with. */
export interface OpenModel {
  rw: Functions;
  model: Model;
  tokenizer: Tokenizer;
}

export const modelOperand = 'FOLDER';

export const tokenizerRule: OptionRule = {
  kind: 'file',
  says: 'tokenizer.json, tok….bin of llama2.c or a .gguf file; default: that beside the model, or in its .gguf file',
};

type Files = Pick<Call, 'files' | 'source' | 'read'>;

/** What may lie beside a file that is a whole model, or a part of a split one. */
const isBeside = (name: string, own: string) =>
  !/\.(safetensors|gguf|bin)$/.test(name) ||
  /^tok/.test(name) ||
  (splitNames(own)?.includes(name) ?? false);

/** The files of a model, by name: those of its folder, or a file and those beside it. */
async function filesOf(place: string, { files, source }: Files) {
  const inside = files(place);
  const folder = inside ? `${place.replace(/[\\/]+$/, '')}/` : place.replace(/[^\\/]+$/, '');
  const own = place.slice(folder.length);
  const around = inside ?? files(folder || '.') ?? [];
  const names = inside ?? [
    own,
    ...around.filter((name) => !/\.(gguf|bin)$/.test(own) || isBeside(name, own)),
  ];
  const open = async (name: string) => [name, await source(`${folder}${name}`)] as const;
  const isFile = (name: string) => files(`${folder}${name}`) === undefined;
  return Object.fromEntries(await Promise.all(names.filter(isFile).map(open)));
}

/** The file that --tokenizer names. */
async function tokenizerAt(path: string, { read, source }: Files): Promise<string | object> {
  if (path.endsWith('.gguf')) return source(path);
  return path.endsWith('.bin') ? read(path) : new TextDecoder().decode(read(path));
}

/** What a folder has beside a tokenizer.json, which holds for another one too. */
const othersOf = (files: TokenizerFiles | undefined) =>
  typeof files?.tokenizer === 'string' ? files : {};

/**
 * Opens a model and its tokenizer.
 * @throws Error on a file that is missing or invalid, with the place of the model
 */
export async function openModel(
  place: string,
  given: Given,
  io: Files & { onProgress?: (share: number) => void },
): Promise<OpenModel> {
  const { tokenizer: path } = given as { tokenizer?: string };
  const { core } = await startTrainingCore(undefined, inlineForTraining);
  const rw = functions(core);
  const files = await filesOf(place, io);
  try {
    const folder = await readModelFolder(files);
    const tokenizerFiles =
      path === undefined
        ? folder.tokenizer
        : { ...othersOf(folder.tokenizer), tokenizer: await tokenizerAt(path, io) };
    if (!tokenizerFiles)
      throw new Error('tokenizer.json is missing; --tokenizer names another place');
    const tokenizer = await createTokenizer(tokenizerFiles);
    const model = await createModelIn(core, rw, { ...folder.model, onProgress: io.onProgress });
    const { vocabulary } = model.options;
    if (tokenizer.vocabulary > vocabulary)
      throw new Error(
        `the tokenizer must have at most the ${vocabulary} tokens of the model, got ${tokenizer.vocabulary}`,
      );
    return { rw, model, tokenizer };
  } catch (error) {
    if (error instanceof UsageError || error instanceof WebAssembly.RuntimeError) throw error;
    const { message } = error as ParameterError;
    throw new Error(`${place}: ${message}`, { cause: error });
  }
}
