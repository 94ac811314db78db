/** The pure parts of the lab: how a text becomes tokens, and how tokens become numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';

const { joined, readText } = await importFromWeb('toy/tokens.ts');
const { embed, modelWidth, project, shuffledOrder, takeRows, weightsOf } =
  await importFromWeb('toy/toy_model.ts');
const { normal, textHash } = await importFromWeb('toy/hash_random.ts');

const texts = [
  [
    'words and punctuation',
    'The dog, can’t it? 3.14',
    ['The', 'dog', ',', 'can’t', 'it', '?', '3.14'],
  ],
  [
    'Han characters stand alone',
    '四川人不怕辣，OK',
    ['四', '川', '人', '不', '怕', '辣', '，', 'OK'],
  ],
  ['emoji stay whole', '🐶👨‍👩‍👧 🇨🇳👍🏽', ['🐶', '👨‍👩‍👧', '🇨🇳', '👍🏽']],
  ['right-to-left keeps its reading order', 'الكلب عض الرجل', ['الكلب', 'عض', 'الرجل']],
  ['composed and decomposed letters are one token', 'café cafe\u0301', ['café', 'café']],
  ['invisible signs are no tokens', 'a\u200b \u200f b\n\t\ud800 c', ['a', 'b', 'c']],
];

for (const [what, text, tokens] of texts) {
  test(`tokens: ${what}, with and without Intl.Segmenter`, () => {
    assert.deepEqual(readText(text), { tokens });
    assert.deepEqual(readText(text, null), { tokens });
  });
}

test('tokens read as text again: spaces where English has them, none in Chinese', () => {
  for (const text of [
    '“for it might end, you know,” said Alice to herself, “in my going out (altogether)”',
    'the red-hot poker—yes, that’s it; ‘poison’ or not?',
    '他不回答，对柜里说，“温两碗酒，要一碟茴香豆。”便排出九文大钱。',
  ]) {
    assert.equal(joined(readText(text).tokens), text);
  }
});

test('a text that breaks a rule is rejected with the rule and its value', () => {
  assert.deepEqual(readText(' \n\u200b').fault, { rule: 'empty' });
  assert.deepEqual(readText('a'.repeat(10000)).fault, {
    rule: 'characters',
    limit: 5000,
    count: 10000,
  });
  assert.deepEqual(readText('a '.repeat(600)).fault, { rule: 'tokens', limit: 512, count: 600 });
  assert.equal(readText('a '.repeat(512)).tokens.length, 512);
});

test('equal tokens have equal vectors, other tokens and other seeds have others', () => {
  const x = embed(['the', 'dog', 'the'], 1);
  const vector = (t) => x.subarray(t * modelWidth, (t + 1) * modelWidth);
  assert.deepEqual(vector(0), vector(2));
  assert.notDeepEqual(vector(0), vector(1));
  assert.notDeepEqual(embed(['the'], 2), vector(0));
});

test('the generator is frozen: a link shows the same numbers tomorrow', () => {
  assert.equal(textHash('dog'), 3865623817);
  assert.deepEqual(
    [0, 1, 2].map((i) => normal(7, i)),
    [-1.1374664306640625, -2.035491943359375, 0.86859130859375],
  );
});

test('draws have mean 0, variance 1 and survive float32', () => {
  const draws = Array.from({ length: 20000 }, (_, i) => normal(5, i));
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.04, `${mean} ${variance}`);
  assert.ok(draws.every((x) => Math.fround(x) === x && Math.abs(x) < 6));
});

test('a head keeps its weights when heads are added; likeness 1 makes Wk equal Wq', () => {
  const model = { heads: 2, headDim: 8, seed: 3, likeness: 0.5 };
  for (const role of ['query', 'key', 'value']) {
    const two = weightsOf(role, model);
    assert.deepEqual(weightsOf(role, { ...model, heads: 4 }).subarray(0, two.length), two);
  }
  const alike = { ...model, likeness: 1 };
  assert.deepEqual(weightsOf('key', alike), weightsOf('query', alike));
  assert.notDeepEqual(weightsOf('key', model), weightsOf('query', model));
});

test('project is x W per head', () => {
  const model = { heads: 2, headDim: 8, seed: 3, likeness: 0.5 };
  const x = embed(['dog', 'man'], 3);
  const weights = weightsOf('value', model);
  const out = project(x, weights, model);
  for (const [head, token, d] of [
    [0, 0, 0],
    [1, 1, 7],
    [1, 0, 3],
  ]) {
    let sum = 0;
    for (let c = 0; c < modelWidth; c++) {
      sum += x[token * modelWidth + c] * weights[(head * modelWidth + c) * 8 + d];
    }
    assert.equal(out[(head * 2 + token) * 8 + d], Math.fround(sum));
  }
});

test('a shuffle is a permutation, the same for the same seed; 0 keeps the order', () => {
  assert.deepEqual(shuffledOrder(5, 0), [0, 1, 2, 3, 4]);
  const order = shuffledOrder(100, 3);
  assert.deepEqual(order, shuffledOrder(100, 3));
  assert.notDeepEqual(order, shuffledOrder(100, 4));
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    shuffledOrder(100, 0),
  );
  assert.deepEqual([...takeRows(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 0], 2)], [5, 6, 1, 2]);
});
