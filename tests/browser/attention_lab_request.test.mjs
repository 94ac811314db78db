/** How the settings of the lab become its request, and what is said where they cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';

const { compareText, requestOf, text } = await importFromWeb(
  'chapters/attention_lab/request.ts',
  'chapters/attention_lab/text.ts',
  'chapters/attention_lab/compare_text.ts',
);

const eleven = 'the dog bit the man and the man bit the dog';
const before = ['still', 'here'];
const settings = {
  mode: 'bench',
  text: eleven,
  scheme: 'sinusoidal',
  compare: 'off',
  difference: true,
  causal: true,
  offset: 1_000_000,
  heads: 6,
  dim: '32',
  likeness: 1,
  seed: 7,
  head: 2,
  shuffle: 3,
  view: 'terms',
};
const ask = (changes) => requestOf({ ...settings, ...changes }, before);

test('the request has the inputs of the layer, and no settings of the drawing', () => {
  const { request, notShown } = ask();
  const { mode: _, text: __, dim: ___, view: ____, difference: _____, ...model } = settings;
  const made = { tokens: eleven.split(' '), compare: undefined, headDim: 32, head: 1 };
  assert.deepEqual(request, { ...model, ...made });
  assert.deepEqual(notShown, { fault: undefined, requestedOffset: undefined });
  assert.equal(ask({ compare: 'alibi' }).request.compare, 'alibi');
});

test('trained weights are those of one layer of a causal model', () => {
  const { request } = ask({ weights: 'trained', layer: '2', causal: false });
  assert.deepEqual([request.layer, request.causal], [1, true]);
  assert.ok(!('layer' in ask({ weights: 'random', layer: '2' }).request));
});

test('a text that cannot be read gives an error, and the previous text stays', () => {
  const { request, notShown } = ask({ text: ' ' });
  assert.deepEqual(request.tokens, before);
  assert.deepEqual(notShown.fault, { rule: 'empty' });
});

test('C14 where the learned table ends, the text begins as late as it can, in A and in B', () => {
  for (const schemes of [{ scheme: 'learned' }, { compare: 'learned' }]) {
    const { request, notShown } = ask(schemes);
    assert.deepEqual([request.offset, notShown.requestedOffset], [501, 1_000_000]);
    const { request: last, notShown: nothing } = ask({ ...schemes, offset: 501 });
    assert.deepEqual([last.offset, nothing.requestedOffset], [501, undefined]);
    assert.equal(ask({ ...schemes, text: 'w '.repeat(512) }).request.offset, 0);
    assert.equal(ask({ ...schemes, text: '' }).request.offset, 510, 'of the text on show');
  }
});

test('C14 each page says it in its own language, with what was asked and where the text begins', () => {
  const said = (language) => text[language].past('1,000', 11, '501');
  assert.match(said('en'), /From position 1,000 on.* 11 tokens.* begins at 501/);
  assert.match(said('zh'), /位置 1,000 .*11 个词元.*位置 501/);
  assert.doesNotMatch(said('zh'), /[a-z]/i);
});

test('each page quotes a word and its position in its own signs', () => {
  assert.equal(compareText.en.token('dog', 3), '“dog” (3)');
  assert.equal(compareText.zh.token('狗', 3), '“狗”（位置 3）');
});
