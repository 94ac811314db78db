/** Models of today: what each layer does, which pair follows which axis, and how large a base must be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { smallestBases } = await importFromWeb('chapters/models_of_today/base_records.ts');
const { layerPresets } = await importFromWeb('figures/layer_presets.ts');
const { ropeModels } = await importFromWeb('figures/rope_models.ts');
const rotaryModels = ropeModels.filter(({ dim }) => dim === 128);

/**
 * Whether layers rotate, how many there are, and how many of each kind where they differ: rotating
 * or not; where all rotate, seeing a window or everything.
 * @type {Record<string, ['every' | 'some' | 'none', number, ...number[]]>}
 */
const models = {
  'llama-4-scout': ['some', 48, 36, 12],
  'smollm3-3b': ['some', 36, 27, 9],
  'gemma-3-27b': ['every', 62, 52, 10],
  'gemma-4': ['every', 30, 25, 5],
  'qwen3-5-27b': ['some', 64, 16, 48],
  'deepseek-v3': ['every', 61],
  'deepseek-v4-flash': ['every', 43],
  'kimi-linear-48b': ['none', 27, 20, 7],
  inkling: ['none', 66],
};

const groups = {
  en: { every: 'in every layer', some: 'in some layers', none: 'in no layer' },
  zh: { every: '每层都旋转', some: '只有一部分层旋转', none: '全不旋转' },
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

  for (const [language, path] of few(Object.entries({ en: '', zh: 'zh/' }))) {
    test(`${language}: each model has a bar per layer, and the finding counts its kinds`, async () => {
      const shown = await figure('models-by-layer', {}, path);
      const all = Object.values(models);
      const total = all.reduce((sum, [, layers]) => sum + layers, 0);
      assert.equal(await shown.inside(`root.querySelectorAll('.strips .layer').length`), total);
      for (const [model, [group, ...counts]] of Object.entries(models)) {
        await choose(shown, model);
        const finding = await shown.text('.finding');
        assert.ok(finding.includes(groups[language][group]), finding);
        const alike = all.filter(([each]) => each === group).length;
        const said = finding.replace(title(model), '').match(/\d+/g).map(Number);
        const expected = [alike, all.length, ...counts];
        assert.deepEqual(
          said.toSorted((a, b) => a - b),
          expected.toSorted((a, b) => a - b),
          finding,
        );
      }
    });

    claim(`C47 ${language}: each pair follows one axis, in blocks or in turns`, async () => {
      const shown = await figure('mrope-axes', {}, path);
      const { rows } = await shown.csv();
      rows.forEach((row, pair) => near(Number(row[3]) / wavelength(pair), 1, 1e-9, 'wavelength'));
      const says = (await shown.text('.finding')).match(/[\d.]+(?=°)/g).map(Number);
      Object.entries(axesOf).forEach(([order, expected], at) => {
        assert.deepEqual(
          rows.map((row) => row[1 + at]),
          expected,
          order,
        );
        // Blocks come first in the sentence.
        const angle = 360 / wavelength(expected.indexOf('w'));
        const isSlowest = expected.findLastIndex((axis) => axis !== 'w') < expected.indexOf('w');
        assert.equal(isSlowest, at === 1, order);
        near(says[1 - at] / angle, 1, 0.05, order);
      });
      assert.equal(await shown.inside(`root.querySelectorAll('.pair').length`), 2 * rows.length);
      const heads = await shown.inside(
        `[...root.querySelectorAll('.number:is(.t, .h, .w)')].map((text) => text.textContent)`,
      );
      const beside = ['w 4', 'h 4', 'w 5', 'w 6', 'h 5'].toSorted();
      assert.deepEqual(heads.toSorted(), ['t 4', 't 5', ...beside, ...beside].toSorted());
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
          const says = await shown.text('.finding');
          const isText = token < 4 || token > 15;
          assert.equal(/t = h = w/.test(says), isText, says);
          const hues = await shown.inside(
            `new Set([...root.querySelectorAll('.pair')].map((pair) => pair.className.baseVal)).size`,
          );
          assert.equal(hues, isText ? 1 : 3, 'pairs have the hues of their axes');
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
        for (const { id, base, length } of rotaryModels) {
          await choose(shown, id);
          const [, least] = smallestBases.find(([at]) => at === length);
          const says = await shown.text('.finding');
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
