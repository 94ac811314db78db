/**
 * Folders that are no model: a file is missing, cut off, of another model or not what it says. Each
 * is refused by name, in the package and on the command line, and the next model loads.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { place, run } from './command.mjs';
import { memoryIn, withExports } from './heap.mjs';
import { filesOf, hubFolder, tokenOf } from './hub_folder.mjs';
import { createModels, createTokenizer, readModelFolder } from './installed.mjs';

const { started: instance, exported } = await withExports(() => createModels());
const memory = memoryIn(exported);
const good = filesOf(hubFolder());
const text = [0, tokenOf('a'), tokenOf('the'), tokenOf('b')];

/** Loads a folder and reads a text; the model is always disposed of. */
async function load(files) {
  const folder = await readModelFolder(files);
  const tokenizer = folder.tokenizer && (await createTokenizer(folder.tokenizer));
  const model = await instance.createModel(folder.model);
  try {
    return { losses: model.loss(text), tokenizer };
  } finally {
    model.dispose();
  }
}

const expected = (await load(good)).losses;

/** The error of a folder, after which the good one still gives the same losses. */
async function refusal(files) {
  const error = await load(files).then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.deepEqual((await load(good)).losses, expected);
  return error;
}

const shard = 'model-00002-of-00002.safetensors';
const query = 'model.layers.1.self_attn.q_proj.weight';
const changed = (change) => {
  const folder = hubFolder();
  change(folder);
  return filesOf(folder);
};
const without = (name) => {
  const { [name]: _, ...rest } = good;
  return rest;
};
const bytes = (content) => new TextEncoder().encode(content);
const config = (key, value) =>
  changed(({ json }) => {
    json['config.json'][key] = value;
  });

/** The files of each folder, and what its error says in both places. */
const folders = {
  'a shard that its index lists': [
    without(shard),
    /model-00002-of-00002\.safetensors is missing; model\.safetensors\.index\.json lists it/,
  ],
  'an index that is no JSON': [
    { ...good, 'model.safetensors.index.json': bytes('{ "weight_map": ') },
    /model\.safetensors\.index\.json must be JSON: /,
  ],
  'an index without names': [
    { ...good, 'model.safetensors.index.json': bytes('{ "weight_map": 5 }') },
    /model\.safetensors\.index\.json: weight_map must be an object, got 5/,
  ],
  'config.json': [without('config.json'), /config\.json is missing/],
  'a config.json that is no JSON': [
    { ...good, 'config.json': bytes('{ "model_type": "llama", ') },
    /config must be JSON: /,
  ],
  'a config.json that is a list': [
    { ...good, 'config.json': bytes('[]') },
    /config must be a JSON object or its text, got an array/,
  ],
  'a tokenizer.json that is no JSON': [
    { ...good, 'tokenizer.json': bytes('tokens') },
    /tokenizer must be JSON: /,
  ],
  'a family that is not known': [
    config('model_type', 'mamba'),
    /config\.model_type must be one of llama, .*, got "mamba"/,
  ],
  'no family': [config('model_type', undefined), /config\.model_type must be one of llama, /],
  'another width': [
    config('hidden_size', 16),
    /weights: model\.embed_tokens\.weight\.shape must fit E, 264 × 16, got \[264, 32\]/,
  ],
  'more layers than weights': [
    config('num_hidden_layers', 3),
    /weights: model\.layers\.2\.input_layernorm\.weight is missing/,
  ],
  'a size that is none': [
    config('num_attention_heads', '4'),
    /config\.num_attention_heads must be a .*number.*, got "4"/,
  ],
  'a scaling that is not known': [
    config('rope_scaling', { rope_type: 'spiral', factor: 2 }),
    /config\.rope_scaling\.(rope_)?type must be .*"spiral"/,
  ],
  'a tensor': [
    changed(({ tensors }) => delete tensors[query]),
    /weights: model\.layers\.1\.self_attn\.q_proj\.weight is missing; it has blocks\.1\.Wq/,
  ],
  'another shape': [
    changed(({ tensors }) => {
      tensors[query] = { data: new Float32Array(31 * 32), shape: [31, 32] };
    }),
    /q_proj\.weight\.shape must fit blocks\.1\.Wq, 32 × 32, got \[31, 32\]/,
  ],
  'weights of a quantization, without its settings': [
    changed(({ tensors }) => {
      tensors[query] = /** @type {any} */ ({ data: new Int8Array(32 * 32), shape: [32, 32] });
    }),
    /weights: model\.layers\.1\.self_attn\.q_proj\.weight must have floats, got "?i8/,
  ],
  'a weight that is NaN': [
    changed(({ tensors }) => (tensors[query].data[5] = NaN)),
    /weights: model\.layers\.1\.self_attn\.q_proj\.weight must be finite, got NaN/,
  ],
  'a weight that is infinite': [
    changed(({ tensors }) => (tensors['model.norm.weight'].data[0] = Infinity)),
    /weights: model\.norm\.weight must be finite, got Infinity/,
  ],
  'a file that is cut off': [
    { ...good, [shard]: good[shard].subarray(0, good[shard].length - 4) },
    /model-00002-of-00002\.safetensors must be a whole safetensors file/,
  ],
  'an empty file': [
    { ...good, [shard]: new Uint8Array(0) },
    /model-00002-of-00002\.safetensors must have at least 8 bytes, got 0/,
  ],
  'a tensor in two files': [
    { ...good, [shard]: good['model-00001-of-00002.safetensors'] },
    /weights: model\.embed_tokens\.weight must be in one file only/,
  ],
  'PyTorch’s own format alone': [
    { 'config.json': good['config.json'], 'pytorch_model.bin': new Uint8Array(99) },
    /files must have weights: \.safetensors, \.gguf or \.bin, got config\.json, pytorch_model\.bin/,
  ],
  'two files of .gguf': [
    { 'a.gguf': new Uint8Array(9), 'b.gguf': new Uint8Array(9) },
    /files must have one file of weights, got a\.gguf, b\.gguf/,
  ],
  'a .gguf that is none': [{ 'a.gguf': bytes('GGUF and then nothing') }, /a\.gguf/],
  'a .bin that is none': [{ 'a.bin': bytes('x'.repeat(99)) }, /a\.bin/],
};

