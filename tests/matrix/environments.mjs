/**
 * Every environment that the package promises: its name, the fixture, how it is tried, what it
 * proves, and the entries that have to answer there with the binary that has to run. An entry
 * without a binary shows only that it works. `quick` ones need nothing beyond what the tests have;
 * one that is a `browser` is tried when the tests drive that browser.
 */
import {
  bundled,
  checker,
  files,
  modules,
  next,
  node,
  ofCheckout,
  program,
  viteDev,
} from './ways.mjs';

const each = (binary, ...entries) => Object.fromEntries(entries.map((entry) => [entry, binary]));
const inNode = ['.', './slim', './pool', 'require', 'worker_threads'];

/** A page that names the file names the one that runs everywhere; figures do not tell theirs. */
const pages = (binary) => ({
  ...each(binary, '.', './slim', './pool', 'Web Worker'),
  './*.wasm': 'simd128',
  './elements': undefined,
});

/** Node has relaxed SIMD without a flag since 21. */
const ofThisNode = Number(process.versions.node.split('.')[0]) >= 21 ? 'relaxed' : 'simd128';

export const environments = [
  {
    name: 'node',
    fixture: 'node',
    way: node(),
    expects: each(ofThisNode, ...inNode),
    proves: 'whichever Node runs this; before 21 without relaxed SIMD',
    quick: true,
  },
  {
    name: 'node-20',
    fixture: 'node',
    way: node(20),
    expects: each('simd128', ...inNode),
    proves: 'the oldest line; no relaxed SIMD, so it falls back',
  },
  {
    name: 'node-20-relaxed',
    fixture: 'node',
    way: node(20, '--experimental-wasm-relaxed-simd'),
    expects: each('relaxed', ...inNode),
    proves: 'relaxed SIMD behind its flag is taken',
  },
  {
    name: 'node-22',
    fixture: 'node',
    way: node(22),
    expects: each('relaxed', ...inNode),
    proves: 'ES modules by require without a flag',
  },
  {
    name: 'node-24',
    fixture: 'node',
    way: node(24),
    expects: each('relaxed', ...inNode),
    proves: 'the line that most use',
  },
  {
    name: 'deno',
    fixture: 'node',
    way: program('@deno', 'deno', 'run', '--allow-read', '--allow-env', '--no-lock'),
    expects: each('relaxed', ...inNode),
    proves: 'npm packages in Deno',
  },
  {
    name: 'bun',
    fixture: 'node',
    way: program('@oven', 'bin/bun', 'run'),
    expects: each('relaxed', ...inNode),
    proves: 'npm packages in Bun',
  },
  {
    name: 'vite',
    fixture: 'vite',
    way: bundled('vite', 'bin/vite.js', ['build', '--base', './'], { from: ofCheckout }),
    expects: pages('relaxed'),
    proves: 'workers and binaries become files; ?url',
    quick: true,
  },
  {
    name: 'vite-dev',
    fixture: 'vite',
    way: viteDev(ofCheckout('vite')),
    expects: pages('relaxed'),
    proves: 'its server, without a configuration',
  },
  {
    name: 'vite-7-dev',
    fixture: 'vite',
    way: viteDev(modules('vite-7'), '--config', 'vite_7.config.js'),
    expects: pages('relaxed'),
    proves: 'an older server, which moves packages unless it is told not to',
  },
  {
    name: 'webpack',
    fixture: 'webpack',
    way: bundled('webpack-cli', 'bin/cli.js', ['--mode', 'production', '--entry', './main.js'], {
      product: 'webpack',
    }),
    expects: pages('relaxed'),
    proves: "without a configuration; new URL of a package's file",
  },
  {
    name: 'parcel',
    fixture: 'parcel',
    way: bundled(
      'parcel',
      'lib/bin.js',
      [
        'build',
        'index.html',
        '--public-url',
        './',
        '--no-cache',
        '--dist-dir',
        'dist',
        // Its import map is an inline script, which the policy refuses.
      ],
      { policy: false },
    ),
    expects: pages('relaxed'),
    proves: 'with packageExports, without shared bundles; url:',
  },
  {
    name: 'rollup',
    fixture: 'rollup',
    way: bundled('rollup', 'dist/bin/rollup', ['--config', 'rollup.config.js']),
    expects: each('relaxed', '.', './slim', './worker', 'Web Worker'),
    proves: 'binaries by a plugin, the worker as an entry',
  },
  {
    name: 'esbuild',
    fixture: 'esbuild',
    way: bundled(
      'esbuild',
      'bin/esbuild',
      [
        'main.js',
        'own_worker.js',
        'pool_worker.js',
        '--bundle',
        '--splitting',
        '--format=esm',
        '--minify',
        '--outdir=dist',
        '--loader:.wasm=file',
      ],
      { beside: 'elements' },
    ),
    expects: {
      ...each('relaxed', '.', './worker', 'Web Worker'),
      './*.wasm': 'simd128',
      './elements': undefined,
    },
    proves: 'binaries by a loader, the worker as an entry, files of figures copied',
  },
  // Webpack makes no worker that its server finds, so there the package stays outside the bundle.
  ...['turbopack', 'webpack'].map((tool) => ({
    name: `next-${tool}`,
    fixture: 'next',
    way: next(`--${tool}`),
    expects: {
      ...each(ofThisNode, 'server .', 'server ./slim', 'server ./pool'),
      ...each('relaxed', 'client .', 'client ./slim', 'client ./pool'),
    },
    proves: 'App Router: server and client components, built for production',
  })),
  ...['chromium', 'firefox', 'webkit'].map((browser) => ({
    name: browser,
    fixture: 'static',
    browser,
    way: files(browser),
    expects: pages(browser === 'webkit' ? 'simd128' : 'relaxed'),
    proves: 'static files at a sub-path under the strict policy',
    quick: browser !== 'webkit',
  })),
  {
    name: 'publint',
    fixture: 'node',
    way: checker('publint', 'src/cli.js', ['--strict']),
    expects: { tarball: undefined },
    proves: 'the manifest is as bundlers and Node read it',
  },
  {
    name: 'types',
    fixture: 'node',
    way: checker('@arethetypeswrong/cli', 'dist/index.js', [
      '--profile',
      'esm-only',
      // Bundlers type the addresses of files.
      '--exclude-entrypoints',
      'ropewalk_simd128.wasm',
      'ropewalk_relaxed.wasm',
      '--',
    ]),
    expects: { tarball: undefined },
    proves: 'every entry resolves to its types',
  },
];
