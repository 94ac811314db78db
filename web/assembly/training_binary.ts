/**
 * The package has both binaries for training in its scripts, because bundlers may allow a worker
 * one file only. The site has files of them, and a browser loads the one that it runs.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

type Binaries = Record<'relaxed' | 'simd128', string>;

/** From the module that is replaced, src/js/runtime/train_inline.ts, on. */
const fetching = './fetched.js';

export const oneTrainingBinary: Plugin = {
  name: 'ropewalk-one-training-binary',
  apply: 'build',
  enforce: 'pre',
  async load(id) {
    if (!/[\\/]runtime[\\/]train_inline\.js$/.test(id)) return undefined;
    const file = path.join(path.dirname(id), 'train_binaries.js');
    const binaries = (await import(pathToFileURL(file).href)) as Binaries;
    const addresses = Object.entries(binaries).map(([kind, hex]) => {
      const name = `ropewalk_train_${kind}.wasm`;
      const source = Buffer.from(hex, 'hex');
      const reference = this.emitFile({ type: 'asset', name, source });
      return `  ${kind}: import.meta.ROLLUP_FILE_URL_${reference},\n`;
    });
    return `import { fetched } from ${JSON.stringify(fetching)};
const addresses = {
${addresses.join('')}};
export const inlineForTraining = (simd) => fetched(new URL(addresses[simd]));
`;
  },
};
