/**
 * The font of what grows in a formula: brackets, roots, sums. Browsers stretch these only by a
 * mathematical font, which few machines have. Ours holds nothing else: ten kilobytes of STIX Two
 * Math, cut out at build time.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subset from 'subset-font';
import type { Plugin } from 'vite';

const growing = '()[]{}|‖⌊⌋⌈⌉⟨⟩√∑∏∫';

const { resolve } = createRequire(import.meta.url);
const source = (file: string) => readFile(resolve(`@fontsource/stix-two-math/${file}`));

/** `file` is where the font is left; style sheets name it '@brackets.woff2'. */
export function brackets(file: string): Plugin {
  return {
    name: 'ropewalk-brackets',
    async config() {
      const whole = await source('files/stix-two-math-latin-400-normal.woff2');
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, await subset(whole, growing, { targetFormat: 'woff2' }));
      return { resolve: { alias: { '@brackets.woff2': file } } };
    },
    async generateBundle() {
      const license = await source('LICENSE');
      this.emitFile({ type: 'asset', fileName: 'assets/brackets_license.txt', source: license });
    },
  };
}
