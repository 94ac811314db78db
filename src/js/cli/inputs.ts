/** Reads the inputs of `npx ropewalk`: arrays, lists of numbers, configs. */
import { UsageError, type Call } from './rules.js';
import type { FileTensor } from '../formats/file_tensor.js';
import { readNpy } from '../formats/npy.js';
import { readSafetensors } from '../formats/safetensors.js';
import type { ParameterError } from '../runtime/errors.js';
import { nearest } from '../runtime/hints.js';
import { positionFromConfig, type ConfigPosition } from '../config/position.js';
import type { ConfigChoices } from '../config/rotary.js';

/** The files of a call by path, each of which is read once. */
const readFiles = new WeakMap<Call, Map<string, ArrayFile>>();

interface ArrayFile {
  tensors: Map<string, FileTensor>;
  metadata: Map<string, string>;
}

function fileOf(path: string, call: Call): ArrayFile {
  const files = readFiles.get(call) ?? new Map<string, ArrayFile>();
  readFiles.set(call, files);
  const file = files.get(path) ?? parsedFile(path, call);
  files.set(path, file);
  return file;
}

function parsedFile(path: string, call: Call): ArrayFile {
  const readers = {
    npy: (bytes: Uint8Array) => ({
      tensors: new Map([['', readNpy(bytes)]]),
      metadata: new Map<string, string>(),
    }),
    safetensors: readSafetensors,
  };
  const ending = /\.(npy|safetensors)$/.exec(path)?.[1] as keyof typeof readers | undefined;
  if (!ending)
    throw new UsageError(`a file of arrays must end in .npy or .safetensors, got ${path}`);
  const bytes = call.read(path);
  try {
    return readers[ending](bytes);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

/** The array of a .npy file, or what `file.safetensors#name` names. */
export function arrayAt(place: string, call: Call, preferred?: string): FileTensor {
  const [, path, name = preferred] = /^(.*?\.safetensors)(?:#(.+))?$/.exec(place) ?? [place, place];
  const { tensors } = fileOf(path!, call);
  const found =
    tensors.size === 1 && !place.includes('#') ? [...tensors.values()][0] : tensors.get(name ?? '');
  if (found) return found;
  const wanted = name ? `a tensor ${name}` : 'one tensor, or be followed by #NAME';
  const held = [...tensors.keys()];
  const close = name && nearest(name, held);
  throw new UsageError(
    `${path} must hold ${wanted}, got ${held.join(', ') || 'nothing'}${close ? ` (did you mean ${close}?)` : ''}`,
  );
}

/** Every array of some files by its name: that of the tensor, or of the .npy file. */
export function arraysIn(paths: readonly string[], call: Call): Map<string, FileTensor> {
  const arrays = new Map<string, FileTensor>();
  for (const path of paths) {
    const own = path.replace(/^.*[\\/]/, '').replace(/\.npy$/, '');
    for (const [name, tensor] of fileOf(path, call).tensors) arrays.set(name || own, tensor);
  }
  return arrays;
}

/** The texts that the files of a call have beside their arrays; of two with one name the first. */
export function metadataIn(paths: readonly string[], call: Call): Map<string, string> {
  const entries = paths.flatMap((path) => [...fileOf(path, call).metadata]);
  return new Map(entries.reverse());
}

/** Numbers with commas, or the array of a file. */
export function numbersOf(name: string, text: string, call: Call): number[] {
  if (/\.(npy|safetensors(#.+)?)$/.test(text)) return Array.from(arrayAt(text, call).data, Number);
  return text.split(',').map((part) => {
    const number = part.trim() === '' ? NaN : Number(part);
    if (Number.isFinite(number)) return number;
    throw new UsageError(
      `${name} must be numbers with commas, or a file of them, got ${text}`,
      name,
    );
  });
}

/** The position scheme of a config.json, and what was read, assumed and doubted. */
export function positionOf(path: string, { rw, read, given }: Call): ConfigPosition {
  const text = new TextDecoder().decode(read(path));
  const { length, layerType } = given as ConfigChoices;
  try {
    return positionFromConfig(rw, text, { length, layerType });
  } catch (error) {
    const { message, parameter = '' } = error as Partial<ParameterError> & Error;
    throw /^config\b/.test(parameter) ? new Error(`${path}: ${message}`) : error;
  }
}

/** The same of a model that rotates its queries and keys. */
export function rotaryOf(path: string, call: Call) {
  const { scheme, account } = positionOf(path, call);
  if (scheme.type === 'rotary') return { scheme, account };
  throw new Error(`${path}: config must describe a rotary model, got scheme '${scheme.type}'`);
}
