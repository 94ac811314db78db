/** Random operations on pages of the text, from a seed. A fault is printed with the command that replays it. */
import { languages, pages } from '../support/figures.mjs';
import { randomFrom } from '../support/settings.mjs';
import { faultsOnScreen, operate, prepareMonkey, settled } from './operations.mjs';

const drawn = pages.filter(({ figures }) => figures.length > 0);
const batch = 10;

/** Everything is drawn, nothing has been touched. */
async function open(visit, path) {
  await visit.open(path, {
    prepare: async (tab) => {
      // What moves by itself would make a replay another story.
      await tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      await prepareMonkey(tab);
      await tab.evaluateOnNewDocument(() => {
        globalThis.longTasks = [];
        const note = (list) => longTasks.push(...list.getEntries().map(({ duration }) => duration));
        new PerformanceObserver(note).observe({ type: 'longtask' });
      });
    },
  });
  const names = await visit.tab.$$eval('ropewalk-figure', (all) =>
    all.map((figure) => figure.getAttribute('name')),
  );
  for (const name of names) await visit.page.figure(name);
  await visit.tab.evaluate(() => void (longTasks.length = 0));
}

/** @typedef {{ replay: string, found: string[], done: string[] }} Fault */

/**
 * Operates on a fresh page, in each language in turn, until `isEnough(operations)`; returns what went
 * wrong, each with the seed and the operations since the page was fresh, and the longest tasks.
 * @param visit a page of the site (support/visits.mjs)
 * @param {object} options
 * @param {number} options.seed
 * @param {(operations: number) => boolean} options.isEnough
 * @param {number} [options.perPage] operations before the page is opened anew
 * @param {(fault: Fault) => void} [options.say] is called with each fault as it is found
 */
export async function monkey(visit, { seed, isEnough, perPage = 200, say = () => {} }) {
  const faults = [];
  const tasks = [];
  let number = 0;
  for (let visits = 0; !isEnough(number); visits++) {
    const [language, folder] = Object.entries(languages)[visits % 2];
    const { path } = drawn[Math.floor(randomFrom(seed + visits)() * drawn.length)];
    const first = number;
    await open(visit, folder + path);
    while (number < first + perPage && !isEnough(number)) {
      const done = [];
      for (let k = 0; k < batch; k++, number++)
        done.push(`${number} ${await visit.tab.evaluate((...at) => operate(...at), seed, number)}`);
      await visit.tab.evaluate(() => settled());
      const seen = await visit.tab.evaluate(() => ({
        faults: faultsOnScreen(),
        tasks: longTasks.splice(0),
      }));
      const refused = await visit.tab.evaluate(() => globalThis.refused ?? []);
      const all = [...visit.page.complaints.splice(0), ...refused, ...seen.faults];
      const replay = `seed ${seed}, ${language} /${path}, operations ${first} to ${number - 1}`;
      tasks.push(...seen.tasks.map((duration) => ({ duration, replay, done })));
      if (all.length === 0) continue;
      const fault = { replay, found: [...new Set(all)], done };
      faults.push(fault);
      say(fault);
      // What is broken stays broken: the next batch begins on a fresh page.
      break;
    }
  }
  return { operations: number, faults, tasks };
}

/** @param {Fault} fault */
export const faultText = ({ replay, found, done }) =>
  [replay, ...found.map((what) => `  ${what}`), ...done.map((what) => `    ${what}`)].join('\n');
