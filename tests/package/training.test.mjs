/** `ropewalk/train`: trainers from a seed, their gradients, snapshots and memory. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { few } from '../support/sweep.mjs';
import { assertClose, tensor } from './inputs.mjs';
import { highWater, memoryIn, withExports } from './heap.mjs';
import {
  createRopewalk,
  createTrainer,
  createTraining,
  createTrainingPool,
  inside,
  installed,
} from './installed.mjs';

const { started: train, exported } = await withExports(() => createTraining());
const tiny = { width: 16, layers: 2, heads: 2 };
const { positionSchemas } = await inside('training/options');
const forms = [
  { type: 'none' },
  { type: 'sinusoidal' },
  { type: 'learned', rows: 16 },
  { type: 'rope' },
  { type: 'rope', layout: 'interleaved', base: 100 },
  { type: 'xpos' },
  { type: 'alibi' },
  { type: 't5', buckets: 8, maxDistance: 16, tableScale: 8, perLayer: true },
  { type: 'kerple', softplus: true, perLayer: true },
  { type: 'fire', hidden: 8, threshold: 4 },
  { type: 'cope', rows: 6 },
  { type: 'fox' },
  { type: 'ssmax', layout: 'interleaved', rowFactor: 0.5 },
  { type: 'cable' },
  { type: 'wall', gateBias: 1 },
  { type: 'wall', gateBias: 1, scalarGate: true },
  { type: 'selective-rope', base: 100, rank: 4 },
  { type: 'repo', base: 100 },
  { type: 'grape-m', base: 100 },
  { type: 'grape-a' },
  { type: 'grape-a', slopeGates: 'key' },
  { type: 'grape-a', slopeGates: 'query' },
  { type: 'path' },
  { type: 'path', gate: 'unscaled' },
  { type: 'path', gate: 'scaled' },
  { type: 'pope' },
  { type: 'stick-breaking' },
  { type: 'stick-breaking', attendCurrent: true },
  { type: 'grape-ap' },
  { type: 'grape-ap', gateWidth: 2 },
  { type: 'row-gates' },
  { type: 'row-gates', gateWidth: 3 },
  { type: 'selective', base: 100 },
  { type: 'selective', layout: 'interleaved' },
];
/** Every scheme: in these forms, else with the defaults of its options. */
const positions = [
  ...forms,
  ...Object.keys(positionSchemas)
    .filter((type) => forms.every((form) => form.type !== type))
    .map((type) => ({ type })),
];
const tasks = [
  { type: 'drawers' },
  { type: 'characters', text: 'a rope that holds is a rope that was laid with care. '.repeat(4) },
  { type: 'repeats', minPeriod: 2, maxPeriod: 4, symbols: 8 },
  { type: 'flip-flop' },
  { type: 'copy', maxItems: 4 },
  { type: 'reverse', maxItems: 4 },
  { type: 'addition', maxDigits: 2 },
  { type: 'parity' },
];

/** A trainer of a small model, which ends with the test. */
function trainer(context, options = {}) {
  const made = train.createTrainer({
    task: { type: 'drawers' },
    model: tiny,
    batchSize: 4,
    length: 12,
    ...options,
  });
  context.after(() => made.dispose());
  return made;
}

const bits = (tensors) =>
  Object.values(tensors).flatMap(({ data }) => [...new Uint32Array(data.buffer)]);

describe('the gradient of every scheme agrees with central differences of the loss', () => {
  for (const position of positions)
    test(JSON.stringify(position), (context) => {
      const one = trainer(context, { position });
      // Away from the initial values, where some gradients are 0.
      assert.ok(one.step(5).every(({ loss }) => loss > 0 && loss < 10));
      const tokens = Array.from({ length: 24 }, (_, i) => (7 * i * i + 3) % 42);
      const targets = tokens.map((token) => (token + 1) % 42);
      // The bound below is that of FIRE, whose network has kinks.
      const loss = (values) => {
        one.setParameters(values);
        return train.crossEntropy(one.logits(tokens, { batch: 2 }), targets).loss;
      };
      const start = one.parameters();
      one.stepOn({ batch: 2, tokens, targets }, 0);
      const gradients = one.gradients();
      for (const [name, { data }] of Object.entries(gradients)) {
        const norm = Math.hypot(...data);
        if (norm < 1e-6) continue;
        const step = 0.01;
        const moved = (sign) => ({
          [name]: {
            data: start[name].data.map((value, i) => value + (sign * step * data[i]) / norm),
            shape: start[name].shape,
          },
        });
        const slope = (loss(moved(1)) - loss(moved(-1))) / (2 * step);
        loss(start);
        assert.ok(
          Math.abs(slope - norm) <= 0.05 * norm + 1e-4,
          `${name}: the slope is ${slope}, the gradient has the norm ${norm}`,
        );
      }
      assert.ok(Object.values(gradients).every(({ data }) => data.every(Number.isFinite)));
    });
});

