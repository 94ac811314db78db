/** onnxruntime-web on one thread, one operator per session. */
import { swapped } from '../inputs.mjs';
import { onnxModel } from './onnx_model.mjs';

/** In a browser, `wasmUrl` says where its binary is. */
export async function startOnnx(wasmUrl) {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  if (wasmUrl) ort.env.wasm.wasmPaths = { wasm: wasmUrl };
  return ort;
}

const tensors = (rank, ...names) => names.map((name) => ({ name, rank }));

/** A contestant: `output` turns what `run` returns into floats of [heads, length, dim]. */
async function contestant(ort, name, model, feeds, output = (data) => data) {
  const session = await ort.InferenceSession.create(onnxModel(model));
  return {
    name: `onnxruntime-web ${name}`,
    peer: 'onnxruntime-web',
    run: () => session.run(feeds),
    output: (result) => output(result.y.data),
    end: () => session.release(),
  };
}

/** Those of its operators for attention that are named. */
export async function onnxAttention(ort, problem, names) {
  const contestants = [];
  for (const name of names) contestants.push(await attentions[name](ort, problem));
  return contestants;
}

const attentions = {
  Attention(ort, { q, k, v, heads, queries, keys, dim, causal }) {
    const four = (data, length) => new ort.Tensor('float32', data, [1, heads, length, dim]);
    const model = {
      operator: 'Attention',
      opset: 23,
      inputs: tensors(4, 'q', 'k', 'v'),
      outputs: tensors(4, 'y'),
      attributes: { is_causal: causal ? 1 : 0 },
    };
    const feeds = { q: four(q, queries), k: four(k, keys), v: four(v, keys) };
    return contestant(ort, 'Attention', model, feeds);
  },
  MultiHeadAttention(ort, { q, k, v, heads, queries, keys, dim, causal }) {
    const three = (data, length) =>
      new ort.Tensor('float32', swapped(data, heads, length, dim), [1, length, heads * dim]);
    const model = {
      operator: 'MultiHeadAttention',
      domain: 'com.microsoft',
      opset: 1,
      inputs: tensors(3, 'q', 'k', 'v'),
      outputs: tensors(3, 'y'),
      attributes: { num_heads: heads, unidirectional: causal ? 1 : 0 },
    };
    const feeds = { q: three(q, queries), k: three(k, keys), v: three(v, keys) };
    const output = (data) => swapped(data, queries, heads, dim);
    return contestant(ort, 'MultiHeadAttention', model, feeds, output);
  },
};

export const onnxNames = Object.keys(attentions);

/** RotaryEmbedding by a table of cos and sin that is made beforehand. */
export async function onnxRotary(ort, { x, heads, length, dim, cos, sin, layout }) {
  const table = (data) => new ort.Tensor('float32', data, [length, dim / 2]);
  const positions = BigInt64Array.from({ length }, (_, i) => BigInt(i));
  return contestant(
    ort,
    'RotaryEmbedding',
    {
      operator: 'RotaryEmbedding',
      opset: 23,
      inputs: [
        { name: 'x', rank: 4 },
        ...tensors(2, 'cos', 'sin'),
        { name: 'positions', type: 'int64', rank: 2 },
      ],
      outputs: tensors(4, 'y'),
      attributes: { interleaved: layout === 'interleaved' ? 1 : 0 },
    },
    {
      x: new ort.Tensor('float32', x, [1, heads, length, dim]),
      cos: table(cos),
      sin: table(sin),
      positions: new ort.Tensor('int64', positions, [1, length]),
    },
  );
}
