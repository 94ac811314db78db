/** What the tarball holds: nothing missing, nothing too large, nothing that acts by itself. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { few } from '../support/sweep.mjs';
import { installed, manifest, packageFolder, project } from './installed.mjs';

const largestBinary = 85_000;
const largestTrainingBinary = 135_000;
const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
  statSync(join(installed, name)).isFile(),
);
/** What Vite made of the figures; everything else is one script per source file. */
const isFigures = (name) => /^elements[/\\]/.test(name);
const scripts = files.filter((name) => name.endsWith('.js') && !isFigures(name));
const figureScripts = files.filter((name) => name.endsWith('.js') && isFigures(name));

/** The entries that Node alone gets, and the command line. */
const isForNode = (name) => /^(entries[/\\]node_|cli[/\\](main\.|node_))/.test(name);

/** Runs code in a process of its own, in the user's project. */
const run = (code, ...flags) =>
  execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', code], {
    cwd: project,
    encoding: 'utf8',
  });

/** Asserts that a binary takes at most so many bytes in Brotli. */
function assertSize(t, name, bytes, most) {
  const size = brotliCompressSync(bytes).length;
  t.diagnostic(
    `${name}: ${(size / 1000).toFixed(1)} kB in Brotli, ${(bytes.length / 1000).toFixed(1)} kB`,
  );
  assert.ok(size <= most, `${name} takes ${size} bytes, at most ${most} are allowed`);
}

test('neither binary is over 85 kB in Brotli', (t) => {
  for (const name of few(['ropewalk_simd128.wasm', 'ropewalk_relaxed.wasm']))
    assertSize(t, name, readFileSync(join(installed, 'entries', name)), largestBinary);
});

test('neither binary of training is over 135 kB in Brotli', async (t) => {
  const file = pathToFileURL(join(installed, 'runtime/train_binaries.js')).href;
  for (const [kind, digits] of few(Object.entries(await import(file))))
    assertSize(t, `train, ${kind}`, Buffer.from(digits, 'hex'), largestTrainingBinary);
});

/** What a bundler makes of one import of an entry, minified, in Brotli; binaries stay files. */
async function bundled(entry) {
  const built = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      assetsInlineLimit: 0,
      modulePreload: false,
      rollupOptions: {
        input: join(installed, 'entries', `${entry}.js`),
        preserveEntrySignatures: 'strict',
        // Without the hashes of the binaries: another one changes the size by up to 80 bytes.
        output: { assetFileNames: 'assets/[name][extname]' },
      },
    },
  });
  const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
  const [chunk, ...others] = output.filter((file) => file.type === 'chunk');
  assert.equal(others.length, 0);
  return brotliCompressSync(chunk.code).length;
}

test('a bundle with both binaries inside takes at most 140 kB, and the glue 15 kB', async (t) => {
  const sizes = {
    'the default entry': [await bundled('index'), 140_000],
    'the slim entry without its binary': [await bundled('slim'), 33_000],
    'the glue': [
      brotliCompressSync(readFileSync(join(installed, 'runtime/glue.js'))).length,
      15_000,
    ],
  };
  for (const [what, [size, most]] of Object.entries(sizes)) {
    t.diagnostic(`${what}: ${(size / 1000).toFixed(1)} kB in Brotli`);
    assert.ok(size <= most, `${what} takes ${size} bytes, at most ${most} are allowed`);
  }
});

