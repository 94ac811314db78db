/** Checkpoints of safetensors and ONNX models: headers, small constants, and damaged files. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import onnxProto from 'onnx-proto';
import { place, run } from './command.mjs';
import { createRopewalk, inside } from './installed.mjs';

const rw = await createRopewalk();
const { diagnoseModelFile, isCheckpoint } = await inside('entries/diagnose');
const { blobSource, handleSource, writeSafetensors } = await inside('entries/files');
const { readOnnx, readOnnxValues } = await inside('formats/onnx');
const { onnx } = onnxProto;

const config = {
  model_type: 'qwen3',
  hidden_size: 256,
  head_dim: 64,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  num_hidden_layers: 2,
  max_position_embeddings: 4096,
  rope_theta: 1000000,
};
const source = (bytes, name) => blobSource(new Blob([bytes]), name);
const frequencies = (base = 1000000, width = 64) =>
  Float32Array.from({ length: width / 2 }, (_, pair) => base ** ((-2 * pair) / width));
const zeros = (...shape) => ({
  data: new Float32Array(shape.reduce((a, b) => a * b)),
  shape,
});
const bytesOf = (values) => new Uint8Array(Float32Array.from(values).buffer);

const shard = (layer, base, rows = 256) =>
  writeSafetensors({
    [`model.layers.${layer}.self_attn.q_proj.weight`]: zeros(rows, 256),
    [`model.layers.${layer}.self_attn.k_proj.weight`]: zeros(128, 256),
    [`model.layers.${layer}.self_attn.rotary_emb.inv_freq`]: {
      data: frequencies(base),
      shape: [32],
    },
  });

const judgedShards = (...files) =>
  diagnoseModelFile(rw, {
    files: files.map((bytes, i) => source(bytes, `model-${i}.safetensors`)),
    config,
  });

test('buffers and widths of a checkpoint are compared with its config', async () => {
  const sound = await judgedShards(shard(0), shard(1));
  assert.deepEqual([sound.verdict, sound.faults], ['correct', []]);
  assert.deepEqual(
    sound.settings.map(({ name, fate }) => [name, fate]),
    [
      ['rows of q_proj', 'kept'],
      ['rows of k_proj', 'kept'],
      ['inv_freq', 'kept'],
    ],
  );
  const other = await judgedShards(shard(0), shard(1, 10000));
  assert.deepEqual([other.verdict, other.faults], ['faults', ['wrong_base']]);
  const narrow = await judgedShards(shard(0, undefined, 128));
  assert.deepEqual(narrow.faults, ['head_width_wrong']);
  assert.match(narrow.hypotheses[0].says, /q_proj\.weight has 128 rows; .* need 256/);
});

test('an inv_freq without its scaling is that of older code', async () => {
  const scaled = { ...config, rope_scaling: { rope_type: 'linear', factor: 4 } };
  const files = [source(shard(0), 'model.safetensors')];
  assert.equal((await diagnoseModelFile(rw, { files, config: scaled })).verdict, 'correct');
});

test('a folder with an index is judged, and a missing shard is named', async () => {
  mkdirSync(place('shards'));
  const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
  const weight_map = Object.fromEntries(names.map((name, i) => [`layer ${i}`, name]));
  writeFileSync(place('shards/model.safetensors.index.json'), JSON.stringify({ weight_map }));
  writeFileSync(place('shards/config.json'), JSON.stringify(config));
  writeFileSync(place(`shards/${names[0]}`), shard(0));
  for (const words of ['shards', 'shards/model.safetensors.index.json']) {
    const { status, stdout } = await run('diagnose', words);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /1 of 2 safetensors files, 3 tensors\n {2}the weights of a model, not arrays of a run\n {2}not given: model-00002/,
    );
  }
});

test('one .safetensors file is a checkpoint or a dump, by the names in its header', async () => {
  const isWeights = (tensors) => isCheckpoint(source(writeSafetensors(tensors), 'x.safetensors'));
  const [q, layer] = [zeros(256, 256), 'model.layers.0.self_attn'];
  assert.equal(await isCheckpoint(source(shard(0), 'model.safetensors')), true);
  const others = { 'model.embed_tokens.weight': q, [`${layer}.q_proj.bias`]: zeros(256) };
  assert.equal(await isWeights({ [`${layer}.q_proj.weight`]: q, ...others }), true);
  const t5 = { 'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight': q };
  assert.equal(await isWeights({ ...t5, 'shared.weight': q }), true);
  // What a dump has: also weights of q and k, to be compared with a reference.
  const dumps = [{ [`${layer}.q_proj.weight`]: q }, t5, { q, q_rot: q }, { inv_freq: zeros(32) }];
  for (const dump of dumps) assert.equal(await isWeights(dump), false, Object.keys(dump).join());
  assert.equal(await isWeights({ ...others, 'layers.0.q_rot': q }), false);

  mkdirSync(place('single'));
  writeFileSync(place('single/config.json'), JSON.stringify(config));
  writeFileSync(place('single/model.safetensors'), shard(0, 10000));
  writeFileSync(place('single/other.safetensors'), writeSafetensors({ q }));
  const { status, stdout } = await run('diagnose', 'single/model.safetensors');
  assert.equal(status, 1);
  assert.match(stdout, /1 of 1 safetensors files, 3 tensors\n {2}the weights of a model/);
  assert.match(stdout, /wrong_base/);
});

test('safetensors of 6 GB are judged with less than 64 MB read', async () => {
  const size = 6 * 2 ** 30;
  const tensors = JSON.stringify({
    'model.layers.0.self_attn.rotary_emb.inv_freq': {
      dtype: 'F32',
      shape: [32],
      data_offsets: [0, 128],
    },
    weight: { dtype: 'U8', shape: [32, size / 32 - 4], data_offsets: [128, size] },
  });
  const handle = await open(place('large.safetensors'), 'w+');
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(tensors.length));
  await handle.write(Buffer.concat([start, Buffer.from(tensors), bytesOf(frequencies(10000))]));
  await handle.truncate(size + 8 + tensors.length);
  const large = handleSource('large.safetensors', handle, size + 8 + tensors.length);
  const { faults, bytesRead } = await diagnoseModelFile(rw, { files: [large], config });
  await handle.close();
  assert.deepEqual(faults, ['wrong_base']);
  assert.ok(bytesRead < 4096, `${bytesRead} bytes`);
});

test('a damaged header of safetensors is refused by name', async () => {
  const bytes = shard(0);
  for (const length of [0, 7, 8, 100, bytes.length - 1])
    await assert.rejects(
      judgedShards(bytes.subarray(0, length)),
      (error) => error instanceof RangeError && /^model-0\.safetensors/.test(error.message),
      `${length}`,
    );
  const absurd = Buffer.from(bytes);
  absurd.writeBigUInt64LE(2n ** 63n);
  await assert.rejects(judgedShards(absurd), {
    message:
      /model-0\.safetensors: the header must have at most \d+ bytes, got 9223372036854775808/,
  });
});

const float = onnx.TensorProto.DataType.FLOAT;

/** A cache of cos or sin: [rows, pairs]. */
function cache(name, of, { rows = 256, list = frequencies(), ...more } = {}) {
  const values = Array.from({ length: rows }, (_, row) => [...list].map((f) => of(row * f)));
  return {
    name,
    dims: [rows, list.length],
    dataType: float,
    rawData: bytesOf(values.flat()),
    ...more,
  };
}

