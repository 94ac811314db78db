/** Links lead to their places, exactly, though the figures around load while one arrives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figureNames, languages, pageOf, pages } from './support/figures.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

/** Half of what the web calls a good page: fonts differ, and with them the lines of a caption. */
const mostShift = 0.05;

/** All of it, where a figure takes its height in view: above a list that begins beside it. */
const mostBeside = 0.1;

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

/** How many whole pixels a place is from where its link should put it, and what moved on the way. */
function landing(id) {
  const place = document.getElementById(id);
  const { top } = place.getBoundingClientRect();
  const isAtEnd = scrollY >= document.documentElement.scrollHeight - innerHeight - 1;
  const wanted = Number.parseFloat(getComputedStyle(place).scrollMarginTop);
  return { off: isAtEnd ? 0 : Math.floor(Math.abs(top - wanted)), shift: globalThis.shift };
}

/** Whether the document has a place. */
const isThere = (id) => document.getElementById(id) !== null;

const prepare = (tab) => tab.evaluateOnNewDocument(watchShifts);
/** A phone, and windows with the rail. */
const widths = [360, 1280, 1440, 1920];

describeInBrowsers('links', (visit, name) => {
  async function assertLanded(id, most = mostShift) {
    await visit.tab.evaluate(atRest);
    const { off, shift } = await visit.tab.evaluate(landing, id);
    assert.equal(off, 0, `${id}: pixels off`);
    assert.ok(shift < most, `${id}: layout shift ${shift}`);
  }

  // Firefox does not report layout shifts.
  const some = ['rotary-clocks', 'position-rounding', 'long-text'];
  for (const figureName of name === 'chromium' ? figureNames : some) {
    test(`#${figureName} is where its page opens`, async () => {
      await visit.open(`${pageOf(figureName)}#${figureName}`, { prepare });
      await assertLanded(figureName);
    });
  }

  for (const [turn, folder] of Object.values(languages).entries()) {
    test(`/${folder}: the links of the map lead to every figure`, async () => {
      const placesIn = ({ path, figures }) => figures.map((figureName) => `${path}#${figureName}`);
      await visit.open(folder, { prepare });
      const links = await visit.tab.$$eval('.map a', (all) =>
        all.map((link) => link.getAttribute('href')),
      );
      for (const place of pages.slice(1).flatMap(placesIn)) assert.ok(links.includes(`./${place}`));
      // One code lands in both languages: the pages take turns.
      for (const page of pages.slice(1).filter((_, k) => k % 2 === turn)) {
        const [place] = placesIn(page).slice(-1);
        if (!place) continue;
        await visit.open(folder, { prepare });
        await visit.tab.evaluate(atRest);
        await visit.tab.$eval(`.map a[href="./${place}"]`, (link) => link.click());
        const [, figureName] = place.split('#');
        await visit.page.until(isThere, figureName);
        await assertLanded(figureName);
      }
    });
  }

  test('an address of the time when all chapters were one page lands as well', async () => {
    for (const id of ['rotary-decay', 'layers-differ', 'attention-lab']) {
      await visit.open(`#${id}`, { prepare });
      await visit.page.until(isThere, id);
      await assertLanded(id);
    }
  });

  test('an address of the time when all chapters were one page leads to its new place', async () => {
    const settings = '?rotary-clocks.dim=8&model.preset=llama-2-7b';
    for (const [from, to] of [
      [`${settings}#rotary-clocks`, `rotation.html${settings}#rotary-clocks`],
      ['#rotation', 'rotation.html#rotation'],
      ['zh/#attention-lab', 'zh/attention-lab.html#attention-lab'],
      ['zh/#a-shift-is-a-rotation', 'zh/sinusoid.html#a-shift-is-a-rotation'],
      ['#word-order', 'opening.html#word-order'],
      ['zh/#word-order', 'zh/opening.html#word-order'],
      ['?word-order.order=1', 'opening.html?word-order.order=1#word-order'],
      [
        'zh/?model.preset=phi-4&word-order.order=1',
        'zh/opening.html?model.preset=phi-4&word-order.order=1#word-order',
      ],
    ]) {
      await visit.open(from);
      const wanted = visit.site.address + to;
      await visit.page.until((url) => location.href === url, wanted);
    }
    await visit.open('?rotary-clocks.dim=8');
    const isStarted = () => !document.querySelector('#theme').hasAttribute('hidden');
    await visit.tab.waitForFunction(isStarted, { polling: 50 });
    const stays = `${visit.site.address}?rotary-clocks.dim=8`;
    assert.equal(await visit.address(), stays, 'settings alone, of a figure never shown here');
    await visit.open('rotation.html');
    await visit.page.open('#main');
    const { href } = await visit.tab.evaluate(() => ({ href: location.href }));
    assert.equal(href, `${visit.site.address}#main`, 'what the front page has stays there');
  });

  test('an anchor whose section moved to a new chapter leads there, from the page and the front', async () => {
    const moved = '?attention-factor.factor=40#temperature';
    for (const folder of Object.values(languages)) {
      for (const start of ['', 'longer-contexts.html']) {
        await visit.open(`${folder}${start}${moved}`);
        await visit.page.until(isThere, 'temperature');
        const wanted = `${visit.site.address}${folder}running-long-contexts.html${moved}`;
        assert.equal(await visit.address(), wanted, `from /${folder}${start}`);
      }
    }
    await visit.open('longer-contexts.html#rerope');
    assert.match(await visit.address(), /longer-contexts\.html#rerope$/, 'its own sections stay');
    await visit.tab.evaluate(() => (location.hash = '#sixteen-bits'));
    await visit.page.until(isThere, 'sixteen-bits');
    assert.match(await visit.address(), /running-long-contexts\.html#sixteen-bits$/);
  });

  for (const width of [360, 1300]) {
    test(`a window ${width} pixels wide: links lead to every list of slips`, async () => {
      await visit.open('', { width });
      const lists = await visit.tab.evaluate(
        (paths) =>
          Promise.all(
            paths.map(async (path) => {
              const text = await (await fetch(path || './')).text();
              const document = new DOMParser().parseFromString(text, 'text/html');
              return [...document.querySelectorAll('.slips [id]')].map(({ id }) => ({ path, id }));
            }),
          ),
        pages.map(({ path }) => path),
      );
      assert.ok(lists.flat().length > 0);
      for (const { path, id } of lists.flat()) {
        await visit.open(`${path}#${id}`, { prepare, width });
        await assertLanded(id, mostBeside);
      }
    });
  }

  for (const width of widths)
    test(`a window ${width} pixels wide lands as well`, async () => {
      for (const id of ['rotary-clocks', 'position-rounding', 'attention-lab']) {
        await visit.open(`${pageOf(id)}#${id}`, { prepare, width });
        await assertLanded(id);
      }
    });
});

// Firefox does not report layout shifts.
describeInChromium('what moves', (visit) => {
  async function assertStill(path, width) {
    await visit.open(path, { prepare, width });
    await visit.tab.evaluate(atRest);
    const shift = await visit.tab.evaluate(() => globalThis.shift);
    assert.ok(shift < mostShift, `${path}: layout shift ${shift}`);
  }

  for (const path of Object.values(languages).flatMap((folder) =>
    pages.map((page) => folder + page.path),
  ))
    test(`/${path}: nothing moves while the page opens at its top`, () => assertStill(path));

  for (const width of widths)
    test(`nothing moves while a chapter opens in a window ${width} pixels wide`, async () => {
      for (const path of ['sinusoid.html', 'zh/rotation.html']) await assertStill(path, width);
    });
});
