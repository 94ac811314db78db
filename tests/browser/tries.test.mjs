/**
 * What to try at each figure, by its definition: said in both languages, with settings that the
 * figure has. That a press sets and draws them is tested in English (figure_frame.sweep).
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runnerImport } from 'vite';
import { faultsOf } from './support/chinese.mjs';

const root = join(import.meta.dirname, '../../web');
const load = async (file) =>
  /** @type {any} */ (await runnerImport(join(root, file), { root, configFile: false })).module;
const { allFigures } = await load('assembly/figures.ts');
const { defaultsOf, readValue, writeValue } = await load('state.ts');

const figures = Object.entries(allFigures).filter(([, { tries }]) => tries);
const all = figures.flatMap(([name, { tries }]) => tries.map((each) => ({ name, ...each })));

/** In letters of full width: a label has to fit into one line of a phone. */
const widthOf = (text) =>
  [...text].reduce((sum, letter) => sum + (/[\u2e80-\uffef]/.test(letter) ? 1 : 0.55), 0);
const mostWidth = 21;

test('labels and notices are there in both languages, are Chinese on the Chinese page, and fit', () => {
  assert.ok(all.length > 100, `${all.length} buttons`);
  const faults = all.flatMap(({ name, label, notice }) => {
    const long = [label.en, label.zh].filter((text) => widthOf(text) > mostWidth);
    const foreign = [label.zh, notice.zh].filter((text) => !/[\u4e00-\u9fff]/.test(text));
    const chinese = [label.en, notice.en].filter((text) => !text || /[\u4e00-\u9fff]/.test(text));
    const unequal = ['。', '！', '？'].includes(notice.zh.at(-1)) ? [] : [notice.zh];
    return [
      ...long.map((text) => `too long: ${text}`),
      ...[...foreign, ...chinese].map((text) => `in another language: ${text}`),
      ...unequal.map((text) => `no sentence: ${text}`),
      ...faultsOf(label.zh),
      ...faultsOf(notice.zh),
    ].map((fault) => `${name}: ${fault}`);
  });
  assert.deepEqual(faults, []);
});

test('settings are values of their controls, and no two buttons set the same', () => {
  for (const [name, { controls, tries }] of figures) {
    assert.ok(tries.length <= (name === 'attention-lab' ? 6 : 3), `${name}: ${tries.length}`);
    const defaults = defaultsOf(controls, 'en');
    const states = tries.map(({ label, set }) => {
      for (const [key, value] of Object.entries(set)) {
        const control = controls[key];
        assert.ok(control, `${name}, ${label.en}: no control ${key}`);
        assert.equal(readValue(control, writeValue(value)), value, `${name}, ${label.en}: ${key}`);
      }
      return JSON.stringify({ ...defaults, ...set });
    });
    const distinct = new Set([JSON.stringify(defaults), ...states]);
    assert.equal(distinct.size, tries.length + 1, `${name}: ${tries.map(({ label }) => label.en)}`);
  }
});
