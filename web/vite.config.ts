import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { elementsScript } from './assembly/elements.ts';
import { figureFiles } from './assembly/figure_pages.ts';
import { framesScript } from './assembly/frames_script.ts';
import { heights } from './assembly/heights.ts';
import { jobs } from './assembly/jobs.ts';
import { letters } from './assembly/letters.ts';
import { assemble, chapterFiles, topicPages } from './assembly/plugin.ts';
import { inlineRuntime } from './assembly/runtime.ts';
import { singleParts } from './assembly/single.ts';
import { oneTrainingBinary } from './assembly/training_binary.ts';

const web = import.meta.dirname;
const root = path.dirname(web);
const built = (file: string) => path.join(root, 'dist/package', file);

/** The pages that have a file of their own. */
const documentFiles = ['', 'zh']
  .flatMap((folder) =>
    readdirSync(path.join(web, folder)).map((name) => path.join(web, folder, name)),
  )
  .filter((file) => file.endsWith('.html'));

/** The pages of the figures, which the registry lists. */
const figurePages = figureFiles(
  Array.from(
    readFileSync(path.join(web, 'figures/registry.ts'), 'utf8').matchAll(
      /^ {4}'?([\w-]+)'?: \(\) => import/gm,
    ),
    ([, name]) => name!,
  ),
);

/** Modules of web/ by their paths, without the ending. */
const inWeb = (paths: string) =>
  new RegExp(`web/(${paths})\\.ts$`.replaceAll('/', String.raw`[\\/]`));
/** What nearly every figure needs, so that it comes in one file. */
const figure = [
  'figures/(ropewalk_figure|figure|numbers|shared_controls|pair_\\w+)',
  'plots/(axis|colors|matrix_plot|number|pair_circle|pixels)',
  'components/(play|when_gone)',
  'worker/client',
].join('|');

/** The folder of the chapter that a module belongs to. */
const chapterOf = (id: string) => /web[\\/]chapters[\\/](\w+)/.exec(id)?.[1];

/** Pages and the script that brings figures to other pages: the site. */
const site = () => ({
  outDir: path.join(root, 'dist/site'),
  license: { fileName: 'assets/licenses.md' },
  emptyOutDir: true,
  rolldownOptions: {
    input: {
      ...Object.fromEntries(
        [...documentFiles, ...chapterFiles, ...figurePages, ...topicPages()].map((file) => [
          path.relative(web, file).replace(/\.html$/, ''),
          file,
        ]),
      ),
      elements: path.join(web, 'elements.ts'),
    },
    output: {
      // The one script whose address other sites write down.
      entryFileNames: ({ name }: { name: string }) =>
        name === 'elements' ? 'elements.js' : 'assets/[name]-[hash].js',
      // Few files, each with what it imports: a request takes longer than most of what it brings.
      codeSplitting: {
        groups: [
          // What every script needs, and pages without figures need no more than.
          { name: 'load', test: /vite[\\/]preload-helper/, priority: 2 },
          { name: 'page', test: inWeb('page|rail') },
          { name: 'figure', test: inWeb(figure), priority: 1 },
          {
            name: 'chart',
            test: inWeb('figures/chart_figure|plots/(line_chart|scale)'),
            priority: 1,
          },
          {
            name: 'layers',
            test: inWeb('figures/(layer_(?:presets|stack|stack_style|stack_text)|model_presets)'),
          },
          {
            name: chapterOf,
            test: inWeb('chapters/\\w+/(jobs|layouts|methods|\\w*style)'),
            minShareCount: 2,
          },
        ],
      },
    },
  },
});

/**
 * The same script for the package, `ropewalk/elements`. Bundlers copy the worker as it stands, so
 * it holds the binaries; everything else takes them from the package beside it.
 */
