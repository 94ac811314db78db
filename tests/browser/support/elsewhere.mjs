/** Pages of another site, at another port, that show our figures; and the site that they come from. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { serve } from '../../../tools/serve.mjs';
import { newTab } from './browser.mjs';
import { siteFolder, SitePage } from './page.mjs';

/** What another site must allow to show figures from `origin`, and no more. */
const policyFor = (origin, workers) =>
  [
    "default-src 'none'",
    `script-src 'self' ${origin} 'wasm-unsafe-eval'`,
    `connect-src ${origin}`,
    "style-src 'self'",
    `img-src ${origin} data: blob:`,
    `worker-src ${workers}`,
    `frame-src ${origin}`,
  ].join('; ');

/** Within a describe: another site, whose pages the browser of `visit` opens. */
export function elsewhereIn(visit) {
  const elsewhere = new Elsewhere(visit);
  before(() => elsewhere.start());
  after(() => elsewhere.close());
  return elsewhere;
}

export class Elsewhere {
  #servers = [];
  /** The page that is open. */
  page;

  /** The site that the figures come from. */
  site;
  folder;

  /** @param {{ browser: Pick<import('puppeteer-core').Browser, 'newPage'> }} visit see visits.mjs */
  constructor(visit) {
    this.visits = visit;
  }

  async start() {
    this.folder = await mkdtemp(join(tmpdir(), 'ropewalk-elsewhere-'));
    this.site = await this.serve(siteFolder, { base: '/some/where/' });
  }

  async serve(folder, options) {
    const server = await serve(folder, options);
    this.#servers.push(server);
    return server;
  }

  /** A folder that any page may take scripts from. */
  share(folder, base) {
    return this.serve(folder, { base });
  }

  write(name, text) {
    return writeFile(join(this.folder, name), text);
  }

  /**
   * Opens a page of this other site.
   * @param {string} html
   * @param {object} [options]
   * @param {string} [options.workers] the policy's worker-src; by default what both browsers need:
   *   Chromium the blob alone, Firefox what the blob imports as well
   * @param {boolean} [options.policy] false: a page without a policy
   * @param {{ url: string }} [options.from] the site whose scripts it loads
   * @param {number} [options.width] of the window, in CSS pixels
   * @param {(tab: import('puppeteer-core').Page) => unknown} [options.prepare] is called before
   *   anything is loaded into the tab
   */
  async visit(html, { workers, policy = true, from = this.site, width = 1000, prepare } = {}) {
    await this.page?.page.close();
    await this.write('index.html', html);
    const { origin } = new URL(this.site.url);
    const said = policyFor(origin, workers ?? `blob: ${origin}`);
    const host = await this.serve(this.folder, {
      headers: policy ? { 'Content-Security-Policy': said } : {},
    });
    this.page = new SitePage(await newTab(this.visits.browser), host.url, [from.url]);
    await this.page.page.setViewport({ width, height: 900 });
    await prepare?.(this.page.page);
    await this.page.page.evaluateOnNewDocument(() => {
      globalThis.workerCount = 0;
      globalThis.Worker = class extends Worker {
        constructor(url, options) {
          super(url, options);
          globalThis.workerCount++;
        }
      };
    });
    await this.page.open();
    return this.page;
  }

  /**
   * The files of the site that a page with one figure and its still has asked for once it draws.
   * @param {string} name
   * @param {string} [settings] attributes of the figure
   */
  async filesFor(name, settings = '') {
    const { url } = this.site;
    const files = new Set();
    const keep = (request) => {
      if (request.url().startsWith(url)) files.add(request.url().slice(url.length));
    };
    const page = await this.visit(
      `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<script type="module" src="${url}elements.js"></script>
<ropewalk-figure name="${name}" ${settings}><img src="${url}stills/${name}_en.webp" alt="" width="100%"></ropewalk-figure>`,
      {
        prepare: async (tab) => {
          await tab.setCacheEnabled(false);
          tab.on('request', keep);
        },
      },
    );
    await page.figure(name);
    return [...files];
  }

  async close() {
    for (const server of this.#servers) await server.close();
    await rm(this.folder, { recursive: true });
  }
}
