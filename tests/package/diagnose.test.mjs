// Dumps with known faults, and the arguments of diagnose.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { runInNewContext } from 'node:vm';

import { judged, readPackedDumps } from '../dumps/judge.mjs';
import { isSwept } from '../support/sweep.mjs';
import { place, run, writeNpy, writeSafetensors } from './command.mjs';
import { createRopewalk, diagnose, layerPlanFromConfig } from './installed.mjs';

const rw = await createRopewalk();
const folder = join(import.meta.dirname, '../dumps/data');
const dumps = readPackedDumps(folder);

/** A diagnosis has a curve whose data are on the line of its best hypothesis. */
function assertCurve({ curve, verdict, hypotheses }, isFaulty) {
  const { axis, x, observed, expected, explained } = curve;
  assert.ok(x.length > 0 && x.length <= 64);
  assert.deepEqual([observed.length, expected.length], [x.length, x.length]);
  const at = axis === 'channel' ? 'value' : axis;
  assert.ok(at in curve.where.at, `${axis} ${JSON.stringify(curve.where)}`);
  if (verdict !== 'faults') return;
  assert.equal(explained.length, x.length);
  // NaN: keys after their query, which ALiBi's forms give other biases.
  const apart = observed.map((value, i) => Math.abs(value - explained[i]) || 0);
  assert.ok(Math.max(...apart) <= 1.001 * hypotheses[0].error + 1e-12, `${apart}`);
  if (!isFaulty) return;
  // A shorter list is NaN at its end.
  const isOff = (value, i) =>
    Number.isNaN(value) !== Number.isNaN(expected[i]) ||
    Math.abs(value - expected[i]) > hypotheses[0].error;
  assert.ok(observed.some(isOff), 'parts from the config');
}

/** The first dump of each kind. */
const firsts = new Map(dumps.toReversed().map((dump) => [dump.expect.faults.join(), dump]));

for (const { name, options, expect } of isSwept ? dumps : firsts.values()) {
  test(`dump ${name}: ${expect.faults.join(' + ') || 'correct'}, and its curve`, () => {
    const diagnosis = diagnose(rw, { ...options, curve: true });
    const { credit, expected, got } = judged(expect, diagnosis);
    assert.equal(credit, 1, `${got}, expected ${expected}`);
    assertCurve(diagnosis, expect.faults.length > 0);
  });
}

test('a dump may be a map of another realm, with arrays of that realm', () => {
  const { data, shape, format } = frequencies(10000).inv_freq;
  const made = runInNewContext(
    '(list, shape, format) => new Map([["inv_freq", { data: Float32Array.from(list), shape, format }]])',
  );
  const own = new Map([['inv_freq', { data, shape, format }]]);
  assert.deepEqual(
    diagnose(rw, { arrays: made(data, shape, format), config }),
    diagnose(rw, { arrays: own, config }),
  );
});

test('data that only a reference could show to be wrong are correct, and the result says so', () => {
  const q = { data: Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)), shape: [1, 1, 3, 8] };
  const arrays = { q, q_rot: rw.rotate(q, rw.rotaryFrequencies({ dim: 8 })) };
  const { verdict, hypotheses } = diagnose(rw, { arrays, config });
  assert.equal(verdict, 'correct');
  assert.match(
    hypotheses[0].says,
    /^The data are what the config says\. .* only a reference shows/,
  );
  assert.ok(hypotheses.some(({ faults }) => String(faults) === 'weights_permuted_twice'));
  const known = diagnose(rw, { arrays, config, reference: { q } });
  assert.equal(known.hypotheses[0].says, 'The data are what the config says.');
});

/** q before and after rotation of a model whose configuration says half-split pairs. */
function rotated(layout, names = ['q', 'q_rot']) {
  const data = Float32Array.from({ length: 24 }, (_, i) => Math.sin(i * i));
  const q = { data, shape: [1, 1, 3, 8] };
  return {
    [names[0]]: q,
    [names[1]]: rw.rotate(q, rw.rotaryFrequencies({ dim: 8 }), { layout }),
  };
}

