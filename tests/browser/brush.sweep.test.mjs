/** One pair of frequencies in every figure of a page: pointed at in one, seen in all that say they take part. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pages } from './support/figures.mjs';
import { Figure } from './support/page.mjs';
import { describeInChromium } from './support/visits.mjs';

describeInChromium('brushing', (visit) => {
  const found = [];
  after(() => assert.ok(found.length >= 6, found.join()));

  for (const { path, figures: names } of pages) {
    test(`/${path}: every figure that takes part shows the pair of another, and shows its own to others`, async () => {
      await visit.open(path);
      for (const each of names) await visit.page.figure(each);
      const taking = await visit.tab.$$eval('ropewalk-figure', (all) =>
        all.filter((one) => one.pairCount() !== undefined).map((one) => one.getAttribute('name')),
      );
      found.push(...taking);
      const figures = taking.map((each) => new Figure(visit.page.page, each));
      const drawings = () =>
        Promise.all(
          figures.map((figure) =>
            figure.inside(`root.querySelector('.drawing').innerHTML.replaceAll(/<!--.*?-->/g, '')`),
          ),
        );
      /** The page announces a brush in a separate task; each figure draws in a microtask. */
      const settled = () =>
        visit.tab.evaluate(async () => {
          await new Promise((done) => setTimeout(done));
          await new Promise((done) => setTimeout(done));
          await Promise.all(
            [...document.querySelectorAll('ropewalk-figure')].map((one) => one.updateComplete),
          );
        });
      const before = await drawings();
      for (const [k, figure] of figures.entries()) {
        /** The pointer comes onto the figure's first or its last mark of a pair, or leaves it. */
        const point = (share, kinds) =>
          figure.inside(`(() => {
          const marks = [...root.querySelectorAll('.drawing .pair-button, .drawing .spot')];
          const mark = marks.at(${share} * (marks.length - 1)) ?? root.querySelector('.drawing .pointer');
          const { left, width, top, height } = mark.getBoundingClientRect();
          const at = { clientX: left + 1 + ${share} * (width - 2), clientY: top + height / 2, bubbles: true };
          for (const kind of ${JSON.stringify(kinds)}) mark.dispatchEvent(new PointerEvent(kind, at));
          return 0;
        })()`);
        const moved = new Set();
        for (const share of [0, 1]) {
          await point(share, ['pointerenter', 'pointermove']);
          await settled();
          (await drawings()).forEach((drawing, i) => drawing !== before[i] && moved.add(taking[i]));
        }
        assert.deepEqual([...moved].toSorted(), taking.toSorted(), `moved by ${taking[k]}`);
        await point(1, ['pointerleave']);
        await settled();
        assert.deepEqual(await drawings(), before, `after ${taking[k]}`);
      }
    });
  }
});
