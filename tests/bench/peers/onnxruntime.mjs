/** onnxruntime-web on one thread, one small model per session. */
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

/**
 * A contestant from `feeds`, tensors by name, to the output y of rank `rank`. `output` turns that
 * into floats of [heads, length, dim].
 */
async function contestant(ort, { name, nodes, rank, feeds, output = (data) => data }) {
  const inputs = Object.entries(feeds).map(([input, { type, dims }]) => ({
    name: input,
    type: type === 'int64' ? 'int64' : 'float',
    rank: dims.length,
  }));
  const model = onnxModel({ opset: 23, nodes, inputs, outputs: [{ name: 'y', rank }] });
  const session = await ort.InferenceSession.create(model);
  return {
    name: `onnxruntime-web ${name}`,
    peer: 'onnxruntime-web',
    run: () => session.run(feeds),
    output: (result) => output(result.y.data),
    end: () => session.release(),
  };
}

/** The same for one operator, whose inputs are the feeds in their order. */
const operatorContestant = (
  ort,
  { operator, domain = undefined, attributes, feeds, rank, output = undefined },
) => {
  const node = { operator, domain, attributes, inputs: Object.keys(feeds), outputs: ['y'] };
  return contestant(ort, { name: operator, nodes: [node], feeds, rank, output });
};

/** Those of its operators for attention that are named. */
export async function onnxAttention(ort, problem, names) {
  const contestants = [];
  for (const name of names) contestants.push(await attentions[name](ort, problem));
  return contestants;
}

const attentions = {
  Attention(ort, { q, k, v, heads, queries, keys, dim, causal }) {
    const four = (data, length) => new ort.Tensor('float32', data, [1, heads, length, dim]);
    return operatorContestant(ort, {
      operator: 'Attention',
      attributes: { is_causal: causal ? 1 : 0 },
      feeds: { q: four(q, queries), k: four(k, keys), v: four(v, keys) },
      rank: 4,
    });
  },
  MultiHeadAttention(ort, { q, k, v, heads, queries, keys, dim, causal }) {
    const three = (data, length) =>
      new ort.Tensor('float32', swapped(data, heads, length, dim), [1, length, heads * dim]);
    return operatorContestant(ort, {
      operator: 'MultiHeadAttention',
      domain: 'com.microsoft',
      attributes: { num_heads: heads, unidirectional: causal ? 1 : 0 },
      feeds: { q: three(q, queries), k: three(k, keys), v: three(v, keys) },
      rank: 3,
      output: (data) => swapped(data, queries, heads, dim),
    });
  },
};

export const onnxNames = Object.keys(attentions);

/** RotaryEmbedding by a table of cos and sin that is made beforehand. */
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

/** sin and cos of the products of positions and frequencies, side by side. */
export function onnxSinusoid(ort, { positions, frequencies }) {
  const steps = Float32Array.from({ length: positions }, (_, t) => t);
  const node = (operator, inputs, output, attributes) => ({
    operator,
    inputs,
    outputs: [output],
    attributes,
  });
  return contestant(ort, {
    name: 'Sin and Cos',
    nodes: [
      node('Mul', ['steps', 'turns'], 'angles'),
      node('Sin', ['angles'], 'sines'),
      node('Cos', ['angles'], 'cosines'),
      node('Concat', ['sines', 'cosines'], 'y', { axis: 2 }),
    ],
    feeds: {
      steps: new ort.Tensor('float32', steps, [positions, 1, 1]),
      turns: new ort.Tensor('float32', Float32Array.from(frequencies), [1, frequencies.length, 1]),
    },
    rank: 3,
  });
}