const rotary = (attributes = {}, inputs = ['x', 'positions', 'cos_cache', 'sin_cache']) => ({
  name: '/layers.0/rotary',
  opType: 'RotaryEmbedding',
  domain: 'com.microsoft',
  input: inputs,
  output: ['y'],
  attribute: Object.entries(attributes).map(([name, i]) => ({
    name,
    i,
    type: onnx.AttributeProto.AttributeType.INT,
  })),
});

const modelBytes = (graph) =>
  onnx.ModelProto.encode(
    onnx.ModelProto.fromObject({ irVersion: 9, opsetImport: [{ version: 21 }], graph }),
  ).finish();

const judgedOnnx = (graph, files = []) =>
  diagnoseModelFile(rw, { files: [source(modelBytes(graph), 'model.onnx'), ...files], config });

const caches = (options) => [
  cache('cos_cache', Math.cos, options),
  cache('sin_cache', Math.sin, options),
];

test('an ONNX model is read as onnx-proto reads it', async () => {
  const weight = { name: 'w', dims: [1000, 1000], dataType: float, rawData: new Uint8Array(4e6) };
  const listed = { name: 'floats', dims: [3], dataType: float, floatData: [1, 2, 3] };
  const inner = { node: [rotary()], initializer: [{ ...listed, name: 'inner' }] };
  const choice = {
    opType: 'If',
    input: ['c'],
    output: ['z'],
    attribute: [{ name: 'then_branch', g: inner, type: onnx.AttributeProto.AttributeType.GRAPH }],
  };
  const graph = {
    node: [rotary({ interleaved: 1, rotary_embedding_dim: 32 }), choice],
    initializer: [weight, listed, ...caches()],
  };
  const bytes = modelBytes(graph);
  let read = 0;
  const plain = source(bytes, 'model.onnx');
  const counting = {
    ...plain,
    read(start, length) {
      read += length;
      return plain.read(start, length);
    },
  };
  const model = await readOnnx(counting);
  assert.ok(read < 2 ** 19, `${read} bytes`);
  const { graph: theirs } = onnx.ModelProto.decode(bytes);
  const [node] = theirs.node;
  assert.deepEqual(model.nodes[0], {
    operator: node.opType,
    name: node.name,
    inputs: node.input,
    attributes: Object.fromEntries(node.attribute.map(({ name, i }) => [name, Number(i)])),
  });
  assert.equal(model.nodes.length, 2);
  assert.deepEqual([...model.tensors.keys()].sort(), [
    ...['cos_cache', 'floats', 'inner', 'sin_cache', 'w'],
  ]);
  for (const { name, dims, rawData, floatData } of theirs.initializer) {
    const tensor = model.tensors.get(name);
    assert.deepEqual(tensor.shape, dims.map(Number));
    const first = await readOnnxValues(model, [], tensor, 0, 3);
    const raw = new DataView(rawData.buffer, rawData.byteOffset, rawData.length);
    const expected = [0, 1, 2].map((i) =>
      floatData.length ? floatData[i] : raw.getFloat32(4 * i, true),
    );
    assert.deepEqual([...first], expected, name);
  }
});