for (const [name, [files, message]] of Object.entries(folders))
  test(`${name}: refused by name, and the next model loads`, async () => {
    const error = await refusal(files);
    assert.ok(error instanceof TypeError || error instanceof RangeError, String(error?.stack));
    assert.match(error.message, message);
    mkdirSync(place('hostile'));
    try {
      for (const [file, content] of Object.entries({
        'tokenizer.json': good['tokenizer.json'],
        ...files,
      }))
        writeFileSync(place(`hostile/${file}`), content);
      const { status, stdout, stderr } = await run('generate hostile --prompt the --max-tokens 2');
      assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2], stderr);
      assert.match(stderr, /^ropewalk: hostile: /);
      assert.match(stderr, message);
    } finally {
      rmSync(place('hostile'), { recursive: true });
    }
  });

test('the tokenizer of another model: its tokens are refused', async () => {
  const files = changed(({ json }) => {
    const { vocab } = json['tokenizer.json'].model;
    vocab['other'] = 900;
  });
  const { tokenizer } = await load(files);
  assert.equal(tokenizer.vocabulary, 901);
  mkdirSync(place('other'));
  for (const [file, content] of Object.entries(files))
    writeFileSync(place(`other/${file}`), content);
  const { status, stderr } = await run('generate other --prompt the');
  assert.equal(status, 1);
  assert.equal(
    stderr,
    'ropewalk: other: the tokenizer must have at most the 264 tokens of the model, got 901\n',
  );
});

describe('drawn changes of a folder', () => {
  /** Numbers from 0 to below `most`, from a seed. */
  const drawer = (seed) => {
    let state = seed + 1;
    return (most) => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      return (state >>> 0) % most;
    };
  };
  const odd = [null, -1, 0, 0.5, 2 ** 31, 1e300, 'x', [], {}, true, [1, 2], 7];
  /** Each changes the folder before or after it is written. */
  const changes = [
    (draw, folder) => {
      const all = folder.json['config.json'];
      const keys = Object.keys(all);
      all[keys[draw(keys.length)]] = odd[draw(odd.length)];
    },
    (draw, { tensors }) => {
      const names = Object.keys(tensors);
      delete tensors[names[draw(names.length)]];
    },
    (draw, { tensors }) => {
      const all = Object.values(tensors);
      const { data } = all[draw(all.length)];
      data[draw(data.length)] = [NaN, Infinity, -Infinity, 1e6, 3e38][draw(5)];
    },
    (draw, { tensors }) => {
      const all = Object.values(tensors);
      const tensor = all[draw(all.length)];
      tensor.shape = [[...tensor.shape].reverse(), [tensor.data.length], [1, ...tensor.shape]][
        draw(3)
      ];
    },
    (draw, folder) => {
      folder.shards = 1 + draw(3);
    },
  ];
  const cuts = [
    (draw, files, name) => (files[name] = files[name].subarray(0, draw(files[name].length))),
    (draw, files, name) => delete files[name],
    (draw, files, name) => {
      const copy = files[name].slice();
      copy[draw(Math.min(copy.length, 200))] = draw(256);
      files[name] = copy;
    },
  ];
  test('are errors with a name, or models whose losses are numbers; memory does not grow', async () => {
    let size = 0;
    let refused = 0;
    for (let seed = 0; seed < 150; seed++) {
      const draw = drawer(seed);
      const folder = hubFolder();
      const kind = draw(3);
      if (kind > 0) changes[draw(changes.length)](draw, folder);
      const files = filesOf(folder);
      const names = Object.keys(files);
      if (kind < 2) cuts[draw(cuts.length)](draw, files, names[draw(names.length)]);
      const result = await load(files).catch((error) => error);
      if (result instanceof Error) {
        refused++;
        const { parameter, message } = /** @type {any} */ (result);
        const isNamed = result instanceof TypeError || result instanceof RangeError;
        assert.ok(isNamed && parameter && message.length < 700, `${seed}: ${result.stack}`);
      } else assert.ok(!result.losses.some(Number.isNaN), `${seed}: ${result.losses}`);
      assert.deepEqual((await load(good)).losses, expected, `after ${seed}`);
      if (seed === 50) size = memory.buffer.byteLength;
    }
    assert.ok(refused > 30 && refused < 150, `${refused} refused`);
    assert.equal(memory.buffer.byteLength, size);
  });
});
