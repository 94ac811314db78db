/** What every test of the site in a browser begins and ends with. */
import { after, afterEach, before, describe, test } from 'node:test';
import { isSwept } from '../../support/sweep.mjs';
import { assertAccessible } from './axe.mjs';
import { browserFor, browserNames, newTab } from './browser.mjs';
import { pageOf } from './figures.mjs';
import { siteFolder, SitePage } from './page.mjs';
import { serve } from './server.mjs';

/**
 * Describes a suite for each browser of this part of the tests.
 * @param {string} what
 * @param {(visit: ReturnType<typeof visits>, browserName: string) => void} suite
 */
export function describeInBrowsers(what, suite) {
  for (const name of browserNames) describe(`${what} in ${name}`, () => suite(visits(name), name));
}

/**
 * The same in Chromium alone: of what our code does in every engine, or only Chromium can show.
 * @param {string} what
 * @param {(visit: ReturnType<typeof visits>) => void} suite
 */
export function describeInChromium(what, suite) {
  if (browserNames.includes('chromium'))
    describe(`${what} in chromium`, () => suite(visits('chromium')));
}

/** What a tab keeps when it goes to another page. */
const lasting = /** @type {const} */ ([
  'createCDPSession',
  'emulateMediaFeatures',
  'emulateMediaType',
  'evaluateOnNewDocument',
  'on',
  'setJavaScriptEnabled',
]);

/**
 * Within a describe: the served site, a browser, and one fresh `page` in its `tab` at a time. Nothing
 * may have gone wrong on a page when the next one is opened or the test ends. A tab costs more than
 * a page: the next page has the same one, unless a test has done something lasting to it.
 */
function visits(browserName) {
  let isMarked = false;
  let prepared;
  const visit = {
    /**
     * A test of what a figure claims. One code computes and writes its numbers in every engine, so
     * Chromium alone has it; how engines draw and lay out, what is pointed at, dragged and typed, and
     * that they compute the same, is tested in each.
     * @param {string} title
     * @param {import('node:test').TestFn} work
     */
    claim(title, work) {
      if (browserName === 'chromium') test(title, work);
    },

    /**
     * The same, with the sweeps.
     * @param {string} title
     * @param {import('node:test').TestFn} work
     */
    sweptClaim(title, work) {
      if (isSwept) visit.claim(title, work);
    },

    /**
     * @param {string} [path]
     * @param {object} [options]
     * @param {number} [options.width] of the window, in CSS pixels
     * @param {string} [options.address]
     * @param {(tab: import('puppeteer-core').Page) => unknown} [options.prepare] is called before
     *   anything is loaded into the tab; the next page with the same function has the same tab
     */
    async open(path = '', { width = 1200, address = visit.site.address, prepare } = {}) {
      await visit.judge();
      if (visit.tab && !isMarked && prepare === prepared) {
        // Behind a tab that was opened since, the browser would not draw it.
        await visit.tab.bringToFront();
        await visit.tab.mouse.move(0, 0);
        const now = visit.tab.viewport();
        if (now.width !== width || now.height !== 900)
          await visit.tab.setViewport({ width, height: 900 });
        await visit.page.visit(path, address);
        return visit.page;
      }
      isMarked = true;
      await visit.tab?.close();
      visit.tab = await newTab(visit.browser);
      await visit.tab.setViewport({ width, height: 900 });
      await prepare?.(visit.tab);
      visit.page = new SitePage(visit.tab, address);
      await visit.page.open(path);
      isMarked = false;
      prepared = prepare;
      /** @type {Record<string, any>} */
      const tab = visit.tab;
      for (const name of lasting) {
        const act = tab[name];
        tab[name] = (...args) => {
          isMarked = true;
          return act.apply(tab, args);
        };
      }
      return visit.page;
    },

    /** Nothing may have gone wrong on the page that the test does not expect. Says so once. */
    async judge() {
      const { page } = visit;
      if (!page || page.expectsComplaints) return;
      await page.assertNoComplaint().catch((error) => {
        page.expectsComplaints = true;
        throw error;
      });
    },

    /** By axe, in Chromium alone: engines share what it looks at, the document and its styles. */
    async assertAccessible() {
      if (browserName === 'chromium') await assertAccessible(visit.tab);
    },

    /** As the page has it: puppeteer learns of a new one later. */
    address: () => visit.tab.evaluate(() => location.href),

    /** The page that has a figure, with these settings of it; `folder` is that of the language. */
    openFigure(name, settings = {}, folder = '', options = {}) {
      const words = Object.entries(settings).map(([key, value]) => [`${name}.${key}`, value]);
      const search = words.length > 0 ? `?${new URLSearchParams(words)}` : '';
      return visit.open(`${folder}${pageOf(name)}${search}`, options);
    },

    /**
     * A figure, drawn, alone on its own address with these settings. A chapter takes several times as
     * long to load: it is for what lies between figures, or between a figure and the text.
     */
    async alone(name, settings = {}, folder = '') {
      const entries = Object.entries(settings).map(([key, value]) => [key, String(value)]);
      const search = entries.length > 0 ? `?${new URLSearchParams(entries)}` : '';
      const page = await visit.open(`${folder}figure/${name}/${search}`);
      return page.figure(name);
    },

    /** A figure, drawn, on the page of its chapter that was opened with these settings of it. */
    async figure(name, settings = {}, folder = '') {
      const page = await visit.openFigure(name, settings, folder);
      return page.figure(name);
    },
  };
  before(async () => {
    visit.site = await serve(siteFolder);
    visit.browser = await browserFor(browserName);
  });
  afterEach(() => visit.judge());
  after(async () => {
    await visit.browser?.close();
    await visit.site?.close();
  });
  return visit;
}
