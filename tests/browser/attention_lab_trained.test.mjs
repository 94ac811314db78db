/** The lab with trained weights: its maps are those of the trained model, from the same checkpoint. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSafetensors } from 'ropewalk/files';
import { createRopewalk } from 'ropewalk';
import { createModel, readLlama2cTokenizer } from 'ropewalk/model';
import { createTraining } from 'ropewalk/train';
import { bytesOf } from '../models/llama2c_file.mjs';
import { shippedFile } from '../models/ship.mjs';
import { largestDifference } from '../support/reference.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { openLab } from './support/lab.mjs';
import { describeInBrowsers } from './support/visits.mjs';
import { numberOf } from './support/numbers.mjs';

const root = join(import.meta.dirname, '..', '..');
const { examples, readText, runLab, symbolsOf, trainedLayer, withInputsFirst } =
  await importFromWeb(
    'toy/forward.ts',
    'toy/tokens.ts',
    'toy/trained_layer.ts',
    'chapters/attention_lab/text.ts',
  );

const recorded = join(root, 'web/trained');
const { plan } = JSON.parse(readFileSync(join(recorded, 'recorded/heads_repeats.json'), 'utf8'));
const { heads, layers } = plan.trainer.model;
const rw = await createRopewalk();
const training = await createTraining();

/** A recorded model, and what it is made of. */
function modelOf(variant) {
  const file = join(recorded, `checkpoints/heads_repeats_${variant}.safetensors`);
  const { tensors } = readSafetensors(readFileSync(file));
  const trainer = training.createTrainer({ ...plan.trainer, ...plan.variants[variant] });
  trainer.setParameters(Object.fromEntries(/** @type {any} */ (tensors)));
  return { trainer, parameters: trainer.parameters(), heads };
}

const schemes = { rope: 'rope-half-split', sinusoidal: 'sinusoidal', alibi: 'alibi' };
const sentence = 'the dog bit the man and the man bit the dog';
const tokens = sentence.split(' ');
const request = {
  tokens,
  scheme: 'rope-half-split',
  head: 0,
  heads: 8,
  headDim: 16,
  causal: true,
  offset: 0,
  shuffle: 0,
  seed: 1,
  likeness: 0.5,
};

const run = (model, changes) => {
  const asked = { ...request, ...changes };
  return runLab(rw, asked, trainedLayer(rw, model, asked.tokens, asked.layer));
};

/** Weights of one head of the model itself. */
function expected({ trainer }, shown, layer, head) {
  const { data } = trainer.attentionWeights(shown, layer);
  const size = shown.length ** 2;
  return [...data.subarray(head * size, (head + 1) * size)];
}

for (const [variant, scheme] of Object.entries(schemes))
  test(`${variant}: the weights of every layer and head are those of the trained model`, (context) => {
    const model = modelOf(variant);
    context.after(() => model.trainer.dispose());
    const symbols = symbolsOf(tokens, plan.trainer.task.symbols);
    for (let layer = 0; layer < layers; layer++)
      for (let head = 0; head < heads; head++)
        for (const shuffle of [0, 3]) {
          const { shown, request: used } = run(model, { scheme, layer, head, shuffle });
          const inOrder = shown.order.map((token) => symbols[token]);
          const difference = largestDifference(
            [...shown.weights],
            expected(model, inOrder, layer, head),
          );
          assert.ok(difference < 1e-4, `layer ${layer}, head ${head}: off by ${difference}`);
          assert.deepEqual([used.heads, used.headDim], [heads, 12]);
        }
  });

test('the other layout of RoPE gives the maps of the training: the weights are reordered', (context) => {
  const model = modelOf('rope');
  context.after(() => model.trainer.dispose());
  const symbols = symbolsOf(tokens, plan.trainer.task.symbols);
  for (let layer = 0; layer < layers; layer++) {
    const asked = { scheme: 'rope-interleaved', compare: 'rope-half-split', layer, head: 2 };
    const { shown, compared } = run(model, asked);
    const difference = largestDifference([...shown.weights], expected(model, symbols, layer, 2));
    assert.ok(difference < 1e-4, `layer ${layer}: off by ${difference}`);
    assert.ok(compared.largest.change < 1e-4, 'both layouts at once');
  }
});