describe('every task trains and is evaluated', () => {
  for (const task of tasks)
    test(task.type, (context) => {
      const one = trainer(context, { task, schedule: { steps: 60, learningRate: 1e-2 } });
      const losses = one.step(60).map(({ loss }) => loss);
      const mean = (list) => list.reduce((sum, loss) => sum + loss, 0) / list.length;
      assert.ok(mean(losses.slice(-10)) < mean(losses.slice(0, 10)), task.type);
      const isSized = ['copy', 'reverse', 'addition'].includes(task.type);
      const lengths = isSized ? [2, 6] : [12, 24];
      const [short, long] = one.evaluate({ lengths, sequences: 16 });
      assert.deepEqual([short.length, long.length], lengths);
      for (const { loss, accuracy, count, lossByPlace } of [short, long]) {
        assert.ok(loss > 0 && accuracy >= 0 && accuracy <= 1 && count > 0);
        assert.ok(lossByPlace.some(Number.isFinite));
      }
    });
});

test('rowScale has a factor for each token, where lengths count items too', (context) => {
  const one = trainer(context, { task: { type: 'copy', maxItems: 4 } });
  const places = new Set();
  const rowScale = (place) => (places.add(place), 1);
  const [scaled] = one.evaluate({ lengths: [3], sequences: 8, rowScale });
  assert.deepEqual(
    [...places],
    Array.from({ length: 7 }, (_, place) => place),
  );
  assert.deepEqual(scaled, one.evaluate({ lengths: [3], sequences: 8 })[0]);
});

test('the same seed gives the same bits after 200 steps, another seed does not', (context) => {
  const run = (seed) => {
    const one = trainer(context, { position: { type: 'rope' }, seed });
    one.step(200);
    return bits(one.parameters());
  };
  const first = run(1);
  assert.deepEqual(run(1), first);
  assert.notDeepEqual(run(2), first);
});

test('a restored snapshot continues bit for bit', (context) => {
  const options = { position: { type: 'fox' }, randomPositions: 64, seed: 5 };
  const one = trainer(context, options);
  one.step(20);
  const snapshot = one.snapshot();
  const losses = one.step(20).map(({ loss }) => loss);
  const other = trainer(context, { ...options, seed: 6 });
  other.restore(snapshot);
  assert.equal(other.steps, 20);
  assert.deepEqual(
    other.step(20).map(({ loss }) => loss),
    losses,
  );
  assert.deepEqual(bits(other.parameters()), bits(one.parameters()));
});

describe('ten thousand steps take no more memory than a hundred', () => {
  for (const type of few(['rope', 't5', 'fire', 'cope', 'fox'], 2))
    test(type, (context) => {
      const model = { width: 4, layers: 1, heads: 1 };
      const task = { type: 'parity' };
      const one = trainer(context, { task, model, position: { type }, batchSize: 1, length: 4 });
      one.step(100);
      const before = highWater(memoryIn(exported));
      one.step(9900);
      assert.deepEqual(highWater(memoryIn(exported)), before);
    });
});

test('a thousand trainers leave memory where it was', () => {
  const used = () => process.memoryUsage().arrayBuffers;
  const run = (count, steps) => {
    for (let i = 0; i < count; i++) {
      const one = train.createTrainer({ task: { type: 'parity' }, model: tiny, batchSize: 1 });
      one.step(steps);
      one.evaluate({ lengths: [8], sequences: 2 });
      one.dispose();
    }
  };
  run(20, 10);
  const before = used();
  run(1000, 10);
  assert.ok(used() - before < 2 ** 22, `${used() - before} bytes more`);
});

