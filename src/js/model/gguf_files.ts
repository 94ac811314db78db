/** A model of one .gguf file, or of the files that one was split into. */
import type { ByteSource } from '../formats/byte_source.js';
import {
  readableTypes,
  readGgufBytes,
  readGgufHeader,
  readGgufRows,
  type GgufFile,
  type GgufTensor,
} from '../formats/gguf.js';
import { wrongValue } from '../runtime/errors.js';
import { bytesOfFloats, type WeightFormat, type Weights } from './weights.js';

/** Tensors by name, each with the file that has it. */
export type GgufTensors = ReadonlyMap<string, GgufTensor & { file: GgufFile }>;

export interface GgufParts {
  /** The first file, which has the keys of all. */
  first: GgufFile;
  tensors: GgufTensors;
}

/** Names of llama-gguf-split and of the converter: model-00002-of-00003.gguf. */
const splitName = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i;

/**
 * The names of all files that a model was split into, of which one is given. Absent: it is no name
 * of such a file.
 */
export function splitNames(name: string): string[] | undefined {
  const [, start, , count] = splitName.exec(name) ?? [];
  if (count === undefined || Number(count) > 10_000) return undefined;
  const number = (i: number) => String(i + 1).padStart(5, '0');
  return Array.from(
    { length: Number(count) },
    (_, i) => `${start}-${number(i)}-of-${count}${name.slice(-'.gguf'.length)}`,
  );
}

/** Which of how many files this one is. */
function splitOf({ source, keys }: GgufFile): { index: number; count: number } {
  const numberAt = (key: string, absent: number) => {
    const value = keys.get(key) ?? absent;
    if (Number.isInteger(value) && (value as number) >= 0) return value as number;
    throw wrongValue(`${source.name}: ${key}`, 'must be a whole number', value);
  };
  // 0 files stand for one that is not split.
  return { index: numberAt('split.no', 0), count: numberAt('split.count', 1) || 1 };
}

/** The files in their order, each of which must be there. */
function inOrder(files: readonly GgufFile[]): GgufFile[] {
  const { count } = splitOf(files[0]!);
  const ordered: GgufFile[] = [];
  for (const file of files) {
    const { name } = file.source;
    const own = splitOf(file);
    if (own.count !== count)
      throw wrongValue(`${name}: split.count`, `must be ${count}, as in the first file`, own.count);
    if (own.index >= count)
      throw wrongValue(`${name}: split.no`, `must be below ${count}, the files`, own.index);
    const other = ordered[own.index];
    if (other)
      throw wrongValue(`${name}: split.no`, `must not be that of ${other.source.name}`, own.index);
    ordered[own.index] = file;
  }
  const absent = Array.from({ length: count }, (_, i) => i + 1).filter((i) => !ordered[i - 1]);
  if (absent.length === 0) return ordered;
  const rule = `must be all ${count} files that the model was split into`;
  const got = `${files.length}; the file ${absent[0]} of ${count} is missing`;
  throw wrongValue('weights', rule, files.length, got);
}

/**
 * Reads the headers of a model.
 * @param sources all its files, in any order
 * @throws RangeError on an invalid file, one that is missing, or a tensor that two files have
 * @see llama.cpp, tools/gguf-split
 */
export async function readGgufParts(sources: readonly ByteSource[]): Promise<GgufParts> {
  const read: GgufFile[] = [];
  for (const source of sources) read.push(await readGgufHeader(source));
  const files = inOrder(read);
  const tensors = new Map<string, GgufTensor & { file: GgufFile }>();
  for (const file of files)
    for (const [name, tensor] of file.tensors) {
      if (tensors.has(name))
        throw wrongValue(`weights: ${name}`, 'must be in one file only', file.source.name);
      tensors.set(name, { ...tensor, file });
    }
  const [first] = files as [GgufFile];
  const count = first.keys.get('split.tensors.count') ?? tensors.size;
  if (count !== tensors.size)
    throw wrongValue(
      `${first.source.name}: split.tensors.count`,
      `must be ${tensors.size}, the tensors of all files`,
      count,
    );
  return { first, tensors };
}

/** Kinds of files by `general.file_type`, the enumeration llama_ftype of llama.h. */
const fileTypes = new Map(
  `2 Q4_0;3 Q4_1;8 Q5_0;9 Q5_1;10 Q2_K;11 Q3_K_S;12 Q3_K_M;13 Q3_K_L;14 Q4_K_S;15 Q4_K_M;16 Q5_K_S;
17 Q5_K_M;18 Q6_K;19 IQ2_XXS;20 IQ2_XS;21 Q2_K_S;22 IQ3_XS;23 IQ3_XXS;24 IQ1_S;25 IQ4_NL;26 IQ3_S;
27 IQ3_M;28 IQ2_S;29 IQ2_M;30 IQ4_XS;31 IQ1_M;36 TQ1_0;37 TQ2_0;38 MXFP4_MOE`
    .split(/;\s*/)
    .map((line) => {
      const [number, name] = line.split(' ');
      return [Number(number), name!] as const;
    }),
);

/**
 * Refuses tensors whose type is not read.
 * @throws RangeError naming the first of them, its type, that of the file, and what can be done
 */
export function requireReadable({ first, tensors }: GgufParts): void {
  for (const [name, { type, file }] of tensors) {
    if (readableTypes.includes(type)) continue;
    const kind = fileTypes.get(Number(first.keys.get('general.file_type')));
    const got = kind === undefined || kind === type ? type : `${type}, of a ${kind} file`;
    const rule = `must be ${readableTypes.slice(0, -1).join(', ')} or ${readableTypes.at(-1)}`;
    const instead = 'take the model as F16, BF16 or Q8_0, which convert_hf_to_gguf.py writes';
    throw wrongValue(`${file.source.name}: tensor "${name}"`, rule, type, `${got}; ${instead}`);
  }
}

/** The tensors as a model reads them. */
export function ggufWeights({ tensors }: GgufParts): Weights {
  const isDirect = ({ type, file }: GgufTensor & { file: GgufFile }) =>
    file.littleEndian && readableTypes.includes(type);
  return {
    stored(name) {
      const tensor = tensors.get(name);
      if (!tensor) return undefined;
      const format = isDirect(tensor) ? (tensor.type.toLowerCase() as WeightFormat) : 'f32';
      return { shape: tensor.shape.toReversed(), format };
    },
    names: () => [...tensors.keys()],
    async rows(name, start, count, room) {
      const tensor = tensors.get(name)!;
      const { file } = tensor;
      if (isDirect(tensor)) return readGgufBytes(file, name, tensor, start, count, room);
      return bytesOfFloats(await readGgufRows(file, name, tensor, start, count));
    },
  };
}
