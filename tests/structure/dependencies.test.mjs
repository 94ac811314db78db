/** package.json lists what the project uses, and nothing else. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const { devDependencies, dependencies = {} } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Every text that may import or start something. */
function texts() {
  return ['src', 'web', 'tests', 'tools'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mjs|js|json|css|html)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .filter((file) => !/node_modules|package-lock|dependencies\.test/.test(file))
      .map((file) => readFileSync(file, 'utf8')),
  );
}

/** The packages of the list that no text names; types count where their package or its globals do. */
export function unused(names, all) {
  const isNamed = (name) =>
    all.some(
      (text) =>
        text.includes(`'${name}'`) ||
        text.includes(`'${name}/`) ||
        text.includes(`${name}/`) ||
        text.includes(`"${name.replace('@types/', '')}"`),
    );
  return names.filter((name) => {
    const types = /^@types\/(.*)$/.exec(name)?.[1];
    return !isNamed(name) && !(types && (types === 'node' || isNamed(types)));
  });
}

test('every dependency is used', () => {
  assert.deepEqual(unused(Object.keys({ ...dependencies, ...devDependencies }), texts()), []);
});

test('a dependency that no file imports is found, and so are its types', () => {
  const all = ["import { line } from 'd3-shape';", "run('vite/bin/vite.js')"];
  assert.deepEqual(
    unused(
      ['d3-shape', '@types/d3-shape', 'd3-axis', '@types/d3-axis', 'vite', '@types/node'],
      all,
    ),
    ['d3-axis', '@types/d3-axis'],
  );
});
