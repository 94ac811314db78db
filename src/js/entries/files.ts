/**
 * Reads and writes the array files of NumPy and PyTorch, as bytes, and sources that read parts of
 * large files. The caller opens and stores the files.
 */
export { blobSource, handleSource } from '../formats/byte_source.js';
export type { ByteSource, ReadableHandle } from '../formats/byte_source.js';
export { toFloats } from '../formats/file_tensor.js';
export type { FileData, FileFormat, FileTensor, WritableTensor } from '../formats/file_tensor.js';
export { readNpy, writeNpy } from '../formats/npy.js';
export { readSafetensors, writeSafetensors } from '../formats/safetensors.js';
export type { SafetensorsFile } from '../formats/safetensors.js';
