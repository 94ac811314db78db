// Drags every slider of the built pages, drops a large dump on the page “Check your model”, and prints
// how long the main thread was blocked at most: `npm run responsiveness` (--help says how).
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { textPages } from '../../tools/build/text_pages.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say } from '../../tools/setup/steps.mjs';
import { serve } from '../../tools/serve.mjs';
import { setup } from '../../tools/setup.mjs';
import { launch } from '../browser/support/browser.mjs';
import { SitePage } from '../browser/support/page.mjs';
import { checkPage, measuredCheck } from './check_page.mjs';
import { shown } from './tables.mjs';
import { longestTasks, traceCategories } from './tasks.mjs';

const help = `npm run responsiveness -- [options]

  --only NAMES     figures, separated by commas, or ${checkPage}: a large dump (default: all)
  --slowdown N     how much slower than this machine's the page's processor is (default 4)
  --moves N        moves of the pointer in one drag (default 60)
  --query WORDS    settings to begin with, as links say them: attention-lab.tokens=512

The site in dist/site is measured, or the one in the folder that SITE names.
`;

const spec = /** @type {const} */ ({
  only: { type: 'string' },
  slowdown: { type: 'string', default: '4' },
  moves: { type: 'string', default: '60' },
  query: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
});

/** Long by the definition of the Long Tasks API. */
const longTask = 50;

function parsed(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: spec }));
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
  const [slowdown, moves] = [values.slowdown, values.moves].map(Number);
  if (!(slowdown >= 1)) throw new Failure(`--slowdown must be 1 or more, got ${values.slowdown}.`);
  if (!(Number.isInteger(moves) && moves > 0))
    throw new Failure(`--moves must be a whole number, got ${values.moves}.`);
  return { ...values, slowdown, moves, only: values.only?.split(',') };
}

/** What the browser itself calls a long task, by the clock: also what others made it wait for. */
function observeLongTasks() {
  globalThis.longTasks = [];
  const note = (list) => longTasks.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(note).observe({ type: 'longtask' });
}

/** Marks in the trace: here a drag begins, there it has ended. */
const dragOf = (id) => `drag ${id}`;
const rest = 'rest';

/** Ids of a figure's sliders, those among them that can be dragged now. */
const slidersOf = (figure) =>
  figure.inside(`[...root.querySelectorAll('input[type=range]')]
    .filter((slider) => !slider.disabled && slider.getClientRects().length > 0)
    .map(({ id }) => id)`);

/** From the slider's left end to its right end with the pointer down, then back to the defaults. */
async function drag(page, figure, id, moves) {
  const { left, right, y } = await figure.inside(`(() => {
    const slider = root.getElementById('${id}');
    slider.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, right, top, bottom } = slider.getBoundingClientRect();
    const thumb = 9;
    return { left: left + thumb, right: right - thumb, y: (top + bottom) / 2 };
  })()`);
  const { mouse } = page.page;
  await page.page.evaluate((name) => performance.mark(name), dragOf(id));
  await mouse.move(left, y);
  await mouse.down();
  for (let k = 1; k <= moves; k++) await mouse.move(left + ((right - left) * k) / moves, y);
  await mouse.up();
  await page.figure(figure.name);
  await page.page.evaluate((name) => performance.mark(name), rest);
  await figure.inside(`root.querySelector('.actions button:last-of-type').click()`);
  await page.figure(figure.name);
}

/** Drags each slider: what happened on the way, and what `after` says of each drag. */
async function dragAll(page, figure, sliders, moves, after) {
  const said = [];
  for (const id of sliders) {
    await drag(page, figure, id, moves);
    said.push(await after());
  }
  return said;
}

/**
 * Per slider of the figure: { id, longest, parts, seen }, times in milliseconds. Twice, since the
 * emulated slowness burns processor time of its own while the page waits for others.
 */
async function measured(page, name, { moves, slowdown }) {
  const figure = await page.figure(name);
  const sliders = await slidersOf(figure);
  if (sliders.length === 0) return [];
  const { tracing } = page.page;
  await tracing.start({ categories: traceCategories });
  await dragAll(page, figure, sliders, moves, () => {});
  const marks = [...sliders.map(dragOf), rest];
  const trace = JSON.parse(new TextDecoder().decode(await tracing.stop()));
  const tasks = longestTasks(trace, marks, slowdown);

  await page.page.emulateCPUThrottling(slowdown);
  const noted = () => page.page.evaluate(() => longTasks.splice(0));
  await noted();
  const seen = await dragAll(page, figure, sliders, moves, noted);
  await page.page.emulateCPUThrottling(null);
  return sliders.map((id, k) => ({ id, seen: seen[k], ...tasks[dragOf(id)] }));
}

const milliseconds = (value) => value.toFixed(1);

function row(name, { id, longest, parts, seen }) {
  const mostly = parts.map(({ name: part, time }) => `${part} ${milliseconds(time)}`).join(', ');
  const clock = seen.length > 0 ? `${seen.length}: ${milliseconds(Math.max(...seen))}` : '';
  return [`${name} ${id}`, milliseconds(longest), clock, mostly];
}

await main(async () => {
  const options = parsed(process.argv.slice(2));
  if (options.help) return say(help);
  const site = process.env.SITE ?? inRoot('dist/site');
  if (!existsSync(site)) throw new Failure('There is no page yet: run npm run build first.');
  const { chromium } = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM ??= chromium;
  const server = await serve(site);
  const browser = await launch('chromium', { protocolTimeout: 0 });
  const rows = [];
  try {
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1280, height: 900 });
    await tab.evaluateOnNewDocument(observeLongTasks);
    const page = new SitePage(tab, server.url);
    const pages = textPages(site);
    for (const name of options.only ?? [...pages.flatMap(({ figures }) => figures), checkPage]) {
      if (name === checkPage) {
        const found = await measuredCheck(page, options);
        rows.push(row(name, found));
        say(`  ${name}: ${milliseconds(found.longest)} ms`);
        continue;
      }
      const place = pages.find(({ figures }) => figures.includes(name));
      if (!place) throw new Failure(`There is no figure "${name}" on any page.`);
      await page.open(place.path + (options.query && `?${options.query}`));
      await page.figure(name);
      const sliders = await measured(page, name, options);
      for (const slider of sliders) rows.push(row(name, slider));
      const worst = Math.max(0, ...sliders.map(({ longest }) => longest));
      say(`  ${name}: ${milliseconds(worst)} ms`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  const { slowdown, moves } = options;
  say(
    shown({
      title: `\nLongest task of the page in ms, ${moves} moves per drag, ${slowdown} × slower`,
      columns: ['Slider', 'Processor', 'Clock*', 'Mostly'],
      rows,
      notes: [`tasks over ${longTask} ms that the page itself observed, and the longest of them`],
    }),
  );
});
