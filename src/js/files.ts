/**
 * Arrays from and for NumPy and PyTorch: bytes in, bytes out. Where they lie is the caller's
 * concern.
 */
export { toFloats } from './file_tensor.js';
export type { FileData, FileFormat, FileTensor, WritableTensor } from './file_tensor.js';
export { readNpy, writeNpy } from './npy.js';
export { readSafetensors, writeSafetensors } from './safetensors.js';
export type { SafetensorsFile } from './safetensors.js';
