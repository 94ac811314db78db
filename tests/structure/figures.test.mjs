/** Beside its code each figure has what `npm run screenshots` makes: stills and reserved heights. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const web = join(import.meta.dirname, '..', '..', 'web');
const registry = readFileSync(join(web, 'figures/registry.ts'), 'utf8');
const names = [...registry.matchAll(/^ {4}'?([\w-]+)'?: \(\) => import/gm)].map(([, name]) => name);
const languages = ['en', 'zh'];
const pairs = names.flatMap((name) => languages.map((language) => `${name}_${language}`)).sort();

test('the stills are those of the figures in the registry', () => {
  assert.ok(names.length > 30, `${names.length} figures`);
  const stills = readdirSync(join(web, 'public/stills')).sort();
  assert.deepEqual(
    stills,
    pairs.map((pair) => `${pair}.webp`),
    'npm run screenshots -- --public draws them',
  );
});

test('the reserved heights are those of the figures in the registry', () => {
  const { heights } = JSON.parse(readFileSync(join(web, 'style/heights.json'), 'utf8'));
  assert.deepEqual(Object.keys(heights).sort(), [...names].sort());
  for (const of of Object.values(heights)) assert.deepEqual(Object.keys(of), languages);
});
