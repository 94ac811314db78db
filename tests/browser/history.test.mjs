/** Back and Forward: the settings are those of the address. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { browserNames } from './support/browser.mjs';
import { figureNames } from './support/figures.mjs';
import { visits } from './support/visits.mjs';

/** In the page: as text, the settings of every figure that belong into the address. */
const settingsOf = (names) =>
  names.map((name) => {
    const { settings, controls } = document.querySelector(`ropewalk-figure[name="${name}"]`);
    // One that is chosen elsewhere is in the address of that figure.
    const own = Object.keys(controls).filter((key) => !controls[key].brush);
    return `${name}: ${own.map((key) => `${key} ${settings[key]}`)}`;
  });

/** Moves every control of every figure to its first value or to its last. */
function moveAll(names, end) {
  for (const name of names) {
    const element = document.querySelector(`ropewalk-figure[name="${name}"]`);
    const changes = Object.entries(element.controls).flatMap(([key, control]) => {
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

for (const name of browserNames) {
  describe(`Back and Forward in ${name}`, () => {
    const visit = visits(name);

    /** Does something and waits until the address changes. */
    const written = async (act) => {
      const before = await visit.tab.evaluate(() => location.search);
      await act();
      await visit.tab.waitForFunction((old) => location.search !== old, { polling: 20 }, before);
    };
    const go = (steps) =>
      visit.tab.evaluate(
        (by) =>
          new Promise((done) => {
            addEventListener('popstate', () => setTimeout(done), { once: true });
            history.go(by);
          }),
        steps,
      );

    test('every figure goes back and forward with the address', async () => {
      await visit.open();
      const names = figureNames;
      await visit.tab.evaluate(
        (all) =>
          Promise.all(
            all.map((one) => document.querySelector(`ropewalk-figure[name="${one}"]`).load()),
          ),
        names,
      );
      const shown = () => visit.tab.evaluate(settingsOf, names);
      const defaults = await shown();
      await visit.tab.evaluate(() => (location.hash = 'waves'));
      await written(() => visit.tab.evaluate(moveAll, names, 0));
      const first = await shown();
      await visit.tab.evaluate(() => (location.hash = 'rotation'));
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
      await visit.page.assertNoComplaint();
    });

    test('the drawing and the control follow', async () => {
      const figure = await visit.figure('sinusoid-heatmap', { dim: 64 });
      await visit.tab.evaluate(() => (location.hash = 'sinusoid-heatmap'));
      await written(() => figure.set('dim', 16));
      for (const [steps, dim] of [
        [-1, 64],
        [1, 16],
      ]) {
        await figure.drawnAfter(() => go(steps));
        assert.equal(await figure.inside(`root.getElementById('dim').value`), String(dim));
        assert.equal((await figure.csv()).columns.length, dim + 1);
        const search = await visit.tab.evaluate(() => location.search);
        assert.equal(search, `?sinusoid-heatmap.dim=${dim}`);
      }
    });

    test('a pair goes back in every figure that shows it', async () => {
      const figure = await visit.figure('rotary-clocks');
      await visit.page.figure('rotary-wavelengths');
      const pairs = () =>
        visit.tab.evaluate(() =>
          ['rotary-clocks', 'rotary-wavelengths'].map(
            (one) => document.querySelector(`ropewalk-figure[name="${one}"]`).settings.pair,
          ),
        );
      await written(() => figure.set('pair', 2));
      const before = await pairs();
      await visit.tab.evaluate(() => (location.hash = 'rotary-clocks'));
      await written(() => figure.set('pair', 6));
      assert.notDeepEqual(await pairs(), before);
      await go(-1);
      assert.deepEqual(await pairs(), before);
    });

    test('the model of the page goes back as well', async () => {
      await visit.open('?model.preset=llama-2-7b');
      const chosen = (id) =>
        visit.tab.waitForFunction(
          (wanted) => {
            const { shadowRoot } = document.querySelector('ropewalk-model');
            const hasReport = Boolean(shadowRoot.querySelector('.summary'));
            return (
              shadowRoot.querySelector('select').value === wanted && hasReport === (wanted !== '')
            );
          },
          { polling: 20 },
          id,
        );
      await chosen('llama-2-7b');
      await visit.tab.evaluate(() => (location.hash = 'model'));
      const leave = () => {
        const select = document.querySelector('ropewalk-model').shadowRoot.querySelector('select');
        select.value = '';
        select.dispatchEvent(new Event('change'));
      };
      await written(() => visit.tab.evaluate(leave));
      await chosen('');
      await go(-1);
      await chosen('llama-2-7b');
      await go(1);
      await chosen('');
    });
  });
}
