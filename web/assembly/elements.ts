/**
 * The script that other sites load: `elements.js`, which every version of the site replaces, and
 * the same under the address of its version, `v/1.2.3/elements.js`, which pages may pin by its hash
 * in `integrity.json`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const name = 'elements.js';

/** Vite's wrapper of an import, which first loads what that imports: it is a script of its own. */
const patterns = {
  list: /^const __vite__mapDeps=.*\n/,
  helper: /import\{\w+ as (\w+)\}from"\.\/assets\/[^"]+";/,
  wrapped: (helper: string) =>
    new RegExp(
      `\\b${helper}\\(\\(\\)=>(import\\([^)]*\\)(?:\\.then\\(\\w+=>\\w+\\.\\w+\\))?),` +
        '__vite__mapDeps\\(\\[[\\d,]*\\]\\),import\\.meta\\.url\\)',
      'g',
    ),
};

/** Imports without the wrapper: a page of another site waits for one script less. */
function unwrapped(code: string): string {
  const [line, helper] = patterns.helper.exec(code) ?? [];
  if (!line) throw new Error(`${name} no longer imports Vite's helper`);
  const plain = code
    .replace(patterns.list, '')
    .replace(line, '')
    .replaceAll(patterns.wrapped(helper!), '$1');
  if (/__vite__|\bassets\/load/.test(plain))
    throw new Error(`${name} still has an import in Vite's wrapper`);
  return plain;
}

/** @param manifest the package.json with the version */
export function elementsScript(manifest: string): Plugin {
  return {
    name: 'ropewalk-elements-script',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
        const entry = bundle[name];
        if (entry?.type !== 'chunk') throw new Error(`the site has no ${name}`);
        entry.code = unwrapped(entry.code);
        const pinned = `v/${version}/${name}`;
        const files = {
          [name]: entry.code,
          [pinned]: entry.code.replaceAll('./assets/', '../../assets/'),
        };
        this.emitFile({ type: 'asset', fileName: pinned, source: files[pinned]! });
        const hashes = Object.entries(files).map(([file, text]) => [
          file,
          `sha384-${createHash('sha384').update(text).digest('base64')}`,
        ]);
        const source = `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`;
        this.emitFile({ type: 'asset', fileName: 'integrity.json', source });
      },
    },
  };
}
