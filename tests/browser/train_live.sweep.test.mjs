/** Train short, test long: real trainings in the browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** Keeps count of the workers that train in a page. */
function countWorkers() {
  globalThis.training = new Set();
  globalThis.Worker = class extends Worker {
    constructor(script, options) {
      super(script, options);
      if (String(script).includes('/run_worker')) globalThis.training.add(this);
    }
    terminate() {
      globalThis.training.delete(this);
      super.terminate();
    }
  };
}

/** The mean that a cell of the table says, before its deviation. */
const cell = async (figure, id) =>
  Number((await figure.text(`[data-number="${id}"]`)).split(' ')[0]);

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const state = `root.querySelector('[data-live]')?.dataset.live`;
const press = (figure, index) =>
  figure.inside(`(root.querySelectorAll('.live button')[${index}].click(), 0)`);

describeInBrowsers('training on the page', (visit) => {
  const { claim, figure } = visit;

  const schemes = ['none', 'sinusoidal', 'learned', 't5', 'kerple', 'fox', 'cope'];
  const others = Object.fromEntries(schemes.map((scheme) => [scheme, 'no']));
  const short = { ...others, rope: 'yes', alibi: 'yes', steps: 50 };

  test('E1 a live race trains, pauses, goes on and scores better than a guess', async () => {
    const shown = await figure('length-race', short);
    assert.equal(await shown.inside(state), 'idle');
    // A small file of the worker's name only has its address.
    const names = await visit.tab.evaluate(() =>
      /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType('resource'))
        .filter(({ decodedBodySize }) => decodedBodySize > 1000)
        .map(({ name }) => name),
    );
    assert.deepEqual(
      names.filter((url) => /\/train(ing_worker)?-/.test(url)),
      [],
    );
    await press(shown, 0);
    await shown.until(`root.querySelector('.live progress')?.value > 0`);
    await press(shown, 0);
    assert.equal(await shown.inside(state), 'paused');
    await press(shown, 0);
    await shown.until(`${state} === 'done'`);
    for (const scheme of ['rope', 'alibi']) {
      const accuracy = await cell(shown, `live-${scheme}-32`);
      assert.ok(accuracy > 0.3 && accuracy <= 1, `${scheme}: ${accuracy}`);
    }
    const { rows } = await shown.csv();
    assert.equal(rows.filter(([, origin]) => origin === 'trained here').length, 10);
  });

  test('a race that is canceled or left ends its workers', async () => {
    const open = async () => {
      // Twenty runs take longer than the test waits: they do not end by being done.
      const prepare = (tab) => tab.evaluateOnNewDocument(countWorkers);
      await visit.openFigure('length-race', { seeds: '5' }, '', { prepare });
      const shown = await visit.page.figure('length-race');
      await press(shown, 0);
      await shown.until(`root.querySelector('.live progress')?.value > 0`);
      assert.ok((await visit.tab.evaluate(() => globalThis.training.size)) > 0, 'workers train');
      return shown;
    };
    const ended = () =>
      visit.tab.waitForFunction(() => globalThis.training.size === 0, { polling: 50 });
    const canceled = await open();
    await press(canceled, 1);
    await ended();
    assert.equal(await canceled.inside(state), 'idle');
    const left = await open();
    await left.inside('(element.remove(), 0)');
    await ended();
  });

  claim('E2 a model that is trained here is measured with the sliders', async () => {
    const settings = { task: 'drawers', steps: 50, model: 'own', method: 'rerope', length: '4' };
    const shown = await figure('extend-without-training', settings);
    assert.equal(await shown.inside(`root.querySelector('[data-number="measured"]')`), null);
    await press(shown, 0);
    await shown.until(`root.querySelector('[data-number="measured"]')`);
    const wide = await shown.number('measured');
    assert.ok(wide > 0.2 && wide <= 1, String(wide));
    await shown.set('window', 1);
    assert.notEqual(await shown.number('measured'), wide);
  });

  test('the weights of a trained head sum to 1 over its keys', async () => {
    const shown = await figure('trained-heads', { model: 'own', steps: 50, length: '64' });
    await press(shown, 0);
    await shown.until(`root.querySelector('.head-map')`);
    const { rows } = await shown.csv();
    assert.equal(rows.length, 64);
    for (const [query, ...weights] of rows.map((row) => row.map(Number))) {
      near(mean(weights) * 64, 1, 1e-5, `query ${query}`);
      assert.ok(
        weights.slice(query + 1).every((weight) => weight === 0),
        'causal',
      );
    }
    assert.equal(await shown.inside(`root.querySelectorAll('.head-map').length`), 4);
  });
});
