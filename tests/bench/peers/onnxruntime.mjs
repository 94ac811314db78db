/** onnxruntime-web on one thread, one small model per session. */
import { swapped } from '../inputs.mjs';
import { onnxModel } from './onnx_model.mjs';

/** Loads onnxruntime-web. `wasmUrl`: URL of its binary, for browsers. */
export async function startOnnx(wasmUrl) {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  if (wasmUrl) ort.env.wasm.wasmPaths = { wasm: wasmUrl };
  return ort;
}

/**
 * Makes a contestant that runs a model of `nodes` on `feeds`, tensors by name. The output of the
 * model is y, with `rank` axes; `output` converts its data to [heads, length, dim]. `constants` are
 * tensors that are part of the model: [{ name, shape, path, data }].
 */
async function contestant(
  ort,
  { name, nodes, rank, feeds, constants = [], output = (data) => data },
) {
  const inputs = Object.entries(feeds).map(([input, { type, dims }]) => ({
    name: input,
    type: type === 'int64' ? 'int64' : 'float',
    rank: dims.length,
  }));
  const outputs = [{ name: 'y', rank }];
  const model = onnxModel({ opset: 23, nodes, inputs, outputs, constants });
  const session = await ort.InferenceSession.create(model, { externalData: constants });
  return {
    name: `onnxruntime-web ${name}`,
    peer: 'onnxruntime-web',
    run: () => session.run(feeds),
    output: (result) => output(result.y.data),
    end: () => session.release(),
  };
}

/** The same for a model of one operator, whose inputs are `feeds` in order. */
const operatorContestant = (
  ort,
  { operator, domain = undefined, attributes, feeds, rank, output = undefined },
) => {
  const node = { operator, domain, attributes, inputs: Object.keys(feeds), outputs: ['y'] };
  return contestant(ort, { name: operator, nodes: [node], feeds, rank, output });
};

/** Makes contestants for the named attention operators. */
export async function onnxAttention(ort, problem, names) {
  const contestants = [];
  for (const name of names) contestants.push(await attentions[name](ort, problem));
  return contestants;
}

const attentions = {
  Attention(ort, { q, k, v, heads, queries, keys, dim, causal }) {
    const tensor4d = (data, length) => new ort.Tensor('float32', data, [1, heads, length, dim]);
    return operatorContestant(ort, {
      operator: 'Attention',
      attributes: { is_causal: causal ? 1 : 0 },
      feeds: { q: tensor4d(q, queries), k: tensor4d(k, keys), v: tensor4d(v, keys) },
      rank: 4,
    });
  },
  MultiHeadAttention(ort, { q, k, v, heads, queries, keys, dim, causal }) {
    const tensor3d = (data, length) =>
      new ort.Tensor('float32', swapped(data, heads, length, dim), [1, length, heads * dim]);
    return operatorContestant(ort, {
      operator: 'MultiHeadAttention',
      domain: 'com.microsoft',
      attributes: { num_heads: heads, unidirectional: causal ? 1 : 0 },
      feeds: { q: tensor3d(q, queries), k: tensor3d(k, keys), v: tensor3d(v, keys) },
      rank: 3,
      output: (data) => swapped(data, queries, heads, dim),
    });
  },
};

export const onnxNames = Object.keys(attentions);

/** MatMul, whose weights are part of the model. */
export function onnxLinear(ort, { x, w, rows, width, out }) {
  const transposed = new Float32Array(w.length);
  for (let o = 0; o < out; o++) {
    for (let i = 0; i < width; i++) transposed[i * out + o] = w[o * width + i];
  }
  const data = new Uint8Array(transposed.buffer);
  return contestant(ort, {
    name: 'MatMul',
    nodes: [{ operator: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
    feeds: { x: new ort.Tensor('float32', x, [rows, width]) },
    rank: 2,
    constants: [{ name: 'w', shape: [width, out], path: 'w', data }],
  });
}

/** RotaryEmbedding with precomputed tables of cos and sin. */
export function onnxRotary(ort, { x, heads, length, dim, cos, sin, layout }) {
  const positions = BigInt64Array.from({ length }, (_, i) => BigInt(i));
  return operatorContestant(ort, {
    operator: 'RotaryEmbedding',
    attributes: { interleaved: layout === 'interleaved' ? 1 : 0 },
    feeds: {
      x: new ort.Tensor('float32', x, [1, heads, length, dim]),
      cos: new ort.Tensor('float32', cos, [length, dim / 2]),
      sin: new ort.Tensor('float32', sin, [length, dim / 2]),
      positions: new ort.Tensor('int64', positions, [1, length]),
    },
    rank: 4,
  });
}

/** Sinusoidal encoding from basic operators: all sines, then all cosines. */
export function onnxSinusoid(ort, { positions, frequencies }) {
  const ids = Float32Array.from({ length: positions }, (_, t) => t);
  const node = (operator, inputs, output, attributes) => ({
    operator,
    inputs,
    outputs: [output],
    attributes,
  });
  return contestant(ort, {
    name: 'Sin and Cos',
    nodes: [
      node('Mul', ['positions', 'frequencies'], 'angles'),
      node('Sin', ['angles'], 'sines'),
      node('Cos', ['angles'], 'cosines'),
      node('Concat', ['sines', 'cosines'], 'y', { axis: 2 }),
    ],
    feeds: {
      positions: new ort.Tensor('float32', ids, [positions, 1, 1]),
      frequencies: new ort.Tensor('float32', Float32Array.from(frequencies), [
        1,
        frequencies.length,
        1,
      ]),
    },
    rank: 3,
  });
}