test('another scheme acts in all layers, and none of it in the scores without position', (context) => {
  const model = modelOf('rope');
  context.after(() => model.trainer.dispose());
  const at = (changes) => run(model, { layer: 1, head: 2, ...changes });
  const { shown, compared } = at({ compare: 'none' });
  assert.ok(compared.largest.change !== 0);
  assert.deepEqual(compared.pass.scores, at({ scheme: 'none' }).shown.scores);
  assert.ok(largestDifference([...shown.content], [...compared.pass.scores]) < 1e-5);
});

test('a Llama: the weights of every layer and head are those of the model, in either layout', async () => {
  const model = await createModel({ weights: readFileSync(shippedFile) });
  const { layers, heads, keyHeads, normEpsilon: epsilon } = model.options;
  const symbols = [1, 403, 407, 261, 378, 432, 383, 286, 261, 376];
  const parameters = withInputsFirst(model.parameters());
  const own = { parameters, heads, keyHeads, layout: 'interleaved', epsilon };
  const words = symbols.map(String);
  for (let layer = 0; layer < layers; layer++) {
    const expected = model.attentionWeights(symbols, layer).data;
    for (const scheme of ['rope-interleaved', 'rope-half-split'])
      for (let head = 0; head < heads; head++) {
        const asked = { ...request, tokens: words, scheme, layer, head };
        const { shown } = runLab(rw, asked, trainedLayer(rw, { ...own, symbols }, words, layer));
        const part = expected.subarray(head * 100, (head + 1) * 100);
        const difference = largestDifference([...shown.weights], [...part]);
        assert.ok(difference < 1e-4, `layer ${layer}, head ${head}: off by ${difference}`);
      }
  }
  model.dispose();
});

/**
 * The weight on what came after earlier places of a query's token, averaged over the queries that
 * have such a place.
 */
function inductionOf({ shown }, words) {
  const sums = words.flatMap((word, query) => {
    const after = words.flatMap((other, key) => (key < query && other === word ? [key + 1] : []));
    const weight = (key) => shown.weights[query * words.length + key];
    return after.length > 0 ? [after.reduce((sum, key) => sum + weight(key), 0)] : [];
  });
  return sums.reduce((sum, value) => sum + value, 0) / sums.length;
}

for (const [language, example] of Object.entries({ en: examples.dog, zh: examples.pepper }))
  test(`as described in ${language}: an induction head, which PI breaks and NTK keeps`, (context) => {
    const model = modelOf('rope');
    context.after(() => model.trainer.dispose());
    const { tokens: words } = readText(example);
    const shares = ['rope-half-split', 'rope-linear', 'rope-ntk'].map((scheme) => {
      const result = run(model, { tokens: words, layer: 1, head: 3, scheme });
      return Math.round(100 * inductionOf(result, words));
    });
    const page = readFileSync(join(root, `web/chapters/attention_lab/${language}.md`), 'utf8');
    const item = page.split(/^- /m).find((part) => /Train short|短训练/.test(part));
    const said = [...item.matchAll(/(\d+) ?%/g)].map(([, share]) => Number(share));
    assert.deepEqual(said, shares);
  });

test('equal tokens are equal symbols; symbols are shared when they run out', () => {
  const many = Array.from({ length: 40 }, (_, i) => `word ${i % 33}`);
  const symbols = symbolsOf(many, 32);
  assert.equal(new Set(symbols.slice(0, 32)).size, 32);
  assert.equal(symbols[32], symbols[0]);
  assert.equal(symbols[33], symbols[0]);
  assert.ok(symbols.every((symbol) => symbol >= 0 && symbol < 32));
});

