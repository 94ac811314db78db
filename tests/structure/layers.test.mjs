/**
 * The tree keeps the rules; and the rules find each breach, one of a kind, in a tree made up for
 * it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { breaches, layers, rules } from './rules.mjs';

const root = join(import.meta.dirname, '..', '..');

/** Every file that is or would be committed. */
function paths() {
  if (existsSync(join(root, '.git'))) {
    const git = (...args) =>
      execFileSync('git', ['ls-files', '-z', ...args], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      });
    const listed = `${git()}${git('--others', '--exclude-standard')}`.split('\0').filter(Boolean);
    return [...new Set(listed)].filter((path) => existsSync(join(root, path)));
  }
  const skipped = /^(node_modules|build|dist)$/;
  const walk = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) return !folder && skipped.test(entry.name) ? [] : walk(path);
      return [path];
    });
  return walk('');
}

const isText = (path) =>
  !/\.(bin|png|jpg|ico|woff2?|wasm)$/.test(path) && !path.startsWith('tests/vectors/data/');
const realTree = () =>
  Object.fromEntries(
    paths().map((path) => [path, isText(path) ? readFileSync(join(root, path), 'utf8') : '']),
  );

/** A small tree without a fault. */
const sound = {
  'CMakeLists.txt':
    'add_library(ropewalk_core STATIC src/core/kernels/dot.cpp src/core/rotary/rope.cpp src/bindings/rope.cpp)',
  'tests/core/CMakeLists.txt':
    'add_executable(tests ../../src/core/reference/all.cpp dot_test.cpp)',
  'src/core/base/view.hpp': '#include <span>\n',
  'src/core/kernels/lanes.hpp': '#include <xsimd/xsimd.hpp>\n#include <wasm_simd128.h>\n',
  'src/core/kernels/dot.hpp': '#include "base/view.hpp"\n',
  'src/core/kernels/dot.cpp': '#include "kernels/dot.hpp"\n#include "kernels/lanes.hpp"\n',
  'src/core/rotary/rope.hpp': '#include "base/view.hpp"\n',
  'src/core/rotary/rope.cpp': '#include "rotary/rope.hpp"\n#include "kernels/dot.hpp"\n',
  'src/core/input/table.hpp': '#include "kernels/dot.hpp"\n',
  'src/core/bias/slopes.hpp': '#include "base/view.hpp"\n',
  'src/core/attention/attention.hpp':
    '#include "kernels/dot.hpp"\n#include "rotary/rope.hpp"\n#include "bias/slopes.hpp"\n',
  'src/core/content/relative.hpp':
    '#include "attention/attention.hpp"\n#include "input/table.hpp"\n',
  'src/core/reference/all.hpp': '#include "base/view.hpp"\n',
  'src/core/reference/all.cpp': '#include "reference/all.hpp"\n',
  'src/bindings/rope.cpp': '#include <emscripten/bind.h>\n#include "attention/attention.hpp"\n',
  'tests/core/support/inputs.hpp': '#include "base/view.hpp"\n',
  'tests/core/dot_test.cpp':
    '#include <catch_amalgamated.hpp>\n#include "reference/all.hpp"\n#include "support/inputs.hpp"\n',
  'src/js/entries/index.ts':
    "import { start } from '../ropewalk.js';\nexport type * from '../runtime/core.js';\n",
  'src/js/ropewalk.ts':
    "import { alibi } from './bias/distance.js';\nimport { window } from './runtime/core.js';\n",
  'src/js/bias/distance.ts': "import type { Core } from '../runtime/core.js';\n",
  'src/js/runtime/core.ts':
    "import type { MainModule } from './glue.js';\nexport const window = 'document.title';\n",
  'web/main.ts': "import { figure } from './figures/figure.ts';\ndocument.title = '';\n",
  'web/languages.ts': 'export type Language = string;\n',
  'web/state.ts': "import type { figure } from './figures/figure.ts';\n",
  'web/plots/lines.ts': "import { svg } from 'lit';\nimport './axis.ts';\n",
  'web/plots/axis.ts': "import { scaleLinear } from 'd3-scale';\n",
  'web/maps/heat.ts': "import './cells.ts';\nimport '../plots/axis.ts';\n",
  'web/maps/cells.ts': "import { LitElement } from 'lit';\n",
  'web/toy/model.ts': "import type { Tensor } from 'ropewalk';\n",
  'web/components/slider.ts': "import type { Language } from '../languages.ts';\nHTMLElement;\n",
  'web/figures/figure.ts':
    "import '../components/slider.ts';\nconst all = () => import('../chapters/waves/waves.ts');\n",
  'web/chapters/waves/waves.ts':
    "import { ask } from '../../worker/client.ts';\nimport { job } from './jobs.ts';\nwindow.matchMedia('');\n",
  'web/chapters/waves/jobs.ts':
    "export function wave(rw) {}\nimport type { Ropewalk } from 'ropewalk';\nimport type { slider } from '../../components/slider.ts';\n",
  'web/chapters/opening/opening.ts': "import { job } from './jobs.ts';\n",
  'web/chapters/opening/jobs.ts': "import { model } from '../../toy/model.ts';\n",
  'web/worker/worker.ts':
    "import { createRopewalk } from 'ropewalk';\nimport { findJob } from './jobs.ts';\n// no document. here\n",
  'web/worker/jobs.ts': "import { files } from 'virtual:jobs';\n",
  'web/worker/client.ts': "import type { Ropewalk } from 'ropewalk';\n",
  'web/assembly/plugin.ts': "import path from 'node:path';\n",
};