test('pairs are those of llama.cpp where the dump says that it is from there', () => {
  const faultsOf = (layout, options = {}, names) =>
    diagnose(rw, { arrays: rotated(layout, names), config: llama, ...options }).faults;
  const runtime = 'llama.cpp';
  const own = ['Qcur-0', 'Qcur_rot-0'];
  for (const model_type of ['llama', 'mistral', 'granite', 'smollm3']) {
    const there = { runtime, config: { ...llama, model_type } };
    assert.deepEqual(faultsOf('interleaved', there), [], model_type);
    assert.deepEqual(faultsOf('half-split', there), ['layout_swapped'], model_type);
  }
  // NEOX in llama.cpp, or a model type that it does not have.
  for (const model_type of ['qwen2', 'gemma2', 'phi3', 'diffllama'])
    assert.deepEqual(faultsOf('half-split', { runtime, config: { ...llama, model_type } }), []);
  assert.deepEqual(faultsOf('interleaved', {}, own), []);
  assert.deepEqual(faultsOf('half-split', {}, own), ['layout_swapped']);
  assert.deepEqual(faultsOf('half-split', { runtime: 'hf' }, own), []);
  const [{ says }] = diagnose(rw, { arrays: rotated('half-split', own), config }).hypotheses;
  assert.match(says, /^Pairs .* are rotated; llama\.cpp, for this model, pairs adjacent/);
  const { expected } = diagnose(rw, { arrays: rotated('interleaved', own), config });
  assert.match(expected[0], /, interleaved pairs in llama\.cpp, /);
});

test('rows of a dump of llama.cpp may be in the order of its file or of the checkpoint', () => {
  const arrays = rotated('interleaved', ['Qcur', 'Qcur_rot']);
  const { data, shape } = arrays.Qcur;
  const halves = data.map((_, at) => {
    const pair = at % 4;
    return data[at - (at % 8) + (at % 8 < 4 ? 2 * pair : 2 * pair + 1)];
  });
  const verdictWith = (q) =>
    diagnose(rw, { arrays, config, reference: { q: { data: q, shape } } }).verdict;
  assert.equal(verdictWith(data), 'correct');
  assert.equal(verdictWith(halves), 'correct');
  assert.notEqual(verdictWith(data.map((value) => -value)), 'correct');
});

test('without the program, swapped pairs are said to be right in llama.cpp where they are', () => {
  const sayingsOf = (model_type, layout, runtime) => {
    const arrays = rotated(layout);
    const options = { arrays, config: { ...llama, model_type }, ...(runtime && { runtime }) };
    const { faults, hypotheses } = diagnose(rw, options);
    assert.deepEqual(faults, ['layout_swapped']);
    return hypotheses[0].says;
  };
  const both =
    /This is right if the dump is from llama\.cpp, which .*; otherwise the layout is swapped/;
  assert.match(sayingsOf('llama', 'interleaved'), both);
  assert.doesNotMatch(sayingsOf('llama', 'interleaved', 'vllm'), /llama\.cpp/);
  assert.doesNotMatch(sayingsOf('qwen2', 'interleaved'), /llama\.cpp/);
  assert.doesNotMatch(sayingsOf('cohere', 'half-split'), /llama\.cpp/);
});

test('one head of keys behind the rows, and masked scores of a half model, are read as they are', () => {
  const half = { ...config, num_key_value_heads: 1, torch_dtype: 'bfloat16' };
  const k = {
    data: Float32Array.from({ length: 40 }, (_, i) => Math.sin(i)),
    shape: [1, 1, 5, 8],
  };
  const turned = rw.rotate(k, rw.rotaryFrequencies({ dim: 8 }));
  const rowMajor = ({ data }) => ({ data, shape: [1, 5, 1, 8], format: 'f32' });
  const arrays = { k: rowMajor(k), k_rot: rowMajor(turned) };
  assert.equal(diagnose(rw, { arrays, config: half }).verdict, 'correct');
  const scores = { data: new Float32Array(25).fill(-Infinity), shape: [1, 1, 5, 5], format: 'f32' };
  for (let i = 0; i < 25; i += 6) scores.data[i] = 0;
  const zeros = { data: new Float32Array(40), shape: [1, 1, 5, 8], format: 'f32' };
  const masked = { q: zeros, k: zeros, scores };
  assert.doesNotThrow(() => diagnose(rw, { arrays: masked, config: half }));
});

test('sections of a partly rotated head do not keep other widths from being tried', () => {
  const partial = {
    model_type: 'qwen3_5_text',
    head_dim: 32,
    hidden_size: 64,
    num_attention_heads: 2,
    partial_rotary_factor: 0.5,
    rope_parameters: {
      rope_type: 'default',
      rope_theta: 10000,
      mrope_section: [3, 3, 2],
      mrope_interleaved: true,
    },
  };
  const whole = Float32Array.from(rw.rotaryFrequencies({ dim: 32 }).inverseFrequencies);
  const arrays = { inv_freq: { data: whole, shape: [16], format: 'f32' } };
  assert.deepEqual(diagnose(rw, { arrays, config: partial }).faults, ['rotary_width_wrong']);
});

