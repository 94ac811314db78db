/**
 * Every model type of the tables, spelled in several ways: as transformers 4 and 5 write it, with
 * one block of rope settings or one for each kind of layers, with the defaults of its class stated
 * or left out, and as the text part of another model. The answers must agree.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRopewalk, inside, layerPlanFromConfig, positionFromConfig } from './installed.mjs';

const rw = await createRopewalk();
const { familyOf } = await inside('config/families');
const { familyTable } = await inside('config/family_table');
const { partTable } = await inside('config/part_table');

const namesOf = (table) =>
  table
    .trim()
    .replaceAll('\n ', '')
    .split('\n')
    .flatMap((line) => line.split(' | ', 1)[0].split(' '));
const modelTypes = namesOf(familyTable);
const rotary = modelTypes.filter((name) => familyOf(name).scheme === 'rotary');
const wholes = namesOf(partTable).filter((name) => {
  const part = familyOf(familyOf(name).partType);
  return part && !part.part && part.scheme !== 'other';
});

const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    assert.ok(error instanceof RangeError || error instanceof TypeError, error.stack);
    return error.message.replaceAll(/config\.[\w.]*/g, 'config');
  }
};
const planOf = (config) => attempt(() => layerPlanFromConfig(config).layers);
const schemeOf = (config, layerType) =>
  attempt(() => {
    const { scheme } = positionFromConfig(rw, config, layerType && { layerType });
    const { inverseFrequencies = [], attentionFactor, softmaxScale } = scheme.frequencies ?? {};
    const frequencies = [attentionFactor, softmaxScale, ...inverseFrequencies];
    return { ...scheme, frequencies, within: undefined };
  });

/** The kinds of layers that rotate. */
function kindsOf(config) {
  const plan = planOf(config);
  const kinds = Array.isArray(plan) ? plan.filter(({ rotates }) => rotates) : [];
  return [...new Set(kinds.map(({ kind }) => kind))];
}

/** The plan and the scheme of each kind of layers, as text: that is compared fastest. */
const answerOf = (config, kinds = [undefined, ...kindsOf(config)]) =>
  [planOf(config), ...kinds.map((kind) => schemeOf(config, kind))]
    .map((answer) => JSON.stringify(answer))
    .join('\n');

const sizes = {
  hidden_size: 4096,
  num_attention_heads: 32,
  num_hidden_layers: 12,
  max_position_embeddings: 8192,
};
const original_max_position_embeddings = 2048;
const extensions = [
  { rope_type: 'linear', factor: 4 },
  { rope_type: 'dynamic', factor: 4 },
  { rope_type: 'yarn', factor: 4, original_max_position_embeddings },
  {
    rope_type: 'llama3',
    factor: 4,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings,
  },
];
const rope_theta = 30000;

test('the spellings of transformers 4 and 5 mean the same for every model type', () => {
  assert.ok(rotary.length > 150);
  for (const [i, model_type] of rotary.entries())
    for (const scaling of [{ rope_type: 'default' }, extensions[i % extensions.length]]) {
      const { rope_type: type, ...others } = scaling;
      const what = `${model_type}, ${type}`;
      const config = { model_type, ...sizes };
      const newer = { ...config, rope_parameters: { rope_theta, ...scaling } };
      const expected = answerOf(newer);
      const blocks = [scaling, { type, ...others }];
      if (type === 'default' && !familyOf(model_type).defaults.rope_parameters) blocks.push(null);
      for (const rope_scaling of blocks)
        assert.equal(answerOf({ ...config, rope_theta, rope_scaling }), expected, what);
    }
});

test('the share that is rotated may be inside the block or beside it', () => {
  const partial_rotary_factor = 0.5;
  for (const model_type of rotary) {
    const config = { model_type, ...sizes };
    const older = { ...config, rope_theta, rope_scaling: { rope_type: 'default' } };
    const block = { rope_theta, rope_type: 'default', partial_rotary_factor };
    const newer = { ...config, rope_parameters: block };
    assert.equal(answerOf({ ...older, partial_rotary_factor }), answerOf(newer), model_type);
  }
});

test('settings by kind of layers mean what one block or separate bases mean', () => {
  let checked = 0;
  for (const model_type of rotary) {
    const { bases, settings, scaledKinds } = familyOf(model_type);
    const config = { model_type, ...sizes, rope_theta };
    const scaling = { rope_type: 'linear', factor: 4 };
    const kinds = kindsOf(config);
    if (kinds.length < 2 || scaledKinds) continue;
    ++checked;
    const older = { ...config, rope_scaling: scaling };
    const blocks = kinds.map((kind) => {
      const name = settings?.[kind] ?? kind;
      if (!bases) return [name, { rope_theta, ...scaling }];
      const { key, isScaled } = bases[name];
      const own = config[key] ?? familyOf(model_type).defaults[key];
      return [name, { rope_theta: own, ...(isScaled ? scaling : { rope_type: 'default' }) }];
    });
    const { rope_theta: _, ...rest } = config;
    const newer = { ...rest, rope_parameters: Object.fromEntries(blocks) };
    assert.equal(answerOf(newer, kinds), answerOf(older, kinds), model_type);
  }
  assert.ok(checked > 15, `${checked} model types have several kinds of layers`);
});

test('a file that states the defaults of its class means what one without them means', () => {
  for (const model_type of modelTypes) {
    const { defaults } = familyOf(model_type);
    assert.equal(answerOf({ model_type, ...defaults }), answerOf({ model_type }), model_type);
  }
});

test('a text part means the same inside a whole model, with and without its type, and flat', () => {
  assert.ok(wholes.length > 80);
  for (const whole of wholes) {
    const { part, partType, fillsPart, defaults } = familyOf(whole);
    const family = familyOf(partType);
    const keys = {
      ...sizes,
      ...(family.scheme === 'rotary' && { head_dim: 128, rope_theta, rope_scaling: null }),
    };
    const alone = { model_type: partType, ...keys };
    const nested = (section) =>
      part.split('.').reduceRight((inner, key) => ({ [key]: inner }), section);
    const typed = { model_type: whole, ...nested(alone) };
    const plain = { model_type: whole, ...nested(keys) };
    const expected = answerOf(typed);
    if (!fillsPart) assert.equal(answerOf(alone), expected, whole);
    assert.equal(answerOf(plain), expected, `${whole} without the type of its part`);
    // A class may give a section that is absent other values than a section that is there.
    if (Object.keys(defaults).length > 0) continue;
    assert.equal(answerOf({ model_type: whole, ...keys }), expected, `${whole}, flat`);
  }
});