const elements = {
  outDir: built('elements'),
  license: { fileName: 'licenses.md' },
  emptyOutDir: true,
  copyPublicDir: false,
  rolldownOptions: {
    input: { elements: path.join(web, 'elements.ts') },
    external: [built('entries/index.js'), built('entries/train.js')],
    preserveEntrySignatures: 'strict' as const,
    output: {
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      assetFileNames: '[name]-[hash][extname]',
      paths: {
        [built('entries/index.js')]: '../entries/index.js',
        [built('entries/train.js')]: '../entries/train.js',
      },
    },
  },
};

/** Bundlers load chunks themselves, and warn of imports whose address is computed. */
const noPreload: Plugin = {
  name: 'ropewalk-no-preload',
  enforce: 'pre',
  load: (id) =>
    id.includes('vite/preload-helper')
      ? 'export const __vitePreload = (load) => load();'
      : undefined,
};

/** The license of what only workers bundle; Vite writes those of the pages' libraries. */
const licenseOfWorkers: Plugin = {
  name: 'ropewalk-license-of-workers',
  apply: 'build',
  async generateBundle() {
    const file = path.join(root, 'node_modules/@huggingface/tokenizers/LICENSE');
    const source = await readFile(file);
    this.emitFile({ type: 'asset', fileName: 'assets/license_of_tokenizers.txt', source });
  },
};

/**
 * A page paints with its style sheets and draws figures later: so the scripts come after them, and
 * leave them the network. 90 ms of the first paint on a phone (`npm run paint`).
 */
const stylesFirst: Plugin = {
  name: 'ropewalk-styles-first',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(page) {
      const sheets = page.match(/^ *<link rel="stylesheet".*\n/gm) ?? [];
      const rest = sheets.reduce((text, sheet) => text.replace(sheet, ''), page);
      return rest
        .replace(/^ *<script type="module"/m, (script) => sheets.join('') + script)
        .replaceAll('<script type="module"', '<script type="module" fetchpriority="low"');
    },
  },
};

export default defineConfig(({ mode }) => ({
  root: web,
  // Every address is relative: it works from any sub-path, any other site and a file server.
  base: './',
  publicDir: path.join(web, 'public'),
  // As a host of figures does: any page may load elements.js from `npm run dev`.
  server: { cors: { origin: '*' } },
  plugins:
    mode === 'package'
      ? [jobs('page'), noPreload, singleParts]
      : [
          jobs('page'),
          oneTrainingBinary,
          assemble(),
          letters(path.join(root, 'build/letters')),
          heights(path.join(root, 'build/heights')),
          framesScript,
          stylesFirst,
          inlineRuntime,
          elementsScript(path.join(root, 'package.json')),
          licenseOfWorkers,
        ],
  resolve: {
    // The site serves the binaries as files.
    alias:
      mode === 'package'
        ? [{ find: '#in-parts', replacement: path.join(web, 'worker/in_one.ts') }]
        : [{ find: /^ropewalk$/, replacement: 'ropewalk/slim' }],
  },
  worker: {
    format: 'es' as const,
    plugins: () => (mode === 'package' ? [jobs('worker')] : [jobs('worker'), oneTrainingBinary]),
    // Bundlers that copy the script may minify it as if it were no module: webpack renames
    // functions in blocks that way, and calls the wrong one, unless the script is strict by its own
    // word.
    rolldownOptions: {
      output: {
        postBanner: "'use strict';",
        codeSplitting:
          // Bundlers give the copy another name, under which it does not find chunks.
          mode !== 'package' && {
            groups: [{ name: 'toy', test: /web[\\/]toy[\\/]/, minShareCount: 2 }],
          },
      },
    },
  },
  build: {
    target: 'es2022',
    // Older targets have light-dark() rewritten in a way that follows our own style sheets only,
    // and a figure must follow the page on which it stands.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy blocks data: in scripts and workers, and small files cost nothing as files.
    assetsInlineLimit: 0,
    modulePreload: mode === 'package' ? false : { polyfill: false },
    ...(mode === 'package' ? elements : site()),
  },
}));
