import { writeNpy } from 'ropewalk/files';

// The whole file as bytes: np.load reads it.
/** @type {import('../protocol.ts').WriteFile} */
export function fileOf(tensor) {
  return writeNpy(tensor);
}
