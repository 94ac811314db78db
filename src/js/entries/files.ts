/**
 * Arrays from and for NumPy and PyTorch: bytes in, bytes out. Where they lie is the caller's
 * concern.
 */
export { toFloats } from '../formats/file_tensor.js';
export type { FileData, FileFormat, FileTensor, WritableTensor } from '../formats/file_tensor.js';
export { readNpy, writeNpy } from '../formats/npy.js';
export { readSafetensors, writeSafetensors } from '../formats/safetensors.js';
export type { SafetensorsFile } from '../formats/safetensors.js';
