import { writeNpy } from 'ropewalk/files';

// The whole file as bytes: np.load reads it.
export function fileOf(tensor) {
  return writeNpy(tensor);
}