test('positions are measured where even the slowest pair has turned more than once', () => {
  const rope_parameters = {
    full_attention: {
      rope_type: 'proportional',
      rope_theta: 1000000,
      partial_rotary_factor: 0.25,
    },
    sliding_attention: { rope_type: 'default', rope_theta: 10000 },
  };
  const gemma4 = {
    model_type: 'gemma4_text',
    hidden_size: 64,
    num_attention_heads: 1,
    num_key_value_heads: 1,
    num_hidden_layers: 2,
    head_dim: 64,
    global_head_dim: 64,
    layer_types: ['sliding_attention', 'full_attention'],
    rope_parameters,
  };
  const scaling = { type: 'proportional' };
  const frequencies = { dim: 64, rotaryFraction: 0.25, base: 1000000, scaling };
  const ids = [1, 200, 311, 600, 1023, 1500, 1700, 2049];
  const data = Float32Array.from({ length: 8 * 64 }, (_, i) => Math.sin(i * i));
  const q = { data, shape: [1, 1, 8, 64] };
  const positions = ids.map((id) => id % 1021);
  const arrays = {
    'layers.1.q': q,
    'layers.1.q_rot': rw.rotate(q, rw.rotaryFrequencies(frequencies), { positions }),
    position_ids: { data: Float32Array.from(ids), shape: [8] },
  };
  const { faults, hypotheses } = diagnose(rw, { arrays, config: gemma4 });
  assert.deepEqual(faults, ['table_too_short_wrapped']);
  assert.deepEqual(hypotheses[0].parameters, { wrap: 1021 });
});

test('the judge takes the first verdict, half of an equivalent, and one of what cannot be decided', () => {
  const of = (verdict, ...all) => ({
    verdict,
    faults: all[0],
    hypotheses: all.map((faults) => ({ faults })),
  });
  const credit = (expect, ...rest) => judged(expect, of(...rest)).credit;
  const base = { faults: ['wrong_base'], equivalents: [['scaling_missing']] };
  assert.equal(credit(base, 'faults', ['wrong_base']), 1);
  assert.equal(credit(base, 'faults', ['scaling_missing'], ['wrong_base']), 0.5);
  assert.equal(credit(base, 'faults', ['layout_swapped'], ['wrong_base']), 0);
  assert.equal(credit(base, 'undecided', ['wrong_base'], ['layout_swapped']), 0);
  assert.equal(credit(base, 'unknown', []), 0);
  assert.equal(credit({ faults: [] }, 'correct', []), 1);
  assert.equal(credit({ faults: [] }, 'unknown', []), 0);
  const open = { faults: ['wrong_base'], decidable: false, alternatives: [[]] };
  assert.equal(credit(open, 'correct', [], ['wrong_base']), 1);
  assert.equal(credit(open, 'correct', []), 0);
  assert.equal(credit(open, 'undecided', ['wrong_base']), 1);
});

const config = { model_type: 'llama', head_dim: 8, hidden_size: 16, num_attention_heads: 2 };
const llama = { ...config, rope_theta: 10000 };
const frequencies = (base) => ({
  inv_freq: {
    data: Float32Array.from(rw.rotaryFrequencies({ dim: 8, base }).inverseFrequencies),
    shape: [4],
    format: 'f32',
  },
});

test('a verdict has its evidence: errors, parameters, place and words', () => {
  const { verdict, faults, hypotheses, expected, ignored } = diagnose(rw, {
    arrays: { ...frequencies(500000), loss: frequencies(2).inv_freq },
    config,
  });
  assert.deepEqual([verdict, faults, ignored], ['faults', ['wrong_base'], ['loss']]);
  const [{ parameters, error, runnerUp, where, says, fix }] = hypotheses;
  assert.deepEqual(parameters, { base: 500000 });
  assert.ok(error < 1e-7 && runnerUp > 1e-4, `${error} ${runnerUp}`);
  assert.deepEqual(where, { array: 'inv_freq', at: { pair: 1 } });
  assert.match(says, /base 500000/);
  assert.match(fix, /rope_theta.*llama\.cpp.*MLX.*ONNX/);
  assert.match(expected[0], /RoPE on 8 of 8 channels, half-split pairs, base 10000/);
});

