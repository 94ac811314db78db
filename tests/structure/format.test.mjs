/** The package and the page are laid out by one formatter: `npx prettier --write FILE` does it. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from 'prettier';

const root = join(import.meta.dirname, '..', '..');
const { prettier: options } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const isAsFormatted = (text) => check(text, { ...options, filepath: 'any.ts' });

for (const folder of ['src/js', 'web']) {
  test(`every TypeScript file of ${folder} is as the formatter leaves it`, async () => {
    const files = readdirSync(join(root, folder), { recursive: true }).filter((file) => file.endsWith('.ts'));
    assert.ok(files.length > 50);
    const others = [];
    for (const file of files)
      if (!(await isAsFormatted(readFileSync(join(root, folder, file), 'utf8')))) others.push(`${folder}/${file}`);
    assert.deepEqual(others, []);
  });
}

test('another layout is found', async () => {
  assert.ok(await isAsFormatted("const a = ['b'];\n"));
  assert.ok(!(await isAsFormatted("const a =   ['b'];\n")));
});
