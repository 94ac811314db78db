// Operates every control of the built pages at random and prints what goes wrong:
// `npm run monkey -- SECONDS SEED [OPERATION]`. With the number of an operation it replays the
// operations up to that one, and no longer. The site in dist/site is meant, or the one in SITE.
import { existsSync } from 'node:fs';
import { launch } from '../tests/browser/support/browser.mjs';
import { siteFolder, SitePage } from '../tests/browser/support/page.mjs';
import { serve } from '../tests/browser/support/server.mjs';
import { Failure, main } from './setup/failure.mjs';
import { say } from './setup/steps.mjs';
import { setup } from './setup.mjs';

/** Longer than this a task is felt, at this machine's own speed. */
const longest = 200;

await main(async () => {
  const [seconds, seed = 1 + (Date.now() % 2 ** 31), last = Infinity] = process.argv
    .slice(2)
    .map(Number);
  if (!(seconds > 0) || !Number.isSafeInteger(seed))
    throw new Failure(
      'How long, and from which seed: npm run monkey -- SECONDS [SEED [OPERATION]]',
    );
  if (!existsSync(siteFolder)) throw new Failure('There is no page yet: run npm run build first.');
  // What reads the pages of the site.
  const { faultText, monkey } = await import('../tests/browser/monkey/monkey.mjs');
  const { chromium } = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM = chromium;
  const site = await serve(siteFolder);
  const browser = await launch('chromium');
  const visit = {
    async open(path, { prepare }) {
      await visit.tab?.close();
      visit.tab = await browser.newPage();
      await visit.tab.setViewport({ width: 1200, height: 900 });
      await prepare(visit.tab);
      visit.page = new SitePage(visit.tab, site.address);
      await visit.page.open(path);
    },
  };
  const end = Date.now() + 1000 * seconds;
  const isEnough = (count) => count > last || Date.now() > end;
  say(`seed ${seed}`);
  try {
    const { operations, faults, tasks } = await monkey(visit, {
      seed,
      isEnough,
      say: (fault) => say(faultText(fault)),
    });
    const slow = tasks
      .filter(({ duration }) => duration > longest)
      .sort((a, b) => b.duration - a.duration);
    for (const { duration, replay, done } of slow.slice(0, 10))
      say(faultText({ replay, found: [`a task of ${Math.round(duration)} ms`], done }));
    const most = Math.round(Math.max(0, ...tasks.map(({ duration }) => duration)));
    say(
      `${operations} operations, ${faults.length} faults, longest task ${most} ms, ${slow.length} over ${longest} ms`,
    );
    if (faults.length + slow.length > 0) throw new Failure('Found something.');
  } finally {
    await browser.close();
    await site.close();
  }
});
