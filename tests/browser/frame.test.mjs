/** The frame of the pages: titles, the map, the way from chapter to chapter. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { languages, pages } from './support/figures.mjs';
import { siteFolder } from './support/page.mjs';
import { describeInChromium } from './support/visits.mjs';

const chapters = pages.slice(1).map(({ path }) => path);

describeInChromium('the frame of pages', (visit) => {
  const { open } = visit;

  test('two paths list every chapter once, with every figure, and each leads back and on', async () => {
    for (const folder of few(Object.values(languages))) {
      await open(folder);
      const paths = await visit.tab.$$eval('.map .path', (all) =>
        all.map((path) =>
          [...path.querySelectorAll(':scope > ul > li')].map((item) => ({
            title: item.querySelector('.title').lastChild.textContent.trim(),
            question: item.querySelector('p').textContent,
            names: item.querySelector('.names').textContent,
            links: [...item.querySelectorAll('a')].map((link) => link.getAttribute('href')),
          })),
        ),
      );
      assert.deepEqual(
        paths.map(({ length }) => length),
        [7, 8],
      );
      assert.ok(paths.flat().every(({ names }) => names.length > 5));
      const listed = paths.flat();
      assert.deepEqual(listed.pop().links, ['./numbers.html']);
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
            [null, '#contents'],
            ['next', chapters[k + 1]],
          ]
            .filter(([, path]) => path)
            .map(([rel, path]) => [rel, `./${path}`]),
        })),
      );
    }
  });
});

test('the bar marks the page that is open, or the part that it belongs to', () => {
  /** @type {[string, [string, string][]][]} */
  const marks = [
    ['', [['./', 'page']]],
    ['opening.html', [['./opening.html', 'page']]],
    ['rotation.html', [['./#contents', 'true']]],
    ['attention-lab.html', [['./attention-lab.html', 'page']]],
    ['numbers.html', [['./numbers.html', 'page']]],
    ['arrays.html', [['./numbers.html', 'true']]],
    ['gallery.html', []],
  ];
  /** @type {[string, [string, string][]][]} */
  const inEnglish = [
    ['reference.html', [['./reference.html', 'page']]],
    ['reference-attention.html', [['./reference.html', 'true']]],
  ];
  /** @type {[string, [string, string][]][]} */
  const all = Object.values(languages).flatMap((folder) =>
    marks.map(([path, marked]) => [folder + path, marked]),
  );
  const attribute = (link, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(link)?.[1];
  for (const [path, wanted] of [...all, ...inEnglish]) {
    const file = join(siteFolder, path, path.endsWith('.html') ? '' : 'index.html');
    const [bar] = /<header class="bar">.*?<\/header>/s.exec(readFileSync(file, 'utf8'));
    const marked = (bar.match(/<a\b[^>]*>/g) ?? [])
      .map((link) => [attribute(link, 'href'), attribute(link, 'aria-current')])
      .filter(([, mark]) => mark !== undefined);
    assert.deepEqual(marked, wanted, path);
  }
});

test('the reference is in English alone: its way to the other language is the first page', () => {
  for (const [path, wanted] of [
    ['reference.html', './zh/'],
    ['reference-attention.html', './zh/'],
    ['guides.html', './zh/guides.html'],
    ['zh/guides.html', '../guides.html'],
  ]) {
    const text = readFileSync(join(siteFolder, path), 'utf8');
    const [link] = /<a id="other-language"[^>]*>/.exec(text);
    assert.match(link, new RegExp(`href="${wanted}"`), path);
    assert.equal(/<link[^>]* rel="alternate"/.test(text), wanted !== './zh/', path);
  }
});
