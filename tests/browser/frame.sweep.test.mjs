/** The frame of the pages in windows of several widths, and the pictures of its map. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, pages } from './support/figures.mjs';
import { describeInBrowsers } from './support/visits.mjs';

describeInBrowsers('the frame in windows', (visit) => {
  const { open } = visit;

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

  test('bar, text and footer begin at one edge on every page, at every width', async () => {
    /** @type {Record<number, Set<number>>} */
    const places = { 360: new Set(), 1280: new Set(), 1440: new Set(), 1920: new Set() };
    for (const path of ['', 'zh/', 'rotation.html', 'numbers.html', 'gallery.html']) {
      await open(path);
      for (const [width, lefts] of Object.entries(places)) {
        await visit.tab.setViewport({ width: Number(width), height: 900 });
        const { edges, height, right } = await visit.tab.evaluate(() => {
          const box = (part) => part.getBoundingClientRect();
          const bar = document.querySelector('.bar');
          const parts = [...bar.querySelectorAll('nav, nav a, button')];
          return {
            edges: ['.mark', 'h1', 'footer p'].map(
              (selector) => box(document.querySelector(selector)).left,
            ),
            height: box(bar).height,
            right: Math.max(...parts.map((part) => box(part).right)),
          };
        });
        for (const left of edges) lefts.add(left);
        assert.ok(right <= Number(width), `${path}, ${width}: the bar ends at ${right}`);
        const most = Number(width) < 400 ? 90 : 60;
        assert.ok(height < most, `${path}, ${width}: the bar is ${height} pixels high`);
      }
    }
    for (const [width, lefts] of Object.entries(places))
      assert.equal(lefts.size, 1, `${width}: ${[...lefts]}`);
  });

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
      assert.deepEqual(sizes, Array(pages.length).fill(736));
      await visit.tab.waitForFunction(
        () => document.querySelector('.picture img').getBoundingClientRect().width > 50,
        { polling: 50 },
      );
    }
  });
});
