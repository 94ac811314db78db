/** Files of a model that the reader drops or chooses. */

/** What a folder of a model has besides pictures and texts about it. */
const isPart = ({ name }: File) => /\.(json|safetensors|gguf|bin|jinja)$/i.test(name);

/** By name; of a folder only those at its top. */
export const filesOf = (files: Iterable<File>): Record<string, File> =>
  Object.fromEntries(
    Array.from(files)
      .filter(isPart)
      .filter(({ webkitRelativePath }) => webkitRelativePath.split('/').length <= 2)
      .map((file) => [file.name, file]),
  );

/** The dropped files, and those at the top of a dropped folder. */
export async function filesIn({ items }: DataTransfer): Promise<Record<string, File>> {
  // The list is empty after this task.
  const dropped = Array.from(items, (item) => ({
    entry: item.webkitGetAsEntry?.(),
    file: item.getAsFile(),
  }));
  const lists = dropped.map(async ({ entry, file }) =>
    entry?.isDirectory ? inFolder(entry as FileSystemDirectoryEntry) : file ? [file] : [],
  );
  return filesOf((await Promise.all(lists)).flat());
}

async function inFolder(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // Browsers give at most a hundred at once.
    const some = await new Promise<FileSystemEntry[]>((done, failed) =>
      reader.readEntries(done, failed),
    );
    if (some.length === 0) break;
    all.push(...some);
  }
  const files = all
    .filter(({ isFile }) => isFile)
    .map(
      (entry) =>
        new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)),
    );
  return Promise.all(files);
}
