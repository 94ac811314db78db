/** The verdict on a model file, by what kind of file it is. */
import type { ByteSource } from '../formats/byte_source.js';
import { readSafetensorsHeader } from '../formats/safetensors_header.js';
import type { Functions } from '../ropewalk.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { ggufVerdict } from './gguf_verdict.js';
import { onnxVerdict } from './onnx_verdict.js';
import { safetensorsVerdict } from './safetensors_verdict.js';
import type { ModelFileOptions, ModelFileVerdict } from './verdict.js';

const schema = {
  files: option.given('files'),
  config: option.given('config'),
  reference: option.given('reference'),
} satisfies Schema<ModelFileOptions>;

/** A source that counts what is read. */
function counted(source: ByteSource, count: (bytes: number) => void): ByteSource {
  const { name, size } = source;
  return {
    name,
    size,
    read(start, length) {
      count(length);
      return source.read(start, length);
    },
  };
}

function sourcesOf(name: string, value: unknown): ByteSource[] {
  const isSource = (each: Partial<ByteSource> | null) =>
    typeof each?.name === 'string' &&
    typeof each.size === 'number' &&
    typeof each.read === 'function';
  if (Array.isArray(value) && value.every(isSource)) return value as ByteSource[];
  throw wrongKind(name, 'must be an array of sources', value);
}

const endsWith = (ending: string) => (source: ByteSource) =>
  source.name.toLowerCase().endsWith(ending);

/** Tensors of the reference, by the headers of its files. */
async function tensorsOf(sources: readonly ByteSource[]) {
  const files = sources.filter(endsWith('.safetensors'));
  if (files.length === 0) {
    const names = sources.map(({ name }) => name).join(', ');
    throw wrongValue('reference', 'must have a .safetensors file', names, names || 'nothing');
  }
  const headers = await Promise.all(files.map((file) => readSafetensorsHeader(file)));
  return headers.flatMap((header) => [...header.values()]);
}

async function verdictOf(
  rw: Functions,
  files: readonly ByteSource[],
  { config, reference }: ModelFileOptions,
): Promise<Omit<ModelFileVerdict, 'bytesRead'>> {
  const gguf = files.find(endsWith('.gguf'));
  if (gguf) {
    return ggufVerdict(rw, gguf, config, reference && (await tensorsOf(reference)));
  }
  const onnx = files.find(endsWith('.onnx'));
  if (onnx) {
    return onnxVerdict(rw, onnx, files, config);
  }
  if (files.some(endsWith('.safetensors'))) {
    return safetensorsVerdict(rw, files, config);
  }
  const names = files.map(({ name }) => name).join(', ');
  const rule = 'must have a .gguf, .onnx or .safetensors file';
  throw wrongValue('files', rule, names, names || 'nothing');
}

/**
 * Compares the positions of a model file with its configuration: what the conversion kept, lost or
 * changed, and how to correct it. Only headers and small slices of the files are read.
 * @param rw an instance, which computes every frequency
 * @returns the verdict, with the settings one by one
 * @throws TypeError, RangeError for damaged files, naming the file, the rule and the value
 * @see llama.cpp, llama_model_rope_type and the files of src/models; GGUF, the text of the format
 */
export async function diagnoseModelFile(
  rw: Functions,
  settings: ModelFileOptions,
): Promise<ModelFileVerdict> {
  const given = read('diagnoseModelFile options', settings, schema);
  let bytesRead = 0;
  const count = (bytes: number) => void (bytesRead += bytes);
  const sources = (name: string, value: unknown) =>
    sourcesOf(name, value).map((source) => counted(source, count));
  const files = sources('files', given.files);
  const reference =
    given.reference === undefined ? undefined : sources('reference', given.reference);
  const verdict = await verdictOf(rw, files, { files, config: given.config, reference });
  return { ...verdict, bytesRead };
}
