/** The frame of the pages: titles, the map, the way from chapter to chapter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, pages } from './support/figures.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const chapters = pages.slice(1).map(({ path }) => path);

describeInBrowsers('the frame of pages', (visit) => {
  const { open } = visit;

  test('two paths list every chapter once, with every figure, and each leads back and on', async () => {
    for (const folder of Object.values(languages)) {
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
        [7, 7],
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

  test('the bar marks the page that is open, or the part that it belongs to', async () => {
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
    for (const [path, wanted] of [...all, ...inEnglish]) {
      await open(path);
      const marked = await visit.tab.$$eval('.bar [aria-current]', (links) =>
        links.map((link) => [link.getAttribute('href'), link.getAttribute('aria-current')]),
      );
      assert.deepEqual(marked, wanted, path);
    }
  });

  test('at 1440 pixels the ways on from a chapter stand on one line', async () => {
    for (const folder of Object.values(languages))
      for (const chapter of ['opening', 'sinusoid', 'at-the-input', 'text-positions']) {
        await open(`${folder}${chapter}.html`, { width: 1440 });
        const tops = await visit.tab.$$eval('.onward a', (links) =>
          links.map((link) => Math.round(link.getBoundingClientRect().top)),
        );
        assert.equal(new Set(tops).size, 1, `${folder}${chapter}: ${tops}`);
      }
  });

  for (const width of [360, 1280, 1440, 1920]) {
    test(`bar, text and footer begin at one edge on every page, ${width} pixels wide`, async () => {
      const places = new Set();
      for (const path of ['', 'zh/', 'rotation.html', 'numbers.html', 'gallery.html']) {
        await open(path, { width });
        const edges = await visit.tab.evaluate(() =>
          ['.mark', 'h1', 'footer p'].map(
            (selector) => document.querySelector(selector).getBoundingClientRect().left,
          ),
        );
        for (const left of edges) places.add(left);
        const { height, right } = await visit.tab.$eval('.bar', (bar) => ({
          height: bar.getBoundingClientRect().height,
          right: Math.max(
            ...[...bar.querySelectorAll('nav, nav a, button')].map(
              (part) => part.getBoundingClientRect().right,
            ),
          ),
        }));
        assert.ok(right <= width, `${path}: the bar ends at ${right}`);
        assert.ok(height < (width < 400 ? 90 : 60), `${path}: the bar is ${height} pixels high`);
      }
      assert.equal(places.size, 1, [...places].join());
    });
  }

  test('the pictures of the paths load when the reader comes to them, and all are there', async () => {
    for (const folder of Object.values(languages)) {
      const asked = new Set();
      const prepare = async (tab) => {
        await tab.setViewport({ width: 800, height: 600 });
        tab.on('request', (request) => asked.add(request.url()));
      };
      await open(folder, { prepare });
      await visit.tab.waitForSelector('ropewalk-figure[drawn]');
      const before = [...asked].filter((url) => url.includes('/stills/'));
      assert.deepEqual(before, [], 'before it, none');
      const sizes = await visit.tab.$$eval('.picture img', async (images) => {
        document.querySelector('.map').scrollIntoView({ behavior: 'instant' });
        return Promise.all(
          images.map(async (image) => {
            image.loading = 'eager';
            await image.decode();
            return image.naturalWidth;
          }),
        );
      });
      assert.deepEqual(sizes, Array(chapters.length + 1).fill(736));
      await visit.tab.waitForFunction(
        () => document.querySelector('.picture img').getBoundingClientRect().width > 50,
        { polling: 50 },
      );
    }
  });
});