test('layers attend as the layer plan says where the configuration leaves it to the model type', () => {
  const heads = { head_dim: 8, hidden_size: 16, num_attention_heads: 2, num_hidden_layers: 6 };
  const dumpOf = (layers) =>
    Object.fromEntries(
      layers.flatMap(({ rotates, base }, i) => {
        const data = Float32Array.from({ length: 48 }, (_, at) => Math.sin(3 * at + i));
        const q = { data, shape: [1, 2, 3, 8], format: 'f32' };
        const by = rotates && rw.rotaryFrequencies({ dim: 8, base });
        const q_rot = by ? { ...q, data: rw.rotate(q, by, { layout: 'interleaved' }).data } : q;
        return Object.entries({ q, q_rot }).map(([name, x]) => [`model.layers.${i}.${name}`, x]);
      }),
    );
  const llama4 = { ...heads, model_type: 'llama4_text', rope_theta: 10000 };
  const { layers } = layerPlanFromConfig(llama4);
  assert.equal(layers[3].rotates, false);
  assert.equal(diagnose(rw, { arrays: dumpOf(layers), config: llama4 }).verdict, 'correct');
  const rotated = dumpOf(layers.map((layer) => ({ base: 10000, ...layer, rotates: true })));
  assert.deepEqual(diagnose(rw, { arrays: rotated, config: llama4 }).faults, [
    'nope_layer_rotated',
  ]);

  const gemma3 = { ...heads, model_type: 'gemma3_text' };
  const plan = layerPlanFromConfig(gemma3);
  const frequenciesIn = (at) => ({
    [`model.layers.${at}.inv_freq`]: frequencies(plan.layers[at].base).inv_freq,
  });
  assert.notEqual(plan.layers[0].base, plan.layers[5].base);
  for (const at of [0, 5])
    assert.equal(diagnose(rw, { arrays: frequenciesIn(at), config: gemma3 }).verdict, 'correct');

  const thinker = {
    thinker_config: { text_config: { ...heads, model_type: 'qwen2', rope_theta: 1e6 } },
  };
  assert.equal(diagnose(rw, { arrays: frequencies(1e6), config: thinker }).verdict, 'correct');
});

test('without a config, plain rotary positions are assumed, and the result reports that', () => {
  const plain = diagnose(rw, { arrays: frequencies(10000) });
  assert.equal(plain.verdict, 'correct');
  assert.match(plain.expected[0], /^no config; assumed: RoPE on 8 of 8 channels/);
});

test('what the arrays cannot decide is listed with the array that would', () => {
  const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 4096 };
  const scaled = { ...config, max_position_embeddings: 16384, rope_scaling: yarn };
  const { inverseFrequencies } = rw.rotaryFrequencies({
    dim: 8,
    scaling: { type: 'yarn', factor: 4, originalLength: 4096 },
  });
  const { cos, sin } = rw.rotaryTable(
    { inverseFrequencies, attentionFactor: 1, dim: 8 },
    { positions: 6 },
  );
  const tensor = (data) => ({ data: Float32Array.from(data), shape: [6, 4], format: 'f32' });
  const { verdict, hypotheses, further } = diagnose(rw, {
    arrays: new Map([
      ['cos', tensor(cos)],
      ['sin', tensor(sin)],
    ]),
    config: JSON.stringify(scaled),
  });
  assert.equal(verdict, 'undecided');
  assert.deepEqual(
    hypotheses.slice(0, 2).map(({ faults }) => faults),
    [['attention_factor_missing'], ['attention_factor_on_wrong_side']],
  );
  assert.match(further, /^scores/);
});

test('a long dump is judged by a part of its rows', () => {
  const rows = 3000;
  const { cos, sin } = rw.rotaryTable(rw.rotaryFrequencies({ dim: 8, base: 50000 }), {
    positions: rows,
  });
  const tensor = (data) => ({ data: Float32Array.from(data), shape: [rows, 4], format: 'f32' });
  const arrays = { cos: tensor(cos), sin: tensor(sin) };
  const { faults, hypotheses } = diagnose(rw, { arrays, config });
  assert.deepEqual([faults, hypotheses[0].parameters], [['wrong_base'], { base: 50000 }]);
});

test('the curve goes through the place where the data part, beside both predictions', () => {
  const arrays = frequencies(500000);
  assert.equal('curve' in diagnose(rw, { arrays, config }), false);
  const { curve, hypotheses } = diagnose(rw, { arrays, config, curve: true });
  assert.deepEqual(curve.where, hypotheses[0].where);
  assert.deepEqual([curve.axis, curve.x], ['pair', [0, 1, 2, 3]]);
  assert.deepEqual(curve.observed, [...arrays.inv_freq.data]);
  const predicted = (base) => [...rw.rotaryFrequencies({ dim: 8, base }).inverseFrequencies];
  assert.deepEqual([curve.expected, curve.explained], [predicted(10000), predicted(500000)]);
  const right = diagnose(rw, { arrays: frequencies(10000), config, curve: true });
  assert.deepEqual([right.verdict, right.curve.explained], ['correct', []]);
});

