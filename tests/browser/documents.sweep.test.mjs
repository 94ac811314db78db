/** The pages of text alone: readable by everyone, under the strict policy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeInBrowsers } from './support/visits.mjs';

const documents = [
  'reference.html',
  'reference-attention.html',
  'guides.html',
  'zh/guides.html',
  'numbers.html',
  'zh/numbers.html',
  'arrays.html',
  'zh/arrays.html',
  'errata.html',
  'zh/errata.html',
  'glossary.html',
  'zh/glossary.html',
];

describeInBrowsers('documents', (visit, name) => {
  const { open } = visit;

  // As in figures.mjs: with others than Chromium the languages take turns.
  const taken = documents.filter((_, k) => name === 'chromium' || [1, 2].includes(k % 4));
  for (const path of taken) {
    test(`${path} obeys the strict policy and axe, light and dark, from a sub-path, has its theme button, and never scrolls sideways on a phone`, async () => {
      await open(path, { width: 360 });
      await visit.page.assertFits();
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
      await visit.tab.setViewport({ width: 1200, height: 900 });
      await visit.assertAccessible();
    });
  }

  for (const path of ['guides.html', 'zh/guides.html']) {
    test(`${path}: what each of the three uses needs first fits one screen`, async () => {
      await open(path, { width: 1440 });
      const uses = await visit.tab.$$eval('.guide', (guides) =>
        guides.slice(0, 3).map((guide) => {
          const { top } = guide.querySelector('h2').getBoundingClientRect();
          const next = guide.querySelector('h3');
          const end = next
            ? next.getBoundingClientRect().top
            : guide.getBoundingClientRect().bottom;
          return { name: guide.id, height: Math.round(end - top) };
        }),
      );
      assert.deepEqual(
        uses.map(({ name: use }) => use),
        ['reading', 'blog', 'node'],
      );
      for (const { name: use, height } of uses) assert.ok(height <= 900, `${use}: ${height}`);
    });
  }

  for (const path of ['guides.html', 'zh/guides.html']) {
    test(`${path}: tables on a phone, and remarks in code on a wide screen, are all in sight`, async () => {
      /** The elements that reach out of the box around them. */
      const hidden = (selector, box) =>
        visit.tab.$$eval(
          selector,
          (all, around) =>
            all
              .filter((one) => {
                const { right } = one.closest(around).getBoundingClientRect();
                return one.getBoundingClientRect().right > right + 1;
              })
              .map(({ innerText }) => innerText),
          box,
        );
      await open(path, { width: 360 });
      assert.deepEqual(await hidden('.guide :is(td, td *)', '.scrolling'), []);
      const columns = await visit.tab.$$eval('.guide [data-column]', (cells) =>
        cells.map((cell) => getComputedStyle(cell, '::before').content),
      );
      assert.ok(columns.length > 100);
      assert.ok(!columns.includes('none'), 'each names its column');
      await visit.tab.setViewport({ width: 1440, height: 900 });
      assert.deepEqual(await hidden('.guide pre .remark', 'pre'), []);
    });
  }

  test('a plain word of code in a guide links to no function, and a call does', async () => {
    await open('guides.html');
    const linked = await visit.tab.$$eval('.guide code > a', (links) =>
      links.map(({ textContent, nextSibling }) => textContent + (nextSibling?.textContent ?? '')),
    );
    assert.ok(linked.some((text) => text.startsWith('attention(q, k, v')));
    assert.ok(linked.includes('createModel'));
    assert.deepEqual(
      linked.filter((text) => !/^\w+\(|^\w*[a-z][A-Z]\w*$/.test(text)),
      [],
    );
  });

  test('a link to a name in the reference leads to its function', async () => {
    const leads = async (from, to) => {
      await open(from);
      const wanted = visit.site.address + to;
      const isThere = (url) => location.href === url && document.querySelector(':target') !== null;
      await visit.page.until(isThere, wanted);
    };
    // An address of the time when the reference was one page.
    await leads(
      'reference.html#frequenciesFromConfig',
      'reference-a-models-configuration.html#frequenciesFromConfig',
    );
    const told = await visit.tab.$eval(':target', ({ innerText }) => innerText);
    assert.match(told, /config\.json/);
    await leads('reference.html#topic-rotary', 'reference-rotary.html#topic-rotary');
    await open('reference-tables-at-the-input.html');
    const settings = await visit.tab.$eval('#sinusoidal', ({ innerText }) => innerText);
    assert.match(
      settings,
      /SinusoidalOptions[^]*spacing\?: 'dim\/2' \| 'dim\/2-1'[^]*tensor2tensor/,
    );
  });
});
