/** Links within the built site: each leads to a page that is there, and to an anchor that it has. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { siteFolder } from './support/page.mjs';

const documents = readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.html'),
);
const text = (file) => readFileSync(join(siteFolder, file), 'utf8');
const found = (file, pattern) => Array.from(text(file).matchAll(pattern), ([, one]) => one);
const idsOf = new Map(documents.map((file) => [file, found(file, /\sid="([^"]+)"/g)]));

test('the site has its pages', () => {
  assert.ok(documents.length > 30, documents.join());
});

for (const file of documents) {
  test(`every link of ${file} leads somewhere, and no anchor stands twice`, () => {
    const ids = idsOf.get(file);
    assert.equal(new Set(ids).size, ids.length);
    for (const href of found(file, /<a\s[^>]*?href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [place, anchor = ''] = href.split('#');
      const named = place.replace(/(^|\/)$/, '$1index.html');
      const target = place === '' ? file : posix.join(posix.dirname(file), named);
      assert.ok(existsSync(join(siteFolder, target)), `${href}: no ${target}`);
      if (anchor)
        assert.ok(
          idsOf.get(target).includes(decodeURIComponent(anchor)),
          `${href}: no such anchor`,
        );
    }
  });
}

test('the header of every page leads to the parts of the site, in its language', () => {
  const bars = documents.flatMap((file) =>
    found(file, /<header class="bar"[^>]*>(.*?)<\/header>/gs).map((bar) => ({ file, bar })),
  );
  assert.ok(bars.length > 30);
  for (const { file, bar } of bars) {
    const [nav] = /<nav .*?<\/nav>/s.exec(bar) ?? assert.fail(file);
    const links = Array.from(nav.matchAll(/href="([^"]*)"/g), ([, link]) =>
      posix.join(posix.dirname(file), link),
    );
    const folder = file.startsWith('zh/') ? 'zh/' : '';
    const parts = ['opening.html', '#contents', 'attention-lab.html', 'numbers.html'];
    const wanted = [...parts.map((part) => folder + part), 'reference.html'];
    assert.deepEqual(links, wanted, file);
    const [footer] = /<footer>.*?<\/footer>/s.exec(text(file)) ?? assert.fail(file);
    for (const page of ['gallery', 'guides'])
      assert.ok(footer.includes(`href="./${page}.html"`), `${file}: ${page}`);
  }
});
