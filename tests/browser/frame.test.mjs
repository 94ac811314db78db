/** The frame of the pages: titles, the map, the way from chapter to chapter, what axe says of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { browserNames } from './support/browser.mjs';
import { languages, pages } from './support/figures.mjs';
import { visits } from './support/visits.mjs';

const chapters = pages.slice(1).map(({ path }) => path);

for (const name of browserNames) {
  describe(`the frame of pages in ${name}`, () => {
    const visit = visits(name);
    const { open } = visit;

    test('the map lists every chapter and every figure, and each chapter leads back and on', async () => {
      for (const folder of Object.values(languages)) {
        await open(folder);
        const listed = await visit.tab.$$eval('.map > ol > li', (items) =>
          items.map((item) => ({
            title: item.querySelector('.title').textContent,
            question: item.querySelector('p').textContent,
            links: [...item.querySelectorAll('a')].map((link) => link.getAttribute('href')),
          })),
        );
        assert.deepEqual(
          listed.map(({ links }) => links),
          pages
            .slice(1)
            .map(({ path, figures }) => [
              `./${path}`,
              ...figures.map((figure) => `./${path}#${figure}`),
            ]),
        );
        const found = await visit.tab.evaluate(async (paths) => {
          const read = async (path) => {
            const text = await (await fetch(path)).text();
            const page = new DOMParser().parseFromString(text, 'text/html');
            const links = [...page.querySelectorAll('.onward a')];
            return {
              window: page.title,
              title: page.querySelector('h1').textContent,
              question: page.querySelector('.chapter-question').textContent,
              ways: links.map((link) => [link.getAttribute('rel'), link.getAttribute('href')]),
            };
          };
          return Promise.all(paths.map(read));
        }, chapters);
        assert.deepEqual(
          found,
          listed.map(({ title, question }, k) => ({
            window: `${title} · Ropewalk`,
            title,
            question,
            ways: [
              ['prev', chapters[k - 1]],
              ['next', chapters[k + 1]],
              [null, '#contents'],
            ]
              .filter(([, path]) => path)
              .map(([rel, path]) => [rel, `./${path}`]),
          })),
        );
      }
    });

    test('axe finds nothing to complain about on the front page, and a phone never scrolls sideways', async () => {
      await open('', { width: 360 });
      for (const figure of pages[0].figures) await visit.page.figure(figure);
      await visit.page.assertFits();
      await assertAccessible(visit.tab);
      await visit.page.assertNoComplaint();
    });
  });
}