test('a disposed trainer throws, and a second dispose does nothing', () => {
  const one = train.createTrainer({ task: { type: 'parity' }, model: tiny });
  one.dispose();
  one.dispose();
  assert.throws(() => one.step(), /^Error: the trainer has been disposed of$/);
});

test('a loss that is not finite is an error that leaves the parameters as they were', (context) => {
  const one = trainer(context);
  const { E } = one.parameters();
  one.setParameters({ E: { ...E, data: E.data.fill(NaN) } });
  const before = bits(one.parameters());
  assert.throws(() => one.step(), /^Error: the loss is NaN at step 1: lower schedule.learningRate/);
  assert.deepEqual(bits(one.parameters()), before);
  assert.equal(one.steps, 0);
});

test('an instance that trains has every function of one that does not, with its results', async () => {
  const rw = await createRopewalk({ simd: train.simd });
  const [q, k, v] = [1, 2, 3].map((seed) => tensor([2, 5, 8], seed));
  const settings = { causal: true, position: { type: 'rope', layout: 'half-split' } };
  assert.deepEqual(
    Object.keys(rw).filter((name) => !(name in train)),
    [],
  );
  assert.deepEqual(train.attention(q, k, v, settings), rw.attention(q, k, v, settings));
});

test('createTrainer() trains with any position', async (context) => {
  for (const type of ['rope', 'path']) {
    const one = await createTrainer({ task: { type: 'parity' }, model: tiny, position: { type } });
    context.after(() => one.dispose());
    assert.equal(one.step(2).length, 2);
  }
});

test('gradients have the temperature of the softmax that a scaling brings', () => {
  const x = (seed) => tensor([2, 5, 8], seed);
  const [q, k, v, dOutput] = [x(1), x(2), x(3), x(4)];
  const layout = 'half-split';
  const frequencies = { inverseFrequencies: Float64Array.of(1, 0.1), attentionFactor: 1, dim: 4 };
  const of = (softmaxScale, factor) =>
    train.attentionBackward(q, k, v, dOutput, {
      position: { type: 'rope', layout, frequencies: { ...frequencies, softmaxScale } },
      rowScale: Array(5).fill(factor),
    });
  const [together, apart] = [of(1.5, 2), of(1, 3)];
  for (const name of /** @type {const} */ (['output', 'q', 'k', 'v']))
    assert.deepEqual(together[name], apart[name]);
  assert.deepEqual(
    together.rowScale,
    apart.rowScale.map((gradient) => gradient * 1.5),
  );
});

test('a start that failed is tried again by the next call', async () => {
  const entry = pathToFileURL(join(installed, 'entries/train.js'));
  const own = await import(`${entry.href}?again`); // a module of which nothing is started
  const { compile } = WebAssembly;
  const failing = async (call) => {
    WebAssembly.compile = () => Promise.reject(new RangeError('out of memory'));
    await assert.rejects(call, /out of memory/).finally(() => {
      WebAssembly.compile = compile;
    });
  };
  const options = { task: { type: 'parity' }, model: tiny };
  await failing(() => own.createTrainer(options));
  (await own.createTrainer(options)).dispose();
  await failing(() => createTrainingPool({ size: 1 }));
  await (await createTrainingPool({ size: 1 })).close();
});

