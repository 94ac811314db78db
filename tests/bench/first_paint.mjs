// Opens a page as a phone on a mobile network does and prints when the browser first paints text, and
// when the largest part of the window is there: `npm run paint` (--help says how).
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PredefinedNetworkConditions } from 'puppeteer-core';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say } from '../../tools/setup/steps.mjs';
import { serve } from '../../tools/serve.mjs';
import { setup } from '../../tools/setup.mjs';
import { launch, newTab } from '../browser/support/browser.mjs';
import { median } from './harness.mjs';
import { duration, shown } from './tables.mjs';

const help = `npm run paint -- [options]

  --pages PATHS    pages of the site, separated by commas (default: the front page, both languages)
  --visits N       visits of each, with an empty cache; the median is printed (default 5)
  --slowdown N     how much slower than this machine's the page's processor is (default 4)
  --network NAME   a network of the browser's developer tools (default "Fast 3G": 1.6 Mbit/s down,
                   562.5 ms before each answer; "none" for this machine's own)

The site in dist/site is measured, or the one in the folder that SITE names.
`;

const spec = /** @type {const} */ ({
  pages: { type: 'string', default: ',zh/' },
  visits: { type: 'string', default: '5' },
  slowdown: { type: 'string', default: '4' },
  network: { type: 'string', default: 'Fast 3G' },
  help: { type: 'boolean', default: false },
});

function parsed(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: spec }));
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
  const [visits, slowdown] = [values.visits, values.slowdown].map(Number);
  if (!(Number.isInteger(visits) && visits > 0))
    throw new Failure(`--visits must be a whole number above 0, got ${values.visits}.`);
  if (!(slowdown >= 1)) throw new Failure(`--slowdown must be 1 or more, got ${values.slowdown}.`);
  const networks = ['none', ...Object.keys(PredefinedNetworkConditions)];
  if (!networks.includes(values.network))
    throw new Failure(
      `--network must be one of ${networks.join(', ')}, got ${JSON.stringify(values.network)}.`,
    );
  return { ...values, visits, slowdown, pages: values.pages.split(',') };
}

/** In the page, before its scripts: what the browser says of its paints. */
function observePaints() {
  globalThis.paints = {};
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    });
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') globalThis.paints.text = startTime;
  });
  // The last entry counts: each is larger than the one before.
  observe('largest-contentful-paint', ({ startTime }) => (globalThis.paints.largest = startTime));
}

/** In the page: its paints once the first figure is drawn too and some frames have passed. */
async function paintsWhenDrawn() {
  const isDrawn = () => document.querySelector('ropewalk-figure').hasAttribute('drawn');
  for (let frames = 0; frames < 30; frames += Number(isDrawn()))
    await new Promise(requestAnimationFrame);
  return globalThis.paints;
}

async function visited(browser, url, { network, slowdown }) {
  const context = await browser.createBrowserContext();
  try {
    const tab = await newTab(context);
    await tab.setViewport({ width: 412, height: 823, deviceScaleFactor: 1.75, isMobile: true });
    await tab.evaluateOnNewDocument(observePaints);
    if (network !== 'none')
      await tab.emulateNetworkConditions(PredefinedNetworkConditions[network]);
    await tab.emulateCPUThrottling(slowdown);
    await tab.goto(url, { waitUntil: 'load' });
    return await tab.evaluate(paintsWhenDrawn);
  } finally {
    await context.close();
  }
}

await main(async () => {
  const options = parsed(process.argv.slice(2));
  if (options.help) return say(help);
  const site = process.env.SITE ?? inRoot('dist/site');
  if (!existsSync(site)) throw new Failure('There is no page yet: run npm run build first.');
  const { chromium } = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM ??= chromium;
  const server = await serve(site);
  const browser = await launch('chromium');
  const rows = [];
  try {
    for (const path of options.pages) {
      const all = [];
      // The server compresses a file when it is first requested: not counted.
      await visited(browser, server.url + path, { network: 'none', slowdown: 1 });
      for (let visit = 0; visit < options.visits; ++visit)
        all.push(await visited(browser, server.url + path, options));
      const middle = (key) => duration(median(all.map((paints) => paints[key])));
      rows.push([`/${path}`, middle('text'), middle('largest')]);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  const { network, slowdown, visits } = options;
  say(
    shown({
      title: `\nMedian of ${visits} first visits, network ${network}, processor ${slowdown} × slower`,
      columns: ['Page', 'First paint', 'Largest paint'],
      rows,
    }),
  );
});