test('the manifest says what the package is, and every entry is there with its types', () => {
  assert.deepEqual([manifest.name, manifest.type, manifest.license], ['ropewalk', 'module', 'MIT']);
  const acting = [
    './dist/package/elements/*.js',
    './dist/package/entries/worker.js',
    './dist/package/entries/node_worker.js',
    './dist/package/entries/model_worker.js',
    './dist/package/entries/node_model_worker.js',
    './dist/package/cli/node_bin.js',
    './web/**',
  ];
  assert.deepEqual(
    manifest.sideEffects,
    acting,
    'what registers an element, what runs as a script, and the page, which is not packed',
  );
  for (const kind of ['dependencies', 'optionalDependencies', 'private'])
    assert.equal(manifest[kind], undefined, kind);
  const peers = ['@huggingface/jinja', '@huggingface/tokenizers', 'react'];
  assert.deepEqual(Object.keys(manifest.peerDependencies), peers);
  assert.deepEqual(
    manifest.peerDependenciesMeta,
    Object.fromEntries(peers.map((name) => [name, { optional: true }])),
    'no other package comes along',
  );
  for (const script of ['preinstall', 'install', 'postinstall'])
    assert.equal(manifest.scripts[script], undefined, script);
  assert.deepEqual(manifest.bin, { ropewalk: 'dist/package/cli/node_bin.js' });
  assert.deepEqual(Object.keys(manifest.exports), [
    '.',
    './slim',
    './elements',
    './react',
    './jsx',
    './vue',
    './config',
    './diagnose',
    './files',
    './model',
    './model/worker',
    './tokenizer',
    './pool',
    './train',
    './worker',
    './ropewalk_simd128.wasm',
    './ropewalk_relaxed.wasm',
    './vectors/*',
    './package.json',
  ]);
  const filesOf = (entry) => {
    if (typeof entry === 'string') return [entry];
    const { node, ...conditions } = entry;
    const isTypesAlone = entry === manifest.exports['./jsx'] || entry === manifest.exports['./vue'];
    const kinds = isTypesAlone ? ['types'] : ['types', 'default'];
    assert.deepEqual(Object.keys(conditions), kinds, 'types come first');
    if (node)
      assert.equal(Object.keys(entry)[0], 'node', 'and Node before what would do for it too');
    return [...Object.values(conditions), ...(node ? filesOf(node) : [])];
  };
  const entries = Object.values(manifest.exports).flatMap(filesOf);
  for (const entry of entries) {
    const place = entry.replace(/\*$/, '');
    assert.ok(existsSync(join(packageFolder, place)), `${entry} is missing`);
  }
});

