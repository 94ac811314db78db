/** The layers of a model: published configurations, the reader's own, and wrong ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few } from '../support/sweep.mjs';
import { Figure } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** Layers, rotating ones, those with a window or chunks, and those with extended frequencies. */
const models = {
  'llama-4-scout': [48, 36, 36, 36],
  'smollm3-3b': [36, 27, 0, 0],
  'command-r7b': [32, 24, 24, 0],
  'exaone-4-32b': [64, 48, 48, 48],
  'gemma-3-27b': [62, 62, 52, 10],
  'gemma-3n-e4b': [35, 35, 28, 0],
  'qwen3-next-80b': [48, 12, 0, 0],
  'qwen3-5-27b': [64, 16, 0, 0],
  'gemma-4': [30, 30, 25, 0],
  'deepseek-v3': [61, 61, 0, 61],
  'deepseek-v4-flash': [43, 43, 43, 43],
  'kimi-linear-48b': [27, 0, 0, 0],
};

describeInBrowsers('the layers of a model', (visit) => {
  const { alone, figure } = visit;

  test('each published configuration gives the counts of its layers', async () => {
    const shown = await alone('layer-plan', { model: Object.keys(models)[0] });
    for (const [model, counts] of few(Object.entries(models), 4)) {
      await shown.inside(`element.set({ model: '${model}' }).then(() => 0)`);
      const found = [];
      for (const id of ['layers', 'rotating', 'limited', 'scaled'])
        found.push(await shown.number(id));
      assert.deepEqual(found, counts, model);
      assert.equal(await shown.inside(`root.querySelectorAll('.plot .layer').length`), counts[0]);
    }
  });

  test('the finding says whether all layers are alike, and how many are of each kind', async () => {
    const said = async (language, model) =>
      (await alone('layer-plan', { model }, language)).text('.finding');
    for (const [language, [alike, different]] of few(
      Object.entries({
        '': ['Yes', 'No'],
        'zh/': ['一样', '不一样'],
      }),
    )) {
      const llama = await said(language, 'llama-4-scout');
      assert.ok(llama.startsWith(different), llama);
      assert.match(llama, /(in 4,|每 4 层).*\b12\D/);
      const one = await said(language, 'deepseek-v3');
      assert.ok(one.startsWith(alike), one);
      assert.match(one, /61 /);
    }
  });

  test('bases, windows and temperatures stand in the table of values', async () => {
    const gemma = (await (await alone('layer-plan', { model: 'gemma-3-27b' })).csv()).rows;
    assert.deepEqual(gemma[4], ['5', 'yes', '10000', 'no', '1024', '', '', '']);
    assert.deepEqual(gemma[5], ['6', 'yes', '1000000', 'yes', '', '', '', '']);
    const llama = (await (await alone('layer-plan')).csv()).rows;
    assert.deepEqual(llama[2], ['3', 'yes', '500000', 'yes', '', '8192', '', '']);
    assert.deepEqual(llama[3], ['4', 'no', '', 'no', '', '', '0.1', '8192']);
  });

  test('a file that is dropped is read here, and not by the panel of models', async () => {
    const shown = await figure('layer-plan');
    const config = JSON.stringify({ model_type: 'smollm3', num_hidden_layers: 8 });
    await shown.inside(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(config)}], 'config.json'));
      const drop = { bubbles: true, composed: true, cancelable: true, dataTransfer: data };
      root.querySelector('.own').dispatchEvent(new DragEvent('drop', drop));
      return 0;
    })()`);
    await shown.until(`root.querySelector('[data-number=layers]')?.textContent === '8'`);
    assert.equal(await shown.number('rotating'), 6);
    const panel = `document.querySelector('ropewalk-model').shadowRoot.querySelector('.fault')`;
    assert.equal(await visit.tab.evaluate(panel), null);
    const account = await shown.text('.account');
    assert.match(account, /config\.no_rope_layer_interval/);
  });

  test('what is wrong is named in the language of the page', async () => {
    const wrong = { model: 'own', config: '{"model_type":"llama","num_hidden_layers":0}' };
    /** @type {[string, RegExp][]} */
    const expected = [
      ['', /config\.num_hidden_layers must be a whole number at least 1 .*, got 0/],
      ['zh/', /config\.num_hidden_layers 必须是不小于 1 .*，现在是 0/],
    ];
    for (const [language, pattern] of few(expected)) {
      await visit.openFigure('layer-plan', wrong, language);
      const shown = new Figure(visit.tab, 'layer-plan');
      const fault = `(element.scrollIntoView(), root.querySelector('.fault')?.textContent)`;
      assert.match(await shown.until(fault), pattern);
    }
  });

  test('the arrow keys choose the layer that is described', async () => {
    const shown = await alone('layer-plan', { layer: '3' });
    assert.match(await shown.text('.readout'), /^Layer 3: rotation with base 500,000/);
    await shown.set('layer', 4);
    assert.equal(await shown.text('.readout'), 'Layer 4: no rotation, all keys in view.');
    assert.match(await shown.text('.kinds'), /all keys in view, temperature 1 \+ 0\.1 ln/);
  });
});
