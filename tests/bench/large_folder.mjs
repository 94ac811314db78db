/** A folder of 1 GB: a Llama of the sizes of Qwen2.5-0.5B with random weights in float16. */
import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parametersOf, randomShards } from './random_llama.mjs';
import { byteTokenizer } from '../support/byte_tokenizer.mjs';

export const largeShape = {
  layers: 24,
  width: 896,
  heads: 14,
  keyHeads: 2,
  hidden: 4864,
  vocabulary: 151_936,
};
export const largeParameters = parametersOf(largeShape);

const shardCount = 4;
const pieceSize = 2 ** 24;

/** Writes a file unless it is there already, of the same size. */
async function write({ name, size, read }, folder) {
  const place = path.join(folder, name);
  const there = await stat(place).catch(() => undefined);
  if (there?.size === size) return;
  const handle = await open(place, 'w');
  try {
    for (let at = 0; at < size; at += pieceSize)
      await handle.write(await read(at, Math.min(pieceSize, size - at)));
  } finally {
    await handle.close();
  }
}

/**
 * Makes the folder, unless it is there.
 * @returns {Promise<string[]>} the paths of its files
 */
export async function largeFolder(folder) {
  const { config, files, index } = randomShards(largeShape, shardCount);
  const texts = {
    'config.json': config,
    'tokenizer.json': byteTokenizer(),
    'model.safetensors.index.json': index,
  };
  await mkdir(folder, { recursive: true });
  const place = (name) => path.join(folder, name);
  for (const [name, value] of Object.entries(texts))
    await writeFile(place(name), JSON.stringify(value));
  for (const file of files) await write(file, folder);
  return [...Object.keys(texts), ...files.map(({ name }) => name)].map(place);
}