test('wrong arguments name the parameter, the rule and the value', () => {
  const arrays = frequencies(10000);
  const refused = (options, error, message) =>
    assert.throws(() => diagnose(rw, options), { name: error.name, message });
  refused({ arrays: 3 }, TypeError, /^arrays must be arrays by name, got 3$/);
  refused({ arrays, config: '{' }, RangeError, /^config must be JSON/);
  refused({ arrays, config: [] }, TypeError, /^config must be a JSON object or its text/);
  refused({ arrays, conf: config }, TypeError, /^diagnose options has no "conf"/);
  refused({ arrays: { loss: arrays.inv_freq } }, RangeError, /^arrays must hold .*none that/);
  const own = { ...config, rope_theta: 'many' };
  refused({ arrays, config: own }, TypeError, /^config\.rope_theta must be a number/);
});

/** What the command prints, the exit code and the line on standard error. */
const diagnosed = (args) => run('diagnose', args);

test('the command prints sentences, and JSON with --json', async () => {
  const { inv_freq } = frequencies(500000);
  writeFileSync(place('inv_freq.npy'), writeNpy(inv_freq));
  writeFileSync(place('small.json'), JSON.stringify(config));
  const args = 'inv_freq.npy --config small.json';
  const { stdout } = await diagnosed(args);
  assert.match(stdout, /The data are explained by wrong_base\.[^]*change: Pass the base/);
  const { verdict, faults } = JSON.parse((await diagnosed(`${args} --json`)).stdout);
  assert.deepEqual([verdict, faults], ['faults', ['wrong_base']]);
  const { status, stderr } = await diagnosed(`${args} --json=yes`);
  assert.deepEqual([status, stderr], [2, 'ropewalk: --json must have no value, got yes\n']);
});

test('the exit code is 0 without faults, 1 with faults, 2 without a verdict', async () => {
  writeFileSync(place('small.json'), JSON.stringify(config));
  const ending = async (name, tensor) => {
    writeFileSync(place(name), writeNpy(tensor));
    const { status, stderr } = await diagnosed(`${name} --config small.json`);
    return [status, stderr];
  };
  const start = 'ropewalk: the data must be what the config says, got';
  assert.deepEqual(await ending('inv_freq.npy', frequencies(10000).inv_freq), [0, '']);
  assert.deepEqual(await ending('inv_freq.npy', frequencies(500000).inv_freq), [
    1,
    `${start} wrong_base\n`,
  ]);
  const noise = { data: Float32Array.of(0.9, 0.7, 0.3, 0.1), shape: [4] };
  assert.deepEqual(await ending('inv_freq.npy', noise), [1, `${start} none of the known faults\n`]);
  const [code, line] = await ending('loss.npy', noise);
  assert.equal(code, 2);
  assert.match(String(line), /^ropewalk: arrays must hold something that positions decide/);
  writeFileSync(place('cut.npy'), writeNpy(noise).subarray(0, 20));
  assert.equal((await diagnosed('cut.npy')).status, 2);
  writeFileSync(place('broken.json'), '{');
  writeFileSync(place('inv_freq.npy'), writeNpy(noise));
  assert.equal((await diagnosed('inv_freq.npy --config broken.json')).status, 2);
  assert.equal((await diagnosed('nowhere.npy')).status, 2);
});

test('--runtime says which program computed the arrays', async () => {
  writeFileSync(place('small.json'), JSON.stringify(config));
  const { q, q_rot } = rotated('interleaved');
  writeFileSync(place('swapped.safetensors'), writeSafetensors({ q, q_rot }));
  const args = 'swapped.safetensors --config small.json';
  assert.equal((await diagnosed(args)).status, 1);
  assert.equal((await diagnosed(`${args} --runtime llama.cpp`)).status, 0);
});

test('files after --reference belong to it, up to the next option', async () => {
  const x = (data) => ({ data: Float32Array.from(data), shape: [1, 8] });
  writeFileSync(place('dump.safetensors'), writeSafetensors({ q: x([0, 2, 4, 6, 1, 3, 5, 7]) }));
  writeFileSync(place('k.npy'), writeNpy(x([7, 6, 5, 4, 3, 2, 1, 0])));
  writeFileSync(place('q.safetensors'), writeSafetensors({ q: x([0, 1, 2, 3, 4, 5, 6, 7]) }));
  writeFileSync(place('small.json'), JSON.stringify(config));
  const reference = '--reference k.npy q.safetensors --config small.json';
  const { stdout } = await diagnosed(`dump.safetensors ${reference} --json`);
  assert.deepEqual(JSON.parse(stdout).faults, ['weights_permuted_twice']);
});
