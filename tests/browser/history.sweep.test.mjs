/** Back and Forward: every figure follows the address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from './support/figures.mjs';
import { travelIn } from './support/travel.mjs';
import { describeInChromium } from './support/visits.mjs';

/** In the page: as text, the settings of every figure that belong into the address. */
const settingsOf = (names) =>
  names.map((name) => {
    const { settings, figure } = document.querySelector(`ropewalk-figure[name="${name}"]`);
    const { controls } = figure;
    // One that is chosen elsewhere is in the address of that figure.
    const own = Object.keys(controls).filter((key) => !controls[key].brush);
    return `${name}: ${own.map((key) => `${key} ${settings[key]}`)}`;
  });

/** Moves every control of every figure to its first value or to its last. */
function moveAll(names, end) {
  for (const name of names) {
    const element = document.querySelector(`ropewalk-figure[name="${name}"]`);
    const changes = Object.entries(element.figure.controls).flatMap(([key, control]) => {
      const { kind, min, max, options, brush } = control;
      if (kind === 'text' || brush) return [];
      const values =
        kind === 'range'
          ? [min, max]
          : kind === 'switch'
            ? [false, true]
            : options.map(({ value }) => value);
      return [[key, values.at(end)]];
    });
    element.set(Object.fromEntries(changes));
  }
}

describeInChromium('every figure goes back', (visit) => {
  const { written, go } = travelIn(visit);

  // The figure of the front page has no settings.
  const drawn = pages.slice(1).filter(({ figures }) => figures.length > 0);
  for (const { path, figures: names } of drawn) {
    test(`every figure of /${path} goes back and forward with the address`, async () => {
      await visit.open(path);
      await visit.tab.evaluate(
        (all) =>
          Promise.all(
            all.map((one) => document.querySelector(`ropewalk-figure[name="${one}"]`).load()),
          ),
        names,
      );
      const shown = () => visit.tab.evaluate(settingsOf, names);
      const defaults = await shown();
      await visit.tab.evaluate(() => (location.hash = 'main'));
      await written(() => visit.tab.evaluate(moveAll, names, 0));
      const first = await shown();
      await visit.tab.evaluate(() => (location.hash = 'title'));
      await written(() => visit.tab.evaluate(moveAll, names, -1));
      const last = await shown();
      assert.notDeepEqual(first, last);
      for (const [steps, wanted] of [
        [-1, first],
        [-1, defaults],
        [2, last],
      ]) {
        await go(steps);
        assert.deepEqual(await shown(), wanted);
      }
    });
  }
});
