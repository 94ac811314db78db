/** Every figure while it computes: what is drawn meanwhile is one result, whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

/** Requests to the worker wait between hold() and release(). */
function holdableWorkers() {
  let held;
  globalThis.hold = () => (held = []);
  globalThis.release = () => {
    const waiting = held;
    held = undefined;
    for (const send of waiting) send();
  };
  globalThis.Worker = class extends Worker {
    postMessage(message, transfer) {
      const send = () => super.postMessage(message, transfer);
      if (held) held.push(send);
      else send();
    }
  };
}

/**
 * Moves every control that starts a computation to its ends and, before the result is there, every
 * control that changes the drawing alone; returns what was drawn without a number behind it.
 */
async function interrupted(name) {
  const element = document.querySelector(`ropewalk-figure[name="${name}"]`);
  const root = element.shadowRoot;
  const controls = Object.entries(element.figure.controls);
  const ends = (/** @type {FigureControl} */ { kind, min, max, options }) => {
    if (kind === 'range') return [min, max];
    if (kind === 'switch') return [false, true];
    return kind === 'choice' ? [options[0].value, options.at(-1).value] : [];
  };
  const moves = controls.flatMap(([key, control]) =>
    ends(control).map((value) => ({ key, value, isDisplay: control.display === true })),
  );
  const asking = moves.filter(({ isDisplay }) => !isDisplay);
  const showing = moves.filter(({ isDisplay }) => isDisplay);
  const faults = new Set();
  const matrices = [];
  const pixels = customElements.get('rw-pixels')?.prototype;
  if (pixels) {
    const { set } = Object.getOwnPropertyDescriptor(pixels, 'matrix');
    const noted = function (matrix) {
      matrices.push(matrix);
      set.call(this, matrix);
    };
    Object.defineProperty(pixels, 'matrix', { set: noted, configurable: true });
  }
  const look = async (what) => {
    await element.updateComplete.catch((error) => faults.add(`${what}: ${error.message}`));
    const drawing = root.querySelector('.drawing').innerHTML.replaceAll(/<!--.*?-->/g, '');
    const odd = drawing.search(/\b(?:NaN|undefined|Infinity)\b/);
    if (odd >= 0) faults.add(`${what}: ${drawing.slice(Math.max(0, odd - 60), odd + 20)}`);
    for (const { values, rows, columns } of matrices.splice(0)) {
      if (values.length !== rows * columns)
        faults.add(`${what}: ${values.length} values for ${rows} × ${columns}`);
    }
  };
  /** The pointer at the far corner of every chart and map. */
  const point = () => {
    for (const area of root.querySelectorAll('.drawing .pointer')) {
      const { right, bottom } = area.getBoundingClientRect();
      const place = { clientX: right - 1, clientY: bottom - 1, bubbles: true };
      area.dispatchEvent(new PointerEvent('pointermove', place));
    }
  };
  const drawn = async () => {
    while (!element.hasAttribute('drawn') && faults.size === 0)
      await new Promise((done) => setTimeout(done));
  };
  const defaults = Object.fromEntries(asking.map(({ key }) => [key, element.settings[key]]));
  for (const { key, value } of asking) {
    for (const changed of [value, defaults[key]]) {
      const what = `${key} ${changed}`;
      point();
      globalThis.hold();
      element.set({ [key]: changed });
      await look(what);
      for (const shown of showing) {
        element.set({ [shown.key]: shown.value });
        await look(`${what}, ${shown.key} ${shown.value}`);
      }
      if (element.figure.controls.pair?.brush) element.choosePair(element.figure.controls.pair.max);
      await look(`${what}, the last pair chosen elsewhere`);
      globalThis.release();
      await drawn();
      await look(`${what}, answered`);
    }
  }
  return [...faults];
}

const prepare = (tab) => tab.evaluateOnNewDocument(holdableWorkers);

describeInChromium('while a figure computes', (visit) => {
  for (const { path, figures } of pages) {
    test(`/${path}: every figure draws its last result with the settings of that result`, async (t) => {
      await visit.open(path, { prepare });
      for (const figureName of figures) {
        await t.test(figureName, async () => {
          await visit.page.figure(figureName);
          assert.deepEqual(await visit.tab.evaluate(interrupted, figureName), []);
        });
      }
    });
  }
});
