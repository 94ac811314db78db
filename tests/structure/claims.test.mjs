/** Each claim of the page, C01 and on, has a figure that shows it and a browser test that names it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');

/** The texts of the files in a folder whose names have this ending. */
const textsIn = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(join(root, folder, name), 'utf8')]);

const ids = (text) => text.match(/\bC\d\d\b/g) ?? [];

/** Each figure as [file, its claims]. */
const figures = textsIn('web/chapters', '.ts')
  .filter(([, text]) => /(define|chart)Figure[<(]/.test(text))
  .map(([name, text]) => [name, ids(/claims: \[(.*?)\]/s.exec(text)?.[1] ?? '')]);

/** What a test shows stands at the beginning of its title: 'C19 C20 a million positions on: …'. */
const tested = new Set(
  textsIn('tests/browser', '.test.mjs').flatMap(([, text]) =>
    Array.from(
      text.matchAll(/\b(?:test|sweep|claim|sweptClaim|describe)\(\s*['"`]((?:[CE]\d+ )+)/g),
      ([, title]) => ids(title),
    ).flat(),
  ),
);
const shown = new Set(figures.flatMap(([, claims]) => claims));

test('the title of a browser test has each claim of a figure', () => {
  assert.ok(figures.length >= 28, `${figures.length} figures`);
  for (const [name, claims] of figures) {
    assert.deepEqual(
      claims.filter((id) => !tested.has(id)),
      [],
      name,
    );
  }
});

test('every claim has a figure, without a gap in the numbers', () => {
  const numbers = Array.from(shown, (id) => Number(id.slice(1))).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: Math.max(32, ...numbers) }, (_, i) => i + 1),
  );
  assert.deepEqual(
    [...tested].filter((id) => !shown.has(id)),
    [],
  );
});
