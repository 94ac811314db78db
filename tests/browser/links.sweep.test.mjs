/** Links lead to their places, exactly, though the figures around load while one arrives. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { browserNames } from './support/browser.mjs';
import { figureNames } from './support/figures.mjs';
import { visits } from './support/visits.mjs';

const languages = { en: '', zh: 'zh/' };

/** What the web calls a good page. Fonts differ, and with them the lines of a caption. */
const mostShift = 0.1;

/** @typedef {PerformanceEntry & { value: number, hadRecentInput: boolean }} LayoutShift */

/** In the page, before anything else: adds up the layout shifts that follow no input. */
function watchShifts() {
  globalThis.shift = 0;
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of /** @type {LayoutShift[]} */ (list.getEntries()))
      if (!hadRecentInput) globalThis.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Once every figure near the window is drawn and the page has been at rest for some frames. */
function atRest() {
  const isNear = (figure) => {
    const { top, bottom } = figure.getBoundingClientRect();
    return bottom > -800 && top < innerHeight + 800;
  };
  const figures = [...document.querySelectorAll('ropewalk-figure')];
  return /** @type {Promise<void>} */ (
    new Promise((done) => {
      let last = '';
      let frames = 0;
      const look = () => {
        const now = `${scrollY} of ${document.documentElement.scrollHeight}`;
        const isDrawn = figures.filter(isNear).every((figure) => figure.hasAttribute('drawn'));
        frames = isDrawn && now === last ? frames + 1 : 0;
        last = now;
        if (frames > 20) done();
        else requestAnimationFrame(look);
      };
      look();
    })
  );
}

/** How far a place is from where its link should put it, and how much moved on the way. */
function landing(id) {
  const place = document.getElementById(id);
  const { top } = place.getBoundingClientRect();
  const isAtEnd = scrollY >= document.documentElement.scrollHeight - innerHeight - 1;
  const wanted = Number.parseFloat(getComputedStyle(place).scrollMarginTop);
  return { off: isAtEnd ? 0 : Math.abs(Math.round(top - wanted)), shift: globalThis.shift };
}

for (const name of browserNames) {
  describe(`links in ${name}`, () => {
    const visit = visits(name);
    const prepare = (tab) => tab.evaluateOnNewDocument(watchShifts);

    async function assertLanded(id) {
      await visit.tab.evaluate(atRest);
      const { off, shift } = await visit.tab.evaluate(landing, id);
      assert.equal(off, 0, `${id}: pixels off`);
      assert.ok(shift < mostShift, `${id}: layout shift ${shift}`);
    }

    for (const [language, path] of Object.entries(languages)) {
      test(`${language}: the link of every figure leads to it`, async () => {
        await visit.open(path);
        for (const figureName of figureNames) {
          const figure = await visit.page.figure(figureName);
          const link = await figure.inside(`new Promise((done) => {
            const clipboard = { writeText: async (text) => done(text) };
            Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
            [...root.querySelectorAll('.actions button')].find(({ title }) => /link to|链接/.test(title)).click();
          })`);
          assert.equal(new URL(link).hash, `#${figureName}`);
          assert.ok(
            await figure.inside(`document.getElementById('${figureName}')?.contains(element)`),
            `#${figureName}`,
          );
        }
      });
    }

    // Firefox does not report layout shifts.
    const some = ['rotary-clocks', 'position-rounding', 'long-text'];
    for (const figureName of name === 'chromium' ? figureNames : some) {
      test(`#${figureName} is where the page opens`, async () => {
        await visit.open(`#${figureName}`, { prepare });
        await assertLanded(figureName);
      });
    }

    for (const [language, path] of Object.entries(languages)) {
      test(`${language}: the contents lead to every chapter`, async () => {
        await visit.open(path);
        const ids = await visit.tab.$$eval('.contents a', (links) =>
          links.map(({ hash }) => hash.slice(1)),
        );
        assert.ok(ids.length >= 8);
        for (const id of ids) {
          await visit.open(path, { prepare });
          await visit.tab.evaluate(atRest);
          await visit.tab.$eval(`.contents a[href="#${id}"]`, (link) => link.click());
          await assertLanded(id);
        }
      });
    }

    test('a phone lands as well', async () => {
      for (const id of ['rotary-clocks', 'position-rounding', 'attention-lab']) {
        await visit.open(`#${id}`, { prepare, width: 360 });
        await assertLanded(id);
      }
    });
  });
}