test('wrong options are errors that name them', () => {
  const rules = [
    [{ task: { type: 'sorting' } }, /task\.type must be one of 'drawers', 'characters'/],
    [{ task: { type: 'copy', maxItems: 0 } }, /task\.maxItems must be a whole number from 1 to/],
    [
      { position: { type: 'rope', layout: 'neox' } },
      /position\.layout must be one of 'interleaved', 'half-split'/,
    ],
    [
      { model: { heads: 3, width: 16 } },
      /decoder: width must be a multiple of heads, got 16 and 3/,
    ],
    [
      { position: { type: 'path', gate: true } },
      /position\.gate must be one of 'none', 'unscaled', 'scaled'/,
    ],
    [{ schedule: { learningRate: -1 } }, /schedule\.learningRate must be greater than 0/],
    [{ model: { dim: 16 } }, /model has no "dim"/],
    [{ schedule: { clip: 1 } }, /schedule has no "clip"; known names: /],
    [{ batch_size: 4 }, /has no "batch_size" \(did you mean batchSize\?\)/],
    [{ randomPositions: 4 }, /trainer: randomPositions must be at least 32, got 4/],
    [
      { task: { type: 'repeats', maxPeriod: 40 } },
      /repeats: maxPeriod must be from 1 to 32, got 40/,
    ],
    [{ position: { type: 't5', buckets: 3, maxDistance: 1 } }, /maxDistance must be more than/],
  ];
  for (const [options, rule] of rules)
    assert.throws(() => train.createTrainer({ task: { type: 'drawers' }, ...options }), rule);
  const odd = train.createTrainer({ task: { type: 'flip-flop' }, length: 7, model: tiny });
  assert.throws(() => odd.step(), /flip-flop: length must be even, got 7/);
  odd.dispose();
  const one = train.createTrainer({ task: { type: 'parity' }, model: tiny });
  assert.throws(() => one.evaluate({ lengths: [0] }), /lengths must be a whole number/);
  assert.throws(
    () => one.evaluate({ lengths: [8], randomPositions: true }),
    /evaluate: randomPositions of the trainer must be at least the length, 8, got 0/,
  );
  assert.throws(
    () => one.setParameters({ Wq: one.parameters().E }),
    /no parameter "Wq"; it has E,/,
  );
  assert.throws(
    () => one.stepOn({ batch: 2, tokens: [0, 1, 0], targets: [1] }, 1),
    /multiple of 2/,
  );
  assert.throws(() => one.restore(new Uint8Array(3)), /safetensors|bytes/);
  one.dispose();
});

test('calls that would not end, or do not fit in memory, are refused before they compute', () => {
  const one = train.createTrainer({ task: { type: 'parity' }, model: tiny });
  const copy = { type: 'copy', symbols: 65534 };
  const wide = train.createTrainer({ task: copy, model: { width: 2, layers: 1, heads: 1 } });
  const rowScale = () => assert.fail('a factor was computed');
  const huge = 2 ** 31;
  const many = new Uint8Array(2 ** 16);
  /** @type {[() => unknown, string | RegExp][]} */
  const refused = [
    [
      () => one.evaluate({ lengths: [8], sequences: huge, rowScale }),
      'evaluate: sequences x length must be at most 1073741824 tokens, got 2147483648 x 8',
    ],
    [
      () => one.evaluate({ lengths: [huge], rowScale }),
      'parity: sequences x length must be at most 4194304 tokens, got 1 x 2147483648',
    ],
    [
      () => one.generate([0, 1], 2 ** 27, { rowScale }),
      'count must let the model read at most 1073741824 tokens, got 9007199456067584',
    ],
    [
      () => one.step(huge),
      'count would take 137438953472 bytes; it must take fewer than 2147483648',
    ],
    [
      () => one.attentionWeights(many, 0),
      'decoder: tokens must have fewer than 536870912 attention weights in a layer, got 8589934592',
    ],
    [
      () => wide.logits(new Uint8Array(2 ** 13)),
      'the logits would take 2147483648 bytes; it must take fewer than 2147483648',
    ],
    [
      () => wide.stepOn({ batch: 2 ** 16, tokens: many, targets: many }),
      /^there is not enough memory/,
    ],
  ];
  for (const [call, message] of refused) assert.throws(call, { name: 'RangeError', message });
  assert.equal(one.steps, 0);
  one.dispose();
  wide.dispose();
});

test('gradients of attention reject shapes that do not fit', () => {
  const tensor = (...shape) => ({
    data: new Float32Array(shape.reduce((product, extent) => product * extent, 1)),
    shape,
  });
  const [q, k] = [tensor(3, 4), tensor(5, 4)];
  assert.throws(
    () => train.attentionBackward(q, k, k, tensor(3, 5)),
    /^RangeError: dOutput\.shape must be \[3, 4\], got \[3, 5\]$/,
  );
  assert.throws(
    () => train.attentionBackward(q, k, k, q, { position: { type: 'cope', table: tensor(2, 3) } }),
    /position\.table\.shape must be \[rows, 4\], got \[2, 3\]/,
  );
  const others = { past: { k, v: k }, intermediates: ['weights'], fullyMasked: 'nan' };
  for (const [name, value] of Object.entries(others))
    assert.throws(
      () => train.attentionBackward(q, k, k, q, { [name]: value }),
      new RegExp(`^TypeError: ${name} must be left out of attentionBackward`),
    );
  const d = train.attentionBackward(q, k, k, q, { sinks: [0] });
  assert.deepEqual(d.k.shape, [5, 4]);
  assert.equal(d.sinks.length, 1);
});

