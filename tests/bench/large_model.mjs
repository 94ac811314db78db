// Gives a folder of 1 GB to the figure “Your own model” of the built page, lets it load and write, and
// prints how long the page was blocked and how much memory that took: `npm run large` (--help says how).
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say, step } from '../../tools/setup/steps.mjs';
import { serve } from '../../tools/serve.mjs';
import { setup } from '../../tools/setup.mjs';
import { launch, newTab } from '../browser/support/browser.mjs';
import { Figure, SitePage } from '../browser/support/page.mjs';
import { largeParameters, largeFolder } from './large_folder.mjs';
import { watch } from './page_watch.mjs';
import { peakMemory } from './processes.mjs';
import { shown } from './tables.mjs';
import { longestTasks, traceCategories } from './tasks.mjs';
import { watchWorkers } from './worker_memory.mjs';

const names = ['chromium', 'firefox'];

const help = `npm run large -- [options]

  --only NAMES   browsers, separated by commas: ${names.join(', ')}
  --folder PATH  where the model is, or is written to and kept (default: a temporary folder)

It takes some minutes, 1 GB of the disk's temporary folder and 2 GB of memory. The site in dist/site is
measured, or the one in the folder that SITE names.
`;

const spec = /** @type {const} */ ({
  only: { type: 'string' },
  folder: { type: 'string' },
  help: { type: 'boolean', default: false },
});

function parsed(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: spec }));
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
  const only = values.only?.split(',') ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no browser "${unknown}": they are ${names.join(', ')}.`);
  return { ...values, only };
}

/** Goals: milliseconds of a task of the page, and memory in units of the files. */
const longTask = 50;
const mostMemory = 1.3;

/** Milliseconds that the model may take to load or to write. */
const patience = 1_200_000;

/** Longest pause of the page since the last call, in milliseconds. */
async function longestPause(tab) {
  const { pause } = await tab.evaluate('globalThis.watched');
  await tab.evaluate(watch);
  return pause;
}

/** Parts of a visit, as marks in the trace. */
const marks = ['idle', 'choose', 'load', 'write'];
/** Milliseconds that the page is watched with nothing to do: pauses that others on the machine cause. */
const idleTime = 5000;

async function measured(name, url, files) {
  const browser = await launch(name, { protocolTimeout: patience });
  try {
    const tab = await newTab(browser);
    await watchWorkers(tab);
    const page = new SitePage(tab, url);
    await page.open('real-model.html?own-model.tokens=8');
    await page.figure('own-model');
    const figure = new Figure(tab, 'own-model', patience);
    const isTraced = name === 'chromium';
    if (isTraced) await tab.tracing.start({ categories: traceCategories });
    await tab.evaluate(watch);
    const pauses = {};
    const seconds = {};
    const part = async (mark, act) => {
      await tab.evaluate((text) => performance.mark(text), mark);
      const start = performance.now();
      await act();
      seconds[mark] = (performance.now() - start) / 1000;
      pauses[mark] = await longestPause(tab);
    };
    await part('idle', () => wait(idleTime));
    await part('choose', async () => {
      const input = await tab.evaluateHandle(
        () => document.querySelector('[name="own-model"]').shadowRoot.querySelectorAll('input')[1],
      );
      await /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (
        input
      ).uploadFile(...files);
      await figure.until(`root.querySelector('.main')`);
    });
    const estimate = await figure.text('[data-number="peak"]');
    await part('load', async () => {
      await figure.inside(`(root.querySelector('.main').click(), 0)`);
      await figure.until(`root.querySelector('.story, .refused')`);
    });
    const refusal = await figure.text('.refused');
    if (refusal) throw new Failure(`${name} does not load the model: ${refusal}`);
    const loaded = await tab.evaluate('globalThis.workerMemory');
    await part('write', () =>
      figure.until(`root.querySelector('[data-number="surprise"], .refused')`),
    );
    const memory = await tab.evaluate('globalThis.workerMemory');
    const trace = isTraced && JSON.parse(new TextDecoder().decode(await tab.tracing.stop()));
    const tasks = trace && longestTasks(trace, marks);
    const version = await browser.version();
    return { version, estimate, seconds, pauses, tasks, loaded, memory, process: peakMemory() };
  } finally {
    await browser.close();
  }
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
const whole = (value) => value?.toFixed(0);

await main(async () => {
  const options = parsed(process.argv.slice(2));
  if (options.help) return say(help);
  const site = process.env.SITE ?? inRoot('dist/site');
  if (!existsSync(site)) throw new Failure('There is no page yet: run npm run build first.');
  const { chromium, firefox } = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM ??= chromium;
  process.env.ROPEWALK_FIREFOX ??= firefox;
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'ropewalk-large-')));
  // The usual policy blocks workers from blobs, by which their memory is watched.
  const server = await serve(site, { headers: { 'X-Content-Type-Options': 'nosniff' } });
  const rows = [];
  const missed = [];
  let fileBytes = 0;
  try {
    let files = [];
    await step('write the folder', async () => {
      files = await largeFolder(folder);
      for (const file of files) fileBytes += (await stat(file)).size;
    });
    for (const name of options.only)
      await step(name, async () => {
        const one = await measured(name, server.url, files);
        const { loaded, memory, seconds, pauses, tasks } = one;
        const most = memory.wasm + memory.arrays;
        if (most > mostMemory * fileBytes) missed.push(`${name}: ${megabytes(most)} MB of memory`);
        const parts = marks.slice(1);
        for (const part of parts) {
          // Where no tasks are known, a pause that others do not cause.
          const longest = tasks ? tasks[part]?.longest : pauses[part] - pauses.idle;
          if (longest > longTask) missed.push(`${name}: a task of ${whole(longest)} ms (${part})`);
        }
        rows.push([
          one.version,
          ...['load', 'write'].map((part) => seconds[part].toFixed(1)),
          ...parts.map((part) => whole(tasks?.[part]?.longest)),
          marks.map((part) => whole(pauses[part])).join(', '),
          ...[loaded, memory].map(
            ({ wasm, arrays }) => `${megabytes(wasm)} + ${megabytes(arrays)}`,
          ),
          `${(most / fileBytes).toFixed(2)} ×`,
          one.estimate,
          `${(one.process / fileBytes).toFixed(2)} ×`,
        ]);
      });
  } finally {
    await server.close();
    if (options.folder === undefined) await rm(folder, { recursive: true });
  }
  say(
    shown({
      title: `\nA model of ${(largeParameters / 1e6).toFixed(0)} million parameters, ${megabytes(fileBytes)} MB`,
      columns: [
        '',
        ...['load, s', 'write, s', 'choose*', 'load*', 'write*', 'pauses*', 'loaded*', 'most*'],
        ...['of files', 'estimate', 'process*'],
      ],
      rows,
      notes: [
        `goals: no task of ${longTask} ms or more; at most ${mostMemory} times the files of memory`,
        'choose, load, write: the most processor time of a task of the page in ms, where the browser says it',
        'pauses: the longest time between two runs of a 5 ms timer of the page in ms, when it is idle and in ' +
          'these parts; on a busy machine they are long without any task',
        'loaded, most: WebAssembly memory + live arrays of the worker in MB, after loading and at the end',
        "process: the most memory of the page's process, in units of the files",
      ],
    }),
  );
  if (missed.length > 0) throw new Failure(`Missed: ${missed.join('; ')}.`);
});
