/** What every test of the site in a browser begins and ends with. */
import { after, before } from 'node:test';
import { launch, newTab } from './browser.mjs';
import { pageOf } from './figures.mjs';
import { siteFolder, SitePage } from './page.mjs';
import { serve } from './server.mjs';

/** Within a describe: the served site, a browser, and one fresh `page` in its `tab` at a time. */
export function visits(browserName) {
  const visit = {
    /**
     * @param {string} [path]
     * @param {object} [options]
     * @param {number} [options.width] of the window, in CSS pixels
     * @param {string} [options.address]
     * @param {(tab: import('puppeteer-core').Page) => unknown} [options.prepare] is called before
     *   anything is loaded into the tab
     */
    async open(path = '', { width = 1200, address = visit.site.address, prepare } = {}) {
      await visit.tab?.close();
      visit.tab = await newTab(visit.browser);
      await visit.tab.setViewport({ width, height: 900 });
      await prepare?.(visit.tab);
      visit.page = new SitePage(visit.tab, address);
      await visit.page.open(path);
      return visit.page;
    },

    /** As the page has it: puppeteer learns of a new one later. */
    address: () => visit.tab.evaluate(() => location.href),

    /** The page that has a figure, with these settings of it; `folder` is that of the language. */
    openFigure(name, settings = {}, folder = '', options = {}) {
      const words = Object.entries(settings).map(([key, value]) => [`${name}.${key}`, value]);
      const search = words.length > 0 ? `?${new URLSearchParams(words)}` : '';
      return visit.open(`${folder}${pageOf(name)}${search}`, options);
    },

    /** A figure, drawn, on its page that was opened with these settings of it. */
    async figure(name, settings = {}, folder = '') {
      const page = await visit.openFigure(name, settings, folder);
      return page.figure(name);
    },
  };
  before(async () => {
    visit.site = await serve(siteFolder);
    visit.browser = await launch(browserName);
  });
  after(async () => {
    await visit.browser?.close();
    await visit.site?.close();
  });
  return visit;
}
