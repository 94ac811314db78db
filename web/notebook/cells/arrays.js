import { readNpy, readSafetensors } from 'ropewalk/files';

// The arrays of a file by their names, each { data, shape, format }:
// rows first, numbers as wide as the file has them.
/** @type {import('../protocol.ts').ReadArrays} */
export function arraysOf(file, bytes) {
  if (file.endsWith('.safetensors')) return readSafetensors(bytes).tensors;
  return new Map([[file.replace(/\.npy$/, ''), readNpy(bytes)]]);
}
