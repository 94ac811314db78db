/** The weights of a model by name, read in parts from the files that hold them. */
import { blobSource, bytesSource, type ByteSource, type Room } from '../formats/byte_source.js';
import {
  readSafetensorsHeader,
  readStoredBytes,
  readStoredRows,
  type StoredTensor,
} from '../formats/safetensors_header.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** A file as callers have it. */
export type WeightFile = ByteSource | Blob | Uint8Array;

/** How the core reads the bytes of weights, little-endian. */
export type WeightFormat = 'f32' | 'f16' | 'bf16' | 'q8_0';

/** A tensor of a file. */
export interface StoredWeights {
  readonly shape: readonly number[];
  readonly format: WeightFormat;
}

/** Tensors by name, of which rows are read; a row is along the last axis. */
export interface Weights {
  /** Absent: there is none of this name. */
  stored(name: string): StoredWeights | undefined;
  names(): string[];
  /** Bytes in the tensor's format. With a room, they may be valid until its next use. */
  rows(name: string, start: number, count: number, room?: Room): Promise<Uint8Array>;
}

export const bytesOfFloats = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** @throws TypeError when it is no file */
export function sourceOf(name: string, file: WeightFile): ByteSource {
  if (file instanceof Uint8Array) return bytesSource(name, file);
  if (typeof Blob === 'function' && file instanceof Blob)
    return blobSource(file, (file as Partial<File>).name ?? name);
  if (typeof (file as Partial<ByteSource> | null)?.read === 'function') return file as ByteSource;
  throw wrongKind(name, 'must be a Uint8Array, a Blob or a source of bytes', file);
}

const isNarrow = (format: string) => format === 'f16' || format === 'bf16';
const isFloat = (format: string) => isNarrow(format) || format === 'f32' || format === 'f64';

/**
 * The tensors of .safetensors files, of which only the headers are read now.
 * @throws RangeError for an invalid file, or a tensor that two files have
 */
export async function safetensorsWeights(sources: readonly ByteSource[]): Promise<Weights> {
  const tensors = new Map<string, StoredTensor>();
  for (const source of sources)
    for (const [name, tensor] of await readSafetensorsHeader(source)) {
      if (tensors.has(name))
        throw wrongValue(`weights: ${name}`, 'must be in one file only', source.name);
      tensors.set(name, tensor);
    }
  return {
    stored(name) {
      const tensor = tensors.get(name);
      if (!tensor) return undefined;
      const { shape, format } = tensor;
      // Whole numbers are weights of a quantization, without its scales.
      if (!isFloat(format)) throw wrongValue(`weights: ${name}`, 'must have floats', format);
      return { shape, format: isNarrow(format) ? (format as WeightFormat) : 'f32' };
    },
    names: () => [...tensors.keys()],
    async rows(name, start, count, room) {
      const tensor = tensors.get(name)!;
      if (isNarrow(tensor.format) || tensor.format === 'f32')
        return readStoredBytes(tensor, start, count, room);
      return bytesOfFloats(await readStoredRows(tensor, start, count));
    },
  };
}