describe('a padded batch has the output and the gradients of its rows by themselves', async () => {
  const rw = await createRopewalk();
  const [heads, queries, keys, dim] = [2, 3, 6, 4];
  const of = (length, seed) => tensor([3, heads, length, dim], seed);
  const [q, k, v, dOutput] = [of(queries, 1), of(keys, 2), of(keys, 3), of(queries, 4)];
  const keyLengths = [6, 3, 4];
  const network = {
    hiddenWeights: tensor([5, 1], 5),
    hiddenBias: [0.5, -0.25, 1, 0.25, -0.5],
    headWeights: tensor([heads, 5], 6),
    headBias: [0.25, -0.5],
  };
  const positions = /** @type {import('ropewalk/train').GradientPosition[]} */ ([
    { type: 'fire', network, c: 0.5, threshold: 2 },
    { type: 'shaw', table: tensor([2 * 4 + 1, dim], 7) },
    { type: 'cope', table: tensor([4, dim], 8) },
    { type: 'kerple', r1: [1, 0.5], r2: [0.25, 1.5], kind: 'power' },
    { type: 'alibi' },
  ]);
  for (const position of positions)
    for (const causal of /** @type {const} */ (['bottom-right', 'top-left']))
      test(`${position.type}, ${causal}`, () => {
        const padded = train.attentionBackward(q, k, v, dOutput, { position, causal, keyLengths });
        /** @type {Record<string, Float64Array>} */
        const sums = {};
        keyLengths.forEach((length, batch) => {
          const rows = ({ data, shape: [, , rows] }, kept = rows) => {
            const from = (head) => (batch * heads + head) * rows * dim;
            const parts = [0, 1].map((head) => data.subarray(from(head), from(head) + kept * dim));
            return {
              data: Float32Array.from(parts.flatMap((part) => [...part])),
              shape: [heads, kept, dim],
            };
          };
          const own = [rows(q), rows(k, length), rows(v, length), rows(dOutput)];
          const alone = train.attentionBackward(...own, { position, causal });
          assertClose(rows(padded.output).data, alone.output.data);
          assertClose(rows(padded.q).data, alone.q.data);
          for (const [name, list] of Object.entries(alone.position ?? {})) {
            sums[name] ??= new Float64Array(list.length);
            list.forEach((value, at) => (sums[name][at] += value));
          }
        });
        for (const [name, sum] of Object.entries(sums))
          assertClose(padded.position[name], sum, 1e-4, name);
      });
  test('and FIRE that of its bias', () => {
    const position = /** @type {const} */ ({ type: 'fire', network, c: 0.5, threshold: 2 });
    const settings = /** @type {const} */ ({ causal: 'bottom-right', keyLengths });
    const { output } = train.attentionBackward(q, k, v, dOutput, { position, ...settings });
    const { type: _, ...options } = position;
    const biases = keyLengths.map((length) =>
      rw.fire({ ...options, queries: [0, 1, 2].map((i) => length - 3 + i), keys }),
    );
    const data = Float32Array.from(biases.flatMap((bias) => [...bias.data]));
    const bias = { data, shape: [3, heads, queries, keys] };
    assertClose(output.data, rw.attention(q, k, v, { bias, ...settings }).output.data);
  });
});

test('options and a position that are null are errors that name them', () => {
  const any = /** @type {any} */ (train);
  const q = tensor([3, 4], 1);
  const rejects = (options, name, message) =>
    assert.throws(() => any.attentionBackward(q, q, q, q, options), { name, message });
  rejects(null, 'TypeError', 'attentionBackward options must be an object, got null');
  rejects({ position: null }, 'TypeError', /position must not be null/);
  rejects({ position: { type: 'toString' } }, 'RangeError', /position\.type must be one of/);
});

