/** Models of today: what each layer does, which pair follows which axis, and how large a base must be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { smallestBases } = await importFromWeb('chapters/models_of_today/base_records.ts');
const { layerPresets } = await importFromWeb('figures/layer_presets.ts');
const { ropeModels } = await importFromWeb('figures/rope_models.ts');
const models = ropeModels.filter(({ dim }) => dim === 128);

/** Layers, and those that rotate, as the configurations say. */
const layers = {
  'llama-4-scout': [48, 36],
  'smollm3-3b': [36, 27],
  'gemma-3-27b': [62, 62],
  'gemma-4': [30, 30],
  'qwen3-5-27b': [64, 16],
  'deepseek-v3': [61, 61],
  'deepseek-v4-flash': [43, 43],
  'kimi-linear-48b': [27, 0],
  inkling: [66, 0],
};

const title = (model) => layerPresets.find(({ id }) => id === model)?.title ?? '';

/** Pair 0 is the fastest; the axes of 32 pairs in sections of 11, 11 and 10. */
const axesOf = {
  interleaved: Array.from({ length: 32 }, (_, pair) => 'thw'[pair % 3]),
  consecutive: [...'t'.repeat(11), ...'h'.repeat(11), ...'w'.repeat(10)],
};

const wavelength = (pair) => 2 * Math.PI * 1e7 ** (pair / 32);

const choose = (shown, model) => shown.inside(`element.set({ model: '${model}' }).then(() => 0)`);

describeInBrowsers('models of today', (visit) => {
  const { claim, figure } = visit;

  for (const [language, path] of Object.entries({ en: '', zh: 'zh/' })) {
    test(`${language}: each model has a bar per layer, and its sentence counts those that rotate`, async () => {
      const shown = await figure('models-by-layer', {}, path);
      const total = Object.values(layers).reduce((sum, [all]) => sum + all, 0);
      assert.equal(await shown.inside(`root.querySelectorAll('.strips .layer').length`), total);
      for (const [model, [all, rotating]] of Object.entries(layers)) {
        await choose(shown, model);
        const sentence = await shown.text('.readout');
        // Of some all layers rotate, of others none.
        const counts = rotating === 0 || rotating === all ? [all] : [rotating, all];
        const said = sentence.replace(title(model), '').match(/\d+/g).map(Number);
        assert.deepEqual(
          said.toSorted((a, b) => a - b),
          counts,
          sentence,
        );
        const isNone = language === 'en' ? /: none of/ : /全都不旋转/;
        assert.equal(isNone.test(sentence), rotating === 0, sentence);
      }
    });

    claim(`C47 ${language}: each pair follows one axis, in blocks or in turns`, async () => {
      const shown = await figure('mrope-axes', {}, path);
      const { rows } = await shown.csv();
      rows.forEach((row, pair) => near(Number(row[3]) / wavelength(pair), 1, 1e-9, 'wavelength'));
      const says = (await shown.text('.readout')).match(/\d[\d,.]*\d/g).map(numberIn);
      Object.entries(axesOf).forEach(([order, expected], at) => {
        assert.deepEqual(
          rows.map((row) => row[1 + at]),
          expected,
          order,
        );
        // Blocks come first in the sentence.
        near(says[1 - at] / wavelength(expected.indexOf('w')), 1, 0.05, order);
      });
      assert.equal(await shown.inside(`root.querySelectorAll('.pair').length`), 2 * rows.length);
    });

    claim(
      `C47 ${language}: a token of the text rotates as in plain RoPE, a patch does not`,
      async () => {
        const shown = await figure('mrope-axes', {}, path);
        // Four tokens of text, two frames of two rows and three columns, three tokens of text.
        for (const [token, at] of /** @type {[number, number[]][]} */ ([
          [0, [0, 0, 0]],
          [3, [3, 3, 3]],
          [4, [4, 4, 4]],
          [9, [4, 5, 6]],
          [15, [5, 5, 6]],
          [16, [7, 7, 7]],
          [18, [9, 9, 9]],
        ])) {
          await shown.set('token', token);
          const { rows } = await shown.csv();
          const given = Object.fromEntries(
            rows.flatMap(([, turns, blocks, , a, b]) => [
              [turns, Number(a)],
              [blocks, Number(b)],
            ]),
          );
          assert.deepEqual(
            ['t', 'h', 'w'].map((axis) => given[axis]),
            at,
            `token ${token}`,
          );
          const says = await shown.text('.readout');
          const isText = token < 4 || token > 15;
          assert.equal(/t = h = w/.test(says), isText, says);
          if (!isText) continue;
          const said = says.match(/\d+/g).map(Number);
          assert.deepEqual(
            said.toSorted((x, y) => x - y),
            [at[0], 32, 32],
            says,
          );
        }
      },
    );

    claim(
      `C46 ${language}: a model’s base is enough where it lies above the smallest`,
      async () => {
        const shown = await figure('base-bound', {}, path);
        for (const { id, base, length } of models) {
          await choose(shown, id);
          const [, least] = smallestBases.find(([at]) => at === length);
          const says = await shown.text('.readout');
          const isEnough = language === 'en' ? /: enough\.$/ : /，够用。$/;
          assert.equal(isEnough.test(says.trim()), base >= least, says);
          const numbers = says.match(/\d[\d,]*\d{3}/g).map(numberIn);
          assert.ok(numbers.includes(base) && numbers.includes(length), says);
          assert.ok(numbers.includes(Number(least.toPrecision(2))), says);
        }
        const { rows } = await shown.csv();
        assert.deepEqual(
          rows.map((row) => row.map(Number)),
          smallestBases.map((row) => [...row]),
        );
      },
    );
  }
});
