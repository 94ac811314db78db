/** Reads the reader's files, in the worker. */
const largestFile = 2 ** 29;

/**
 * The bytes of a file.
 * @param endings which a name may have
 * @throws Error with the rule that the file breaks
 */
export async function bytesOf(file: File, endings: readonly string[]): Promise<Uint8Array> {
  if (!endings.some((ending) => file.name.endsWith(`.${ending}`)))
    throw new Error(`must end in ${endings.map((ending) => `.${ending}`).join(' or ')}`);
  if (file.size > largestFile) throw new Error('must have at most 512 MB');
  const buffer = await file
    .arrayBuffer()
    .catch(() => Promise.reject(new Error('could not be read')));
  return new Uint8Array(buffer);
}
