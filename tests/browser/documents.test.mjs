/** The pages of text alone: readable by everyone, under the strict policy, with links that lead somewhere. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { browserNames } from './support/browser.mjs';
import { siteFolder } from './support/page.mjs';
import { visits } from './support/visits.mjs';

const documents = [
  'reference.html',
  'guides.html',
  'zh/guides.html',
  'numbers.html',
  'zh/numbers.html',
];

/** What a document links to, apart from other sites: [file, anchor]. */
const linksOf = (tab) =>
  tab.$$eval('a[href]', (all) =>
    all
      .map((link) => new URL(link.href))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname, hash }) => [pathname, decodeURIComponent(hash.slice(1))]),
  );

for (const name of browserNames) {
  describe(`documents in ${name}`, () => {
    const visit = visits(name);
    const { open } = visit;

    for (const path of documents) {
      test(`${path} obeys the strict policy and axe, light and dark, from a sub-path`, async () => {
        await open(path);
        await assertAccessible(visit.tab);
        await visit.page.assertNoComplaint();
      });

      test(`${path} has its theme button, and never scrolls sideways on a phone`, async () => {
        await open(path, { width: 360 });
        const [content, view] = await visit.tab.evaluate(() => {
          const { scrollWidth, clientWidth } = document.scrollingElement;
          return [scrollWidth, clientWidth];
        });
        assert.ok(content <= view, `${content} > ${view}`);
        const unmarked = await visit.tab.$$eval('main *', (all) =>
          all
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map((box) => [box.outerHTML.slice(0, 80), getComputedStyle(box)])
            .filter(([, look]) => look.overflowX === 'auto')
            .filter(([, look]) => !look.backgroundAttachment.includes('local'))
            .map(([start]) => start),
        );
        assert.deepEqual(unmarked, [], 'boxes that scroll without a shade at their sides');
        const paper = () =>
          visit.tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const before = await paper();
        await visit.tab.click('#theme');
        assert.notEqual(await paper(), before);
      });

      test(`every link of ${path} leads somewhere`, async () => {
        await open(path);
        const ids = await visit.tab.$$eval('[id]', (all) => all.map(({ id }) => id));
        assert.equal(new Set(ids).size, ids.length, 'an anchor stands twice');
        const base = new URL(visit.site.address).pathname;
        for (const [pathname, anchor] of await linksOf(visit.tab)) {
          assert.ok(pathname.startsWith(base), pathname);
          const file = pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html');
          assert.ok(existsSync(join(siteFolder, file)), `${pathname} is no page`);
          const text = file === path ? undefined : await readFile(join(siteFolder, file), 'utf8');
          const isThere = text ? text.includes(`id="${anchor}"`) : ids.includes(anchor);
          assert.ok(anchor === '' || isThere, `${pathname} has no ${anchor}`);
        }
      });
    }

    test('the reference tells every function where its name leads', async () => {
      await open('reference.html#frequenciesFromConfig');
      const told = await visit.tab.$eval(':target', ({ innerText }) => innerText);
      assert.match(told, /config\.json/);
      const settings = await visit.tab.$eval('#sinusoidal', ({ innerText }) => innerText);
      assert.match(
        settings,
        /SinusoidalOptions[^]*spacing\?: 'dim\/2' \| 'dim\/2-1'[^]*tensor2tensor/,
      );
    });
  });
}