/** Returns the checkpoints that the page has requested. */
const checkpoints = (lab) =>
  lab.tab.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /heads_repeats_(\w+)-.*\.safetensors$/.exec(name)?.[1])
      .filter(Boolean),
  );

describeInBrowsers('the attention lab with trained weights', (visit) => {
  const weights = (rows) => rows.map((row) => numberOf(row[8]));

  test('a checkpoint is loaded when it is chosen, and its weights are on screen', async () => {
    const lab = await openLab(visit, { scheme: 'rope-half-split', head: '3', text: sentence });
    assert.deepEqual(await checkpoints(lab), []);
    await lab.choose('weights', 'trained');
    assert.deepEqual(await checkpoints(lab), ['rope']);
    const model = modelOf('rope');
    const symbols = symbolsOf(tokens, 32);
    const differs = async (layer) =>
      largestDifference(weights(await lab.table()), expected(model, symbols, layer, 2));
    assert.ok((await differs(1)) < 1e-4, 'the second layer');
    assert.equal((await lab.texts('.lab-head')).length, heads);
    await lab.choose('layer', '1');
    assert.ok((await differs(0)) < 1e-4, 'the first layer');
    model.trainer.dispose();
  });

  test('a Llama comes with its scheme, and its weights are on screen', async () => {
    const lab = await openLab(visit, {
      mode: 'inside',
      scheme: 'alibi',
      text: 'the dog bit the man',
    });
    await lab.choose('weights', 'llama');
    await lab.figure.until(`root.getElementById('scheme').value === 'rope-interleaved'
      && element.hasAttribute('drawn')`);
    const model = await createModel({ weights: readFileSync(shippedFile) });
    const symbols = readLlama2cTokenizer(bytesOf('tok512.bin')).encode('the dog bit the man');
    const shown = await lab.texts('.lab-tokens bdi');
    assert.deepEqual(shown.slice(0, 2), ['‹s›', 'the']);
    assert.equal(shown.length, symbols.length);
    const size = symbols.length ** 2;
    const second = model.attentionWeights(symbols, 1).data.subarray(0, size);
    assert.ok(largestDifference(weights(await lab.table()), [...second]) < 1e-4);
    assert.equal((await lab.texts('.lab-head')).length, 8);
    assert.match((await lab.texts('.lab-training'))[0], /260,032 parameters/);
    await lab.choose('scheme', 'rope-linear');
    assert.match((await lab.texts('.lab-training'))[0], /in place of/);
    model.dispose();
  });

  for (const [path, said] of Object.entries({
    '': [
      /1,000 steps of 32 texts, each 32 symbols/,
      /“none” in place of “RoPE, half-split”/,
      /normalizes/,
    ],
    'zh/': [/训练 1,000 步，每步 32 段文本/, /“RoPE（前后半配对）”都换成了“无位置编码”/, /归一化/],
  }))
    test(`a link with trained weights says what was trained, and what differs (${path || 'en'})`, async () => {
      const lab = await openLab(visit, { path, weights: 'trained', layer: '1', text: sentence });
      const note = async () => (await lab.texts('.lab-training'))[0];
      for (const part of said.slice(0, 2)) assert.match(await note(), part);
      await lab.press('.lab-training button');
      assert.doesNotMatch(await note(), said[1]);
      assert.deepEqual(await checkpoints(lab), ['rope']);
      await lab.choose('scheme', 'rope-interleaved');
      assert.doesNotMatch(await note(), said[1]);
      assert.match(await note(), /reordered|重排/);
      assert.deepEqual(await lab.texts('.lab-training button'), []);
      assert.deepEqual(await lab.texts('.lab-past'), [''], 'RoPE needs no mask');
      await lab.choose('scheme', 'alibi');
      assert.deepEqual(await checkpoints(lab), ['rope', 'alibi']);
      assert.deepEqual(await lab.texts('.lab-model'), []);
      await lab.choose('scheme', 'sinusoidal');
      await lab.choose('view', 'terms');
      assert.match((await lab.texts('.lab-terms p'))[0], said[2]);
    });
});
