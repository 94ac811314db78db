/** What a trained model computes of a given text, and how its use may differ from its training. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assertClose } from './inputs.mjs';
import { createRopewalk, createTraining, installed } from './installed.mjs';

const { positionSchemas } = await import(
  pathToFileURL(join(installed, 'training', 'options.js')).href
);

const [train, rw] = [await createTraining(), await createRopewalk()];
const model = { width: 16, layers: 2, heads: 2 };
const dim = model.width / model.heads;
const schemes = ['none', 'sinusoidal', 'rope', 'alibi', 'cope', 'fox', 'path', 'stick-breaking'];
const tokens = [7, 3, 19, 40, 3, 3, 11, 25, 7];

/** A trainer that has learned a little, which ends with the test. */
function trained(context, type) {
  const position = type === 'cope' ? { type, rows: 8 } : { type };
  const trainer = train.createTrainer({ task: { type: 'drawers' }, model, length: 12, position });
  context.after(() => trainer.dispose());
  trainer.step(5);
  return trainer;
}

const trainedFrequencies = () => rw.rotaryFrequencies({ dim }).inverseFrequencies;

/** The same model with each way to use it that changes nothing: [name, use]. */
const equalUses = [
  ['its own frequencies', { frequencies: { inverseFrequencies: trainedFrequencies() } }],
  ['a window that has all keys', { lookback: tokens.length - 1 }],
  ['a map that moves no key', { map: { type: 'rerope', window: tokens.length } }],
  ['factors of 1', { rowScale: () => 1 }],
];

/** Pairs of uses that give the same scores. */
const pairs = {
  'half the frequencies at twice the positions': [
    {},
    {
      positions: tokens.map((_, place) => 2 * place),
      frequencies: { inverseFrequencies: trainedFrequencies().map((value) => value / 2) },
    },
  ],
  'an attention factor and its square on the scores': [
    { frequencies: { inverseFrequencies: trainedFrequencies(), attentionFactor: 1.25 } },
    { rowScale: () => 1.25 ** 2 },
  ],
};

describe('logits', () => {
  for (const [name, use] of equalUses)
    test(`${name}: the same bits`, (context) => {
      const trainer = trained(context, 'rope');
      assert.deepEqual(trainer.logits(tokens, use), trainer.logits(tokens));
    });

  for (const [name, [first, second]] of Object.entries(pairs))
    test(name, (context) => {
      const trainer = trained(context, 'rope');
      const [a, b] = [first, second].map((use) => trainer.logits(tokens, use).data);
      assertClose(b, a, 1e-5);
    });

  test('every use changes them where it should', (context) => {
    const trainer = trained(context, 'rope');
    const plain = trainer.logits(tokens).data;
    const last = plain.length - 1;
    const { inverseFrequencies } = rw.rotaryFrequencies({
      dim,
      scaling: { type: 'yarn', factor: 4, originalLength: 12 },
    });
    for (const use of [
      { frequencies: { inverseFrequencies } },
      { map: { type: 'rerope', window: 2 } },
      { lookback: 2 },
      { rowScale: (place) => 1 + place },
    ])
      assert.notEqual(trainer.logits(tokens, use).data[last], plain[last], JSON.stringify(use));
  });

  test('of several sequences are those of each', (context) => {
    const trainer = trained(context, 'fox');
    const both = trainer.logits([...tokens, ...tokens.toReversed()], { batch: 2 });
    const each = [tokens, tokens.toReversed()].flatMap((one) => [...trainer.logits(one).data]);
    assert.deepEqual(both.shape, [2, tokens.length, 42]);
    assertClose(both.data, each, 1e-5);
  });

  for (const type of Object.keys(positionSchemas))
    test(`${type}: no use is ignored`, (context) => {
      const trainer = trained(context, type);
      const plain = trainer.logits(tokens).data;
      const uses = {
        frequencies: { inverseFrequencies: trainedFrequencies().map((value) => value / 2) },
        map: { type: 'rerope', window: 2 },
        lookback: 2,
        rowScale: (place) => 1 + place,
      };
      for (const [name, value] of Object.entries(uses)) {
        const use = { [name]: value };
        let changed;
        try {
          changed = trainer.logits(tokens, use).data;
        } catch (error) {
          assert.ok(error instanceof RangeError, String(error));
          assert.equal('parameter' in error && error.parameter, name);
          assert.throws(() => trainer.generate(tokens, 1, use), { parameter: name });
          assert.throws(() => trainer.evaluate({ lengths: [12], ...use }), { parameter: name });
          continue;
        }
        assert.notDeepEqual(changed, plain, name);
      }
    });

  test('a map needs positions that count up', (context) => {
    const trainer = trained(context, 'rope');
    const use = { map: { type: 'rerope', window: 2 }, positions: tokens.map((_, at) => 2 * at) };
    assert.throws(() => trainer.logits(tokens, use), { parameter: 'map' });
  });

  test('wrong options are named', (context) => {
    const trainer = trained(context, 'rope');
    const refused = (options, pattern, kind = RangeError) =>
      assert.throws(
        () => trainer.logits(tokens, options),
        (error) => error instanceof kind && pattern.test(error.message),
      );
    refused({ batch: 2 }, /^tokens must have a multiple of 2 values, got 9$/);
    refused({ frequencies: { inverseFrequencies: [1, 1, 1, 1, 1] } }, /frequencies/);
    refused({ map: { type: 'rope' } }, /map\.type/);
    refused({ frequency: [1] }, /frequency/, TypeError);
    assert.throws(() => trainer.logits([]), /tokens/);
    assert.throws(() => trainer.logits([42]), /^RangeError: .*42/);
  });
});