test('the tarball holds each script with its map and types, the binaries, the vectors, the figures, and no more', () => {
  const root = join(import.meta.dirname, '..', '..');
  const packed = readdirSync(packageFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(packageFolder, join(parentPath, name)))
    .map((name) => name.replaceAll('\\', '/'));
  const sources = readdirSync(join(root, 'src', 'js'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, ''))
    // The site's own.
    .filter((name) => name !== 'in_parts');
  const vectors = readdirSync(join(root, 'tests', 'vectors', 'data'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join('vectors', relative(join(root, 'tests/vectors/data'), parentPath), name),
    );
  const built = [
    ...sources.flatMap((name) => [`${name}.js`, `${name}.js.map`, `${name}.d.ts`]),
    ...['', 'train_'].flatMap((prefix) =>
      ['glue.js', 'glue.d.ts', 'binaries.js', 'binaries.d.ts'].map(
        (name) => `runtime/${prefix}${name}`,
      ),
    ),
    ...['version', 'fields'].flatMap((name) => [`runtime/${name}.js`, `runtime/${name}.d.ts`]),
    'entries/ropewalk_simd128.wasm',
    'entries/ropewalk_relaxed.wasm',
    'elements.d.ts',
    ...['react.js', 'react.d.ts', 'jsx.d.ts', 'vue.d.ts'].map((name) => `wrappers/${name}`),
    ...vectors.map((name) => name.replaceAll('\\', '/')),
  ];
  const expected = [
    'package.json',
    'LICENSE',
    'README.md',
    'README.zh.md',
    'CHANGELOG.md',
    ...built.map((name) => `dist/package/${name}`),
  ];
  const isFigure = (name) => name.startsWith('dist/package/elements/');
  assert.deepEqual(packed.filter((name) => !isFigure(name)).sort(), expected.sort());
  // What `ropewalk figure` makes one file of.
  const isPart = (name) => name.startsWith('dist/package/elements/single/');
  for (const name of packed.filter(isPart))
    assert.match(name, /\/single\/(figures\.json|[\w-]+\.cjs|[a-z\d-]+_(en|zh)\.webp)$/);
  // Their names hold hashes of what is inside.
  for (const name of packed.filter((each) => isFigure(each) && !isPart(each)))
    assert.match(
      name,
      /^dist\/package\/elements\/(licenses\.md|(elements|(assets\/)?[\w-]+-[\w-]{8})\.(js|safetensors|gguf|bin|txt))$/,
    );
});

test('what is published proves where it was built', () => {
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
});

test('no script needs Node, evaluates text, or names another host', () => {
  const forbidden = [
    /\brequire\(/,
    /\b__dirname\b/,
    /\b__filename\b/,
    /\beval\(/,
    /\bnew Function\b/,
    /\bprocess\./,
    // The tokenizer's optional peers, and the figures of a component, are loaded when they are needed.
    /\bimport ?\((?!'(@huggingface\/(jinja|tokenizers)|ropewalk\/elements)'\))/,
    /\bdocument\./,
    /\blocalStorage\b/,
    /https?:\/\/(?!www\.w3\.org\/)/,
    /\bXMLHttpRequest\b/,
  ];
  const node = /\bfrom ?['"]node:/;
  for (const name of scripts) {
    const text = readFileSync(join(installed, name), 'utf8');
    for (const pattern of forbidden) assert.ok(!pattern.test(text), `${name} holds ${pattern}`);
    // Which the package's own exports give to Node only.
    assert.ok(!node.test(text) || isForNode(name), `${name} and Node`);
    assert.ok(
      !/['"][./\w]*\/(node_|cli\/main)/.test(text) || isForNode(name),
      `${name} names a file for Node`,
    );
    // The slim entry fetches the binary that a page serves, by this; nothing else can.
    const isFetching = name === join('runtime', 'fetched.js');
    assert.equal(/\bfetch\(/.test(text), isFetching, `${name} and fetch`);
  }
});

test('the figures evaluate no text, name no host, and hold the binaries once', (t) => {
  assert.ok(figureScripts.includes(join('elements', 'elements.js')));
  const forbidden = [
    /\beval\(/,
    /\bnew Function\b/,
    /https?:\/\/(?!www\.w3\.org\/)/,
    /\blocalStorage\b/,
  ];
  const textOf = (name) => readFileSync(join(installed, name), 'utf8');
  const ofPools = textOf(figureScripts.find((name) => /\brun_worker-/.test(name)));
  for (const name of figureScripts) {
    const text = textOf(name);
    for (const pattern of forbidden) assert.ok(!pattern.test(text), `${name} holds ${pattern}`);
    // Beside them may be a file of the same name that only has the address of one.
    const isWorker = /[/\\]assets[/\\]\w*worker-[^/\\]*\.js$/.test(name);
    // Pools hand their workers the compiled module.
    const holdsBinaries = isWorker && text !== ofPools;
    assert.equal(text.includes('0061736d01000000'), holdsBinaries, `${name} and the binaries`);
    // webpack copies it, and minifies it as if it were a script: only a strict one survives that.
    assert.equal(text.startsWith("'use strict';"), isWorker, `${name} and strictness`);
  }
  const size = figureScripts.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
  t.diagnostic(`elements: ${(size / 1000).toFixed(1)} kB`);
});

test('importing does nothing: no compilation, no request, no timer, no global, no output', () => {
  const output = run(`
    const acted = [];
    const watch = (object, name) => { const own = object[name]; object[name] = (...args) => (acted.push(name), own(...args)); };
    for (const name of ['compile', 'instantiate', 'validate', 'compileStreaming', 'instantiateStreaming']) watch(WebAssembly, name);
    for (const name of ['fetch', 'setTimeout', 'setInterval', 'queueMicrotask', 'atob', 'addEventListener']) if (globalThis[name]) watch(globalThis, name);
    for (const name of ['log', 'warn', 'error']) watch(console, name);
    const before = Reflect.ownKeys(globalThis).length;
    const entries = ['ropewalk', 'ropewalk/slim', 'ropewalk/pool', 'ropewalk/elements', 'ropewalk/config', 'ropewalk/diagnose', 'ropewalk/files', 'ropewalk/model', 'ropewalk/model/worker', 'ropewalk/tokenizer', 'ropewalk/train'];
    const modules = await Promise.all(entries.map((entry) => import(entry)));
    const inBrowsers = await import(new URL('pool.js', import.meta.resolve('ropewalk')));
    const globals = Reflect.ownKeys(globalThis).length - before;
    const names = [...modules, inBrowsers].map((entry) => Object.keys(entry));
    const report = { acted, globals, names };
    process.stdout.write(JSON.stringify(report));
  `);
  assert.deepEqual(JSON.parse(output), {
    acted: [],
    globals: 0,
    names: [
      ['createRopewalk'],
      ['createRopewalk'],
      ['createPool'],
      [],
      [
        'describeNote',
        'frequenciesFromConfig',
        'layerPlanFromConfig',
        'positionFromConfig',
        'runtimeSettings',
      ],
      ['diagnose', 'diagnoseModelFile', 'isCheckpoint'],
      [
        'blobSource',
        'handleSource',
        'readNpy',
        'readSafetensors',
        'toFloats',
        'writeNpy',
        'writeSafetensors',
      ],
      [
        'createModel',
        'createModels',
        'decodeStream',
        'estimateModel',
        'readLlama2cTokenizer',
        'readModelFolder',
      ],
      ['createModelInWorker'],
      ['createTokenizer'],
      ['createTrainer', 'createTraining', 'createTrainingPool', 'planEntries'],
      ['createPool'],
    ],
  });
});

test('no script awaits at its top level, so that CommonJS can require every entry', () => {
  // The command line is no entry: loading it runs it.
  const names = [...scripts, ...figureScripts].filter(
    (name) => name !== join('cli', 'node_bin.js'),
  );
  // Node refuses such a module before it runs it; what else a browser's script misses is no matter.
  const awaiting = run(`
    import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(pathToFileURL(join(project, 'x.cjs')).href)});
    const awaits = (name) => {
      try {
        require(name);
        return false;
      } catch ({ code }) {
        return code === 'ERR_REQUIRE_ASYNC_MODULE';
      }
    };
    process.stdout.write(JSON.stringify(${JSON.stringify(names.map((name) => join(installed, name)))}.filter(awaits)));
    process.exit();
  `);
  assert.deepEqual(JSON.parse(awaiting), []);
});

test('it runs where code from strings is forbidden', () => {
  const output = run(
    `
    import { createRopewalk } from 'ropewalk';
    const rw = await createRopewalk();
    const { data } = rw.sinusoidal({ positions: 2, dim: 2 });
    process.stdout.write(String(data));
  `,
    '--disallow-code-generation-from-strings',
  );
  assert.equal(output, '0,1,0.8414709568023682,0.5403022766113281');
});

test('it runs in a Worker', () => {
  const output = run(`
    import { Worker } from 'node:worker_threads';
    const code = \`
      import { parentPort } from 'node:worker_threads';
      import { createRopewalk } from '\${import.meta.resolve('ropewalk')}';
      const rw = await createRopewalk();
      parentPort.postMessage(rw.alibiSlopes({ heads: 2 }));
    \`;
    const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(code)));
    worker.on('message', (slopes) => process.stdout.write(String(slopes)));
  `);
  assert.equal(output, '0.0625,0.00390625');
});