/** For each rule: [path, what is added to that file, another rule that it breaks, where it shows]. */
const broken = {
  'arrows point left only': [
    ['src/core/base/view.hpp', '#include "kernels/dot.hpp"\n', 'no import cycle, types included'],
    ['src/bindings/rope.cpp', '#include "reference/all.hpp"\n'],
    ['src/js/runtime/core.ts', "import '../../../web/languages.ts';\n"],
    ['web/plots/axis.ts', "import type { Language } from '../languages.ts';\n"],
    [
      'web/components/slider.ts',
      "const later = import('../state.ts');\n",
      'no import cycle, types included',
    ],
  ],
  'every source belongs to a layer': [['src/js/lost.ts', '']],
  'no import cycle, types included': [
    ['src/js/runtime/core.ts', "import type { Core } from './core.js';\n"],
    ['src/core/kernels/dot.hpp', '#include "kernels/dot.hpp"\n'],
  ],
  'wasm glue: only in src/js/runtime/': [
    ['src/js/bias/distance.ts', "import type { MainModule } from '../runtime/glue.js';\n"],
  ],
  'what is included exists': [['src/core/kernels/dot.cpp', '#include "kernels/gone.hpp"\n']],
  'xsimd and lanes: only in src/core/kernels/': [
    ['src/core/rotary/rope.cpp', '#include <xsimd/xsimd.hpp>\n'],
  ],
  'emscripten: only in src/bindings/': [
    ['src/core/attention/attention.hpp', '  #include <emscripten/val.h>\n'],
  ],
  'test framework: only in tests/core/': [
    ['src/core/reference/all.cpp', '#include <catch_amalgamated.hpp>\n'],
  ],
  'printing, files, clocks, threads and foreign randomness: only in src/bindings/, tests/core/, tests/fuzz/core/':
    [['src/core/kernels/dot.cpp', '#include <iostream>\n']],
  'package by its public name: and no other': [
    [
      'web/worker/worker.ts',
      "import { start } from '../../src/js/entries/index.ts';\n",
      'arrows point left only',
    ],
  ],
  'package at run time: only in web/worker/, web/notebook/, web/check/, web/wrappers/': [
    ['web/figures/figure.ts', "import { createRopewalk } from 'ropewalk';\n"],
  ],
  'Node: only in src/js/entries/node_, src/js/cli/main.ts, src/js/cli/node_, web/assembly/, web/vite.config.ts':
    [['web/main.ts', "import 'node:fs';\n"]],
  'page libraries: only in web/': [['web/worker/worker.ts', "import { html } from 'lit';\n"]],
  'the DOM only on the page': [
    ['src/js/runtime/core.ts', 'document.title;\n'],
    [
      'web/worker/worker.ts',
      "import '../chapters/waves/waves.ts';\n",
      undefined,
      'web/chapters/waves/waves.ts',
    ],
  ],
  'a figure is laid out for its column, never for the window': [
    [
      'web/chapters/waves/style.ts',
      'export const style = css`@media (max-width: 40rem) { p { margin: 0 } }`;\n',
    ],
  ],
  'a jobs file exports jobs, each under a name of its own': [
    ['web/chapters/waves/jobs.ts', 'export function helper(pair) {}\n'],
  ],
  'a chapter reads no other chapter, types included': [
    ['web/chapters/opening/opening.ts', "import { draw } from '../waves/waves.ts';\n"],
  ],
  'the top level holds what everyone looks for there': [['NOTES.md', 'remember']],
  'what is compiled is listed by hand': [
    ['tests/core/lost_test.cpp', '#include <catch_amalgamated.hpp>\n'],
  ],
  'the reference does not ship': [['CMakeLists.txt', ' src/core/reference/all.cpp']],
  'files are short': [['src/core/kernels/dot.cpp', '\n'.repeat(600)]],
  'lines are short': [['src/js/runtime/core.ts', `// ${'word '.repeat(20)}\n`]],
  'nothing built is committed': [
    ['dist/package/index.js', '', 'the top level holds what everyone looks for there'],
  ],
  'a test waits for what happens, not for a time': [
    ['tests/browser/lost.test.mjs', 'await new Promise((done) => setTimeout(done, 50));\n'],
  ],
  'a test that is skipped says why': [
    ['tests/browser/lost.test.mjs', "const some = name === 'chromium' ? test : () => {};\n"],
  ],
  'every .mjs is type-checked': [
    ['lost.mjs', '', 'the top level holds what everyone looks for there'],
  ],
  'no type error is silenced': [['tests/lost.mjs', '// @ts-ignore\n']],
  'the settings of a figure have the types of its controls': [
    [
      'web/chapters/waves/waves.ts',
      'const limit = (settings: Record<string, unknown>) => settings.dim as number;\n',
    ],
  ],
  'options are named in an interface and its schema, in no list': [
    ['src/js/bias/distance.ts', "const slopeNames = ['convention', 'maxBias'];\n"],
  ],
  'the package computes in C++': [
    ['src/js/bias/distance.ts', 'const scale = 1 / Math.sqrt(dim);\n'],
  ],
  'no fast mathematics': [['CMakeLists.txt', 'add_compile_options(-O3 -ffast-math)']],
  'no unfinished work': [['README.md', 'TODO: write this']],
  'names that were replaced stand nowhere': [['src/js/pool/crew.ts', 'export class Crew {}']],
  'names that were replaced on the page stand nowhere': [
    ['web/chapters/waves/waves.ts', 'function pairClock() {}\n'],
  ],
  'phrases that have to be read twice stand nowhere': [
    ['README.md', 'Every way a model is told about order.'],
  ],
  'British spellings stand nowhere': [['README.md', 'Each key and its neighbours.']],
  'Chinese words that have another term on the page stand nowhere': [
    ['web/zh/arrays.html', '每头维数'],
  ],
  'a caption says what to see in at most 45 words, and leaves what to try to buttons': [
    [
      'web/chapters/waves/waves_text.ts',
      `export const text = { caption: '${'two words '.repeat(23)}' };\n`,
    ],
  ],
  'no registry or mirror': [
    ['package-lock.json', '"resolved": "https://registry.example.org/x.tgz"'],
  ],
  'no path of one machine': [['tools/setup.mjs', "const cache = '/home/someone/cache';"]],
};

test('the tree keeps every rule', () => {
  const found = breaches(realTree()).map(({ text }) => text);
  assert.equal(found.length, 0, `\n${found.join('\n')}`);
});

test('every layer has its place in the tree', () => {
  const all = paths();
  for (const { name, place } of layers)
    assert.ok(
      all.some((path) => path.startsWith(place)),
      `${name}: nothing is in ${place}`,
    );
});

test('a sound tree has no breach', () => {
  assert.deepEqual(
    breaches(sound).map(({ text }) => text),
    [],
  );
});

for (const rule of Object.keys(rules)) {
  test(`a breach is found: ${rule}`, () => {
    assert.ok(broken[rule], 'no tree breaks it');
    for (const [path, added, alsoBroken, where = path] of broken[rule]) {
      const found = breaches({ ...sound, [path]: (sound[path] ?? '') + added });
      assert.ok(
        found.some((breach) => breach.rule === rule && breach.path === where),
        `${path}: found ${JSON.stringify(found)}`,
      );
      const others = found.filter((breach) => breach.rule !== rule && breach.rule !== alsoBroken);
      assert.deepEqual(others, [], `${path} breaks nothing else`);
    }
  });
}
