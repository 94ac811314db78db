/**
 * What a bundler makes of the entries: a separate worker for each pool, and for no other entry; and
 * every custom element of the figures.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'vite';
import { installed, project } from './installed.mjs';

/** The files that Vite makes of a module in a user's project, by name, and what it warns of. */
async function bundled(source) {
  const root = mkdtempSync(join(project, 'bundled-'));
  const warnings = [];
  // On a busy machine Vite warns about slow plugins, which says nothing about the package.
  const warn = (text) => text.includes('PLUGIN_TIMINGS') || warnings.push(text);
  const logger = {
    info() {},
    warn,
    warnOnce: warn,
    error: warn,
    clearScreen() {},
    hasErrorLogged: () => false,
    hasWarned: false,
  };
  try {
    writeFileSync(join(root, 'main.js'), source);
    const built = await build({
      root,
      configFile: false,
      base: './',
      customLogger: logger,
      build: {
        write: false,
        chunkSizeWarningLimit: 1000,
        rolldownOptions: { input: join(root, 'main.js') },
      },
    });
    const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (built);
    return {
      files: Object.fromEntries(
        output.map((file) => [
          file.fileName,
          file.type === 'chunk' ? file.code : String(file.source),
        ]),
      ),
      warnings,
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

const workersIn = (files) => Object.keys(files).filter((name) => /worker-/.test(name));

for (const [entry, create, most] of /** @type {[string, string, number][]} */ ([
  ['ropewalk/pool', 'createPool', 150_000],
  ['ropewalk/train', 'createTrainingPool', 150_000],
  ['ropewalk/model/worker', 'createModelInWorker', 250_000],
])) {
  test(`Vite makes a worker for who imports ${create}, and hands its address over`, async () => {
    const { files, warnings } = await bundled(
      `import { ${create} } from '${entry}';\nglobalThis.pool = ${create}();\n`,
    );
    assert.deepEqual(warnings, []);
    const [worker, ...others] = workersIn(files);
    assert.deepEqual(others, []);
    assert.match(files[worker], /addEventListener\(["'`]message/);
    const { length } = files[worker];
    assert.ok(length < most, `no binary is in it: the compiled module is sent (${length})`);
    const main = Object.entries(files).find(([name]) => /main/.test(name))[1];
    assert.ok(main.includes(worker.split('/').at(-1)));
  });
}

test('and none for who does not', async () => {
  const { files, warnings } = await bundled(
    "import { createRopewalk } from 'ropewalk';\nglobalThis.rw = createRopewalk();\n",
  );
  assert.deepEqual([workersIn(files), warnings], [[], []]);
});

test('a bundle of the figures defines every custom element that is in them', async () => {
  const folder = join(installed, 'elements');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const definedIn = (texts) =>
    [...new Set(texts.flatMap((text) => [...text.matchAll(/\.define\(["'`]([\w-]+)["'`]/g)]))].map(
      ([, name]) => name,
    );
  const wanted = definedIn(scripts.map((name) => readFileSync(join(folder, name), 'utf8')));
  assert.ok(['ropewalk-figure', 'rw-pixels', 'rw-play'].every((name) => wanted.includes(name)));
  const { files } = await bundled("import 'ropewalk/elements';\n");
  assert.deepEqual(definedIn(Object.values(files)).sort(), wanted.sort());
});