test('a bias without a shape is one of [queries, keys], and so is its gradient', () => {
  const [q, k, v, dOutput] = [1, 2, 3, 4].map((seed) => tensor([2, 3, 4], seed));
  const { data } = tensor([3, 3], 5);
  const shape = [3, 3];
  assert.deepEqual(
    train.attentionBackward(q, k, v, dOutput, { bias: data }),
    train.attentionBackward(q, k, v, dOutput, { bias: { data, shape } }),
  );
});

test("Shaw's relative keys have the gradients of a bias made of them", async () => {
  const rw = await createRopewalk();
  const [heads, queries, keys, dim, clip] = [2, 4, 6, 3, 2];
  const rows = 2 * clip + 1;
  const tensor = (at, ...shape) => ({
    data: Float32Array.from(
      { length: shape.reduce((product, extent) => product * extent, 1) },
      (_, i) => Math.sin(7 * i + at),
    ),
    shape,
  });
  const q = tensor(0, heads, queries, dim);
  const [k, v] = [tensor(1, heads, keys, dim), tensor(2, heads, keys, dim)];
  const dOutput = tensor(3, heads, queries, dim);
  const options = { scale: 0.7, causal: 'bottom-right' };
  const positions = { queries: [2, 3, 4, 5], keys: [0, 1, 2, 3, 4, 5] };
  for (const table of [tensor(4, rows, dim), tensor(5, heads, rows, dim)]) {
    const d = train.attentionBackward(q, k, v, dOutput, {
      ...options,
      position: { type: 'shaw', table },
    });
    const bias = rw.shaw(q, table, { ...positions, scale: options.scale });
    const plain = train.attentionBackward(q, k, v, dOutput, { ...options, bias });
    const [dTable, dQ] = [new Float64Array(table.data.length), Float64Array.from(plain.q.data)];
    for (let h = 0; h < heads; h++)
      for (let m = 0; m < queries; m++)
        for (let n = 0; n < keys; n++) {
          const row = Math.max(-clip, Math.min(clip, n - m - 2)) + clip;
          const of = ((table.shape.length === 3 ? h : 0) * rows + row) * dim;
          const slope = options.scale * plain.bias.data[(h * queries + m) * keys + n];
          for (let i = 0; i < dim; i++) {
            const at = (h * queries + m) * dim + i;
            dTable[of + i] += slope * q.data[at];
            dQ[at] += slope * table.data[of + i];
          }
        }
    const near = (actual, expected) =>
      assert.ok(actual.every((value, i) => Math.abs(value - expected[i]) <= 1e-6));
    near(d.output.data, plain.output.data);
    near(d.q.data, dQ);
    near(d.position.table, dTable);
    assert.ok(dTable.some((value) => Math.abs(value) > 0.01));
  }
  const table = tensor(0, 4, dim);
  assert.throws(
    () => train.attentionBackward(q, k, v, dOutput, { position: { type: 'shaw', table } }),
    /position\.table\.shape must be \[2 clip \+ 1, 3\] or \[2, 2 clip \+ 1, 3\], got \[4, 3\]/,
  );
});

test('what a clamp of KERPLE replaced has the gradient 0, as with torch.clamp', () => {
  const values = (count, at) => Float32Array.from({ length: count }, (_, i) => Math.sin(i + at));
  const tensor = (at) => ({ data: values(2 * 5 * 4, at), shape: [2, 5, 4] });
  const [q, k, v, dOutput] = [0, 1, 2, 3].map(tensor);
  const gradient = (position) =>
    train.attentionBackward(q, k, v, dOutput, { causal: 'top-left', position });
  const kerple = { type: 'kerple', kind: 'power' };
  const clamped = gradient({ ...kerple, r1: [0.001, 1], r2: [1, 3], clamp: 0.01 });
  const plain = gradient({ ...kerple, r1: [0.01, 1], r2: [1, 2] });
  assert.deepEqual(clamped.output, plain.output);
  const { r1, r2 } = plain.position;
  assert.ok([...r1, ...r2].every((value) => value !== 0));
  assert.deepEqual(clamped.position, {
    r1: Float32Array.of(0, r1[1]),
    r2: Float32Array.of(r2[0], 0),
  });
});
