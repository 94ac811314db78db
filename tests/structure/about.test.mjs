/** What the page says about itself: the version of the package, and a citation in both languages. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '..', '..');
const { module } = await runnerImport(join(root, 'web/assembly/about.ts'), {
  root: join(root, 'web'),
  configFile: false,
});
const { withAbout } = module;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const language of /** @type {const} */ (['en', 'zh']))
  test(`${language}: the last chapter has the version and how to cite it`, async () => {
    const chapter = readFileSync(join(root, `web/chapters/choosing/${language}.md`), 'utf8');
    assert.equal(chapter.split('<!-- about -->').length, 2);
    const text = await withAbout(chapter, language);
    assert.ok(text.includes(`<dd>${version}`), 'the version of package.json');
    assert.ok(text.includes(`note = {Version ${version}}`));
    assert.match(text, /@misc\{ropewalk\d{4},/);
  });
