// Trains the default live race of the built page in each browser and prints its time, how long the
// page was blocked meanwhile, and the work that is left after the reader leaves the page:
// `npm run race` (--help says how).
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setUpTools } from '../matrix/home.mjs';
import { launchWebKit } from '../matrix/webkit.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { say, step } from '../../tools/setup/steps.mjs';
import { setUpWebKit } from '../../tools/setup/webkit.mjs';
import { serve } from '../../tools/serve.mjs';
import { setup } from '../../tools/setup.mjs';
import { launch, newTab } from '../browser/support/browser.mjs';
import { watch } from './page_watch.mjs';
import { busyCores } from './processes.mjs';
import { shown } from './tables.mjs';

const names = ['chromium', 'firefox', 'webkit'];

const help = `npm run race -- [options]

  --only NAMES   browsers, separated by commas: ${names.join(', ')}
  --steps N      steps of each scheme (default: those of the page)

The site in dist/site is measured, or the one in the folder that SITE names.
`;

const spec = /** @type {const} */ ({
  only: { type: 'string' },
  steps: { type: 'string' },
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
  if (values.steps !== undefined && !(Number(values.steps) >= 50))
    throw new Failure(`--steps must be 50 or more, got ${values.steps}.`);
  return { ...values, only };
}

/** Goals: seconds of a race on two cores, and milliseconds of a task. */
const longestRace = 60;
const longTask = 50;

/** Milliseconds after which a race counts as stuck. */
const patience = 600_000;

/** A tab of the browser, in which text is evaluated: { version, open, evaluate, close }. */
async function openTab(name, webkit) {
  if (name === 'webkit') {
    const { driver, version, close } = await launchWebKit(webkit);
    const evaluate = (text) => driver.executeScript(`return ${text}`);
    return { version, open: (url) => driver.get(url), evaluate, close };
  }
  const browser = await launch(name);
  const tab = await newTab(browser);
  return {
    version: await browser.version(),
    open: (url) => tab.goto(url),
    evaluate: (text) => tab.evaluate(text),
    close: () => browser.close(),
  };
}

/** The figure of the race in a tab. */
class Race {
  constructor(tab) {
    this.tab = tab;
  }

  /** The value of an expression over the figure's `element` and its `root`. */
  inside(expression) {
    const element = `document.querySelector('ropewalk-figure[name="length-race"]')`;
    return this.tab.evaluate(
      `((element, root) => (${expression}))(${element}, ${element}?.shadowRoot)`,
    );
  }

  async until(expression) {
    const limit = performance.now() + patience;
    while (!(await this.inside(expression))) {
      if (performance.now() > limit) throw new Failure(`There was not ${expression}.`);
      await wait(50);
    }
  }

  /** Keeps the figure in sight until it draws: those above grow while they load. */
  async open(url) {
    await this.tab.open(url);
    await this.until(
      `element?.hasAttribute('drawn') || (element?.scrollIntoView({ behavior: 'instant' }), false)`,
    );
  }

  async start() {
    await this.inside(`(root.querySelector('.live button').click(), 0)`);
    await this.until(`root.querySelector('.live progress')?.value > 0`);
  }

  isDone() {
    return this.until(`root.querySelector('[data-live]').dataset.live === 'done'`);
  }

  /** Name and value of each live score at the training length. */
  scores() {
    return this.inside(`[...root.querySelectorAll('[data-number^="live-"][data-number$="-32"]')]
      .map(({ dataset, textContent }) => [dataset.number.split('-')[1], textContent.trim()])`);
  }
}

async function measured(name, url, webkit) {
  const tab = await openTab(name, webkit);
  try {
    const race = new Race(tab);
    await race.open(url);
    await tab.evaluate(`(${watch})()`);
    const start = performance.now();
    await race.start();
    await race.isDone();
    const seconds = (performance.now() - start) / 1000;
    const { pause, tasks } = await tab.evaluate('globalThis.watched');
    const scores = await race.scores();

    await race.start();
    const racing = await busyCores(1000);
    await tab.open('about:blank');
    await wait(500);
    const after = await busyCores(2000);
    return { version: tab.version, seconds, pause, tasks, scores, racing, after };
  } finally {
    await tab.close();
  }
}

const fixed = (value, digits) => value?.toFixed(digits);

function row({ version, seconds, pause, tasks, scores, racing, after }) {
  return [
    version,
    `${scores.length}: ${fixed(seconds, 1)} s`,
    tasks && fixed(Math.max(0, ...tasks), 0),
    fixed(pause, 0),
    fixed(racing, 2),
    fixed(after, 2),
    scores.map(([scheme, score]) => `${scheme} ${score}`).join(', '),
  ];
}

await main(async () => {
  const options = parsed(process.argv.slice(2));
  if (options.help) return say(help);
  const site = process.env.SITE ?? inRoot('dist/site');
  if (!existsSync(site)) throw new Failure('There is no page yet: run npm run build first.');
  const { chromium, firefox } = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM ??= chromium;
  process.env.ROPEWALK_FIREFOX ??= firefox;
  let webkit;
  if (options.only.includes('webkit')) {
    await setUpTools();
    webkit = await setUpWebKit();
  }
  const server = await serve(site);
  const query = options.steps === undefined ? '' : `?length-race.steps=${options.steps}`;
  const rows = [];
  try {
    for (const name of options.only)
      await step(name, async () => {
        rows.push(row(await measured(name, `${server.url}train-short.html${query}`, webkit)));
      });
  } finally {
    await server.close();
  }
  say(
    shown({
      title: `\nThe default live race, ${options.steps ?? 'all'} steps`,
      columns: ['', 'race', 'long task*', 'pause*', 'cores', 'after*', 'accuracy at 32'],
      rows,
      notes: [
        `goals: ${longestRace} s on two cores; no task of ${longTask} ms or more`,
        `long task: the longest that the browser reports, in ms, 0 where none takes ${longTask} ms`,
        'pause: the longest time between two runs of a 5 ms timer of the page, in ms; ' +
          'at least the longest task',
        'cores, after: cores in use by the browser in the race, and after the page was left',
      ],
    }),
  );
});
