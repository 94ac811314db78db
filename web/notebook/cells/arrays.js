import { readNpy, readSafetensors } from 'ropewalk/files';

// The arrays of a file by their names, each { data, shape, format }:
// row by row, values in the data type of the file.
/** @type {import('../protocol.ts').ReadArrays} */
export function arraysOf(file, bytes) {
  if (file.endsWith('.safetensors')) return readSafetensors(bytes).tensors;
  return new Map([[file.replace(/\.npy$/, ''), readNpy(bytes)]]);
}