test('caches of an ONNX model are compared with its config', async () => {
  const sound = await judgedOnnx({ node: [rotary()], initializer: caches() });
  assert.deepEqual([sound.verdict, sound.faults], ['correct', []]);
  const list = frequencies(10000);
  const wrong = await judgedOnnx({ node: [rotary()], initializer: caches({ list }) });
  assert.deepEqual([wrong.verdict, wrong.faults], ['faults', ['wrong_base']]);
  const swapped = await judgedOnnx({
    node: [rotary({ interleaved: 1 })],
    initializer: caches(),
  });
  assert.deepEqual(swapped.faults, ['layout_swapped']);
  const wide = await judgedOnnx({
    node: [rotary({ rotary_embedding_dim: 32 })],
    initializer: caches(),
  });
  assert.deepEqual(wide.faults, ['rotary_width_wrong']);
});

test('caches beside the model and those of GroupQueryAttention are read', async () => {
  const inputs = ['q', 'k', 'v', 'pk', 'pv', 's', 't', 'cos_cache', 'sin_cache'];
  const attention = { ...rotary({ do_rotary: 1 }, inputs), opType: 'GroupQueryAttention' };
  const inside = caches({ list: frequencies(10000) });
  const data = Buffer.concat(inside.map(({ rawData }) => rawData));
  const initializer = inside.map(({ rawData, ...rest }, i) => ({
    ...rest,
    dataLocation: 1,
    externalData: [
      { key: 'location', value: 'model.onnx.data' },
      { key: 'offset', value: String(i * rawData.length) },
      { key: 'length', value: String(rawData.length) },
    ],
  }));
  const graph = { node: [attention], initializer };
  const { faults } = await judgedOnnx(graph, [source(data, 'model.onnx.data')]);
  assert.deepEqual(faults, ['wrong_base']);
  await assert.rejects(judgedOnnx(graph), {
    message: /model\.onnx: cos_cache must have its values in model\.onnx\.data, got no such file/,
  });
  mkdirSync(place('onnx'));
  writeFileSync(place('onnx/model.onnx'), modelBytes(graph));
  writeFileSync(place('onnx/model.onnx.data'), data);
  writeFileSync(place('onnx/config.json'), JSON.stringify(config));
  const { status, stdout } = await run('diagnose onnx/model.onnx --json');
  assert.deepEqual([status, JSON.parse(stdout).faults], [1, ['wrong_base']]);
});

test('inv_freq as a constant is found by its name or its values', async () => {
  const constant = (name) => ({
    name,
    dims: [1, 32, 1],
    dataType: float,
    rawData: bytesOf(frequencies(10000)),
  });
  for (const name of ['model.rotary_emb.inv_freq', '/model/Constant_7'])
    assert.deepEqual((await judgedOnnx({ node: [], initializer: [constant(name)] })).faults, [
      'wrong_base',
    ]);
});

test('a damaged ONNX model is refused by name', async () => {
  const bytes = modelBytes({ node: [rotary()], initializer: caches({ rows: 2 }) });
  for (let length = 0; length < bytes.length; length += 7)
    await assert.rejects(
      readOnnx(source(bytes.subarray(0, length), 'model.onnx')),
      (error) => error instanceof RangeError && /^model\.onnx/.test(error.message),
      `${length}`,
    );
  await assert.rejects(readOnnx(source(Buffer.alloc(64, 255), 'model.onnx')), {
    message: /^model\.onnx must have numbers of at most 10 bytes/,
  });
});
