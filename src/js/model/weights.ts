/** The weights of a model by name, read in parts from the files that hold them. */
import { blobSource, type ByteSource } from '../formats/byte_source.js';
import {
  readSafetensorsHeader,
  readStoredRows,
  type StoredTensor,
} from '../formats/safetensors_header.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';

/** A file as callers have it. */
export type WeightFile = ByteSource | Blob | Uint8Array;

/** Tensors by name, of which rows are read; a row is along the last axis. */
export interface Weights {
  /** Absent: there is none of this name. */
  shapeOf(name: string): readonly number[] | undefined;
  names(): string[];
  rows(name: string, start: number, count: number): Promise<Float32Array>;
}

/** @throws TypeError when it is no file */
export function sourceOf(name: string, file: WeightFile): ByteSource {
  if (file instanceof Uint8Array) return blobSource(new Blob([file as BlobPart]), name);
  if (typeof Blob === 'function' && file instanceof Blob)
    return blobSource(file, (file as Partial<File>).name ?? name);
  if (typeof (file as Partial<ByteSource> | null)?.read === 'function') return file as ByteSource;
  throw wrongKind(name, 'must be a Uint8Array, a Blob or a source of bytes', file);
}

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
    shapeOf: (name) => tensors.get(name)?.shape,
    names: () => [...tensors.keys()],
    rows: (name, start, count) => readStoredRows(tensors.get(name)!, start, count),
  };
}