describe('generate appends the token with the largest logit', () => {
  const count = 6;
  const uses = { plain: undefined, 'scores that grow': { rowScale: (place) => 1 + place / 8 } };
  for (const type of schemes)
    for (const [name, use] of Object.entries(uses))
      test(`${type}, ${name}`, (context) => {
        const trainer = trained(context, type);
        const made = trainer.generate(tokens, count, use);
        const text = [...tokens];
        made.tokens.forEach((token, i) => {
          const { data, shape } = trainer.logits(text, use);
          const last = [...data.subarray(-shape[2])];
          assert.equal(token, last.indexOf(Math.max(...last)));
          const powers = last.map((logit) => Math.exp(logit - Math.max(...last)));
          const sum = powers.reduce((a, b) => a + b, 0);
          const row = made.probabilities.data.subarray(i * shape[2], (i + 1) * shape[2]);
          assertClose(
            row,
            powers.map((power) => power / sum),
            1e-6,
          );
          text.push(token);
        });
        assert.equal(made.tokens.length, count);
        assert.deepEqual(made.probabilities.shape, [count, 42]);
      });

  test('or draws it, the same for the same seed', (context) => {
    const trainer = trained(context, 'rope');
    const drawn = (options) => trainer.generate(tokens, 40, options).tokens;
    const hot = { temperature: 5, seed: 2 ** 31 };
    assert.deepEqual(drawn(hot), drawn(hot));
    assert.notDeepEqual(drawn(hot), drawn({ ...hot, seed: 3 }));
    assert.deepEqual(drawn({ ...hot, topP: 1e-9 }), drawn());
    const { probabilities } = trainer.generate(tokens, 1, hot);
    assert.deepEqual(probabilities, trainer.generate(tokens, 1).probabilities);
    assert.throws(() => drawn({ temperature: 1, topP: 2 }), /topP must be above 0 and at most 1/);
  });

  test('wrong arguments are named', (context) => {
    const trainer = trained(context, 'rope');
    assert.throws(
      () => trainer.generate([], 3),
      /^RangeError: tokens must have at least one value/,
    );
    assert.throws(() => trainer.generate([42], 3), /^RangeError: .*42/);
    assert.throws(() => trainer.generate(tokens, 0), /count/);
    assert.throws(() => trainer.generate(tokens, 3, { batch: 2 }), /batch/);
    // 43 numbers per token: as a 32-bit size, 3 of them.
    assert.throws(() => trainer.generate(tokens, 99882961), /the tokens and their probabilities/);
    assert.equal(trainer.generate(tokens, 1).tokens.length, 1);
  });
});
