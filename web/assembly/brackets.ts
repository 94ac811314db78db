/**
 * The font of what grows in a formula: brackets, roots, sums. Browsers stretch these only by a
 * mathematical font, which few machines have. Ours holds nothing else but the measures by which
 * indices and fractions are set: ten kilobytes of STIX Two Math, cut out at build time. Chromium
 * takes those measures of the first font that has a space.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subset from 'subset-font';
import type { Plugin } from 'vite';

const growing = ' ()[]{}|‖⌊⌋⌈⌉⟨⟩√∑∏∫';

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
    /** A formula shrinks when the font arrives, and pushes the text up: it has to come early. */
    transformIndexHtml: {
      order: 'post',
      handler(document, { bundle, path: address }) {
        const name = Object.keys(bundle ?? {}).find((one) => /brackets-.*\.woff2$/.test(one));
        if (!name || !document.includes('<math')) return [];
        const href = `${address.startsWith('/zh/') ? '../' : './'}${name}`;
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href };
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }];
      },
    },
    async generateBundle() {
      const license = await source('LICENSE');
      this.emitFile({ type: 'asset', fileName: 'assets/brackets_license.txt', source: license });
    },
  };
}
