/** The guide on hosts: what it has to paste and to set is what figures have. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { snippets, tableRows } from '../support/guides.mjs';

const web = join(import.meta.dirname, '..', '..', 'web');

/** The folders whose styles reach into figures. */
const styled = ['figures', 'plots', 'maps', 'components', 'chapters', 'ropes'];

const textOf = (folder) =>
  readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(web, folder, name), 'utf8'))
    .join('\n');

test('the custom properties of the guide are those that figures use, each once', () => {
  const sources = styled.map(textOf).join('\n');
  const palette = readFileSync(join(web, 'palette.css'), 'utf8');
  const declared = [...new Set(palette.match(/--\w+(?=:)/g))];
  const used = declared.filter((name) => sources.includes(`var(${name}`));
  assert.ok(sources.includes('var(--ropewalk-rem,'));
  for (const language of ['en', 'zh']) {
    const documented = tableRows('hosts', language)
      .map(([name]) => /^`(--[\w-]+)`$/.exec(name)?.[1])
      .filter(Boolean);
    assert.deepEqual(documented.toSorted(), ['--ropewalk-rem', ...used].toSorted(), language);
  }
});

test('the post for Hugo has the snippet of the guide on blogs, as it is', () => {
  const [{ code }] = snippets.filter(({ guide }) => guide === 'blog');
  const [post] = snippets.filter(({ guide, syntax }) => guide === 'hosts' && syntax === 'md');
  assert.equal(post.code, `{{< raw >}}\n${code}{{< /raw >}}\n`);
});
