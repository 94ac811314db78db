/** Models whose values exceed what float32 holds: no result is NaN, and the error says why. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filesOf, hubFolder, tokenOf } from './hub_folder.mjs';
import { createModelInWorker, createModels, readModelFolder, simds } from './installed.mjs';

const text = [0, tokenOf('a'), tokenOf('the'), tokenOf('b')];
const gain = 'model.layers.1.input_layernorm.weight';
const query = 'model.layers.1.self_attn.q_proj.weight';

/** A folder in which one weight is `value`. */
async function folderWith(name, value) {
  const folder = hubFolder();
  if (name) folder.tensors[name].data[3] = value;
  return (await readModelFolder(filesOf(folder))).model;
}

/**
 * The error of what a function does, awaited.
 * @returns {Promise<any>}
 */
async function errorOf(act) {
  try {
    await act();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Reads and writes in each way, by name. */
const uses = {
  logits: (model, options) => model.logits(text, options),
  loss: (model, options) => model.loss(text, options),
  'loss token by token': (model, options) => model.loss(text, { ...options, chunk: 1 }),
  async generate(model, options) {
    for await (const _ of model.generate(text, { maxTokens: 2, ...options }));
  },
};

for (const simd of simds)
  describe(simd, async () => {
    const { createModel } = await createModels({ simd });

    for (const precision of ['float32', 'stored', 'int8'])
      test(`a finite gain of 3e38 is named by ${Object.keys(uses).join(', ')}, ${precision}`, async () => {
        const model = await createModel({ ...(await folderWith(gain, 3e38)), precision });
        for (const [name, use] of Object.entries(uses)) {
          const error = await errorOf(() => use(model));
          assert.equal(error?.name, 'RangeError', `${name}: ${error}`);
          assert.deepEqual([error.parameter, error.rule], ['logits', 'must be finite'], name);
          assert.match(
            error.message,
            /^logits must be finite, got (NaN|-?Infinity): a value exceeds what float32 holds; the largest weight is 3e\+38, in model\.layers\.1\.input_layernorm\.weight$/i,
          );
        }
        model.dispose();
      });

    test('a matrix of 3e38 is refused by name where its rows are stored in fewer bits', async () => {
      const folder = await folderWith(query, 3e38);
      await assert.rejects(createModel({ ...folder, precision: 'int8' }), {
        name: 'RangeError',
        message:
          /^weights: model\.layers\.1\.self_attn\.q_proj\.weight must be at most 2\^29 .*, got 3\./,
      });
    });

    test('a change of positions may be the cause; the model reads on without it', async () => {
      const model = await createModel(await folderWith());
      const expected = model.loss(text);
      const position = { frequencies: { inverseFrequencies: [0.1], attentionFactor: 1e30 } };
      for (const [name, use] of Object.entries(uses)) {
        const error = await errorOf(() => use(model, { position }));
        assert.match(
          String(error),
          /^RangeError: logits must be finite, .*largest weight is 1,/,
          name,
        );
      }
      const weights = await errorOf(() => model.attentionWeights(text, 0, { position }));
      assert.match(String(weights), /RangeError: (logits|weights) must be finite, got/);
      assert.deepEqual(model.loss(text), expected);
      model.dispose();
    });
  });

test('a worker sends the error', async () => {
  const model = await createModelInWorker(await folderWith(gain, 3e38));
  await assert.rejects(model.loss(text), {
    name: 'RangeError',
    parameter: 'logits',
    message: /the largest weight is 3e\+38, in model\.layers\.1\.input_layernorm\.weight$/,
  });
  await model.dispose();
});
