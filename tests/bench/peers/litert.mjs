/** LiteRT.js: XNNPACK in WebAssembly, on one thread, one small model per contestant. */
import { litertModel } from './litert_model.mjs';

/** Loads LiteRT.js, which runs in browsers only. `folder`: URL of its binaries. */
export async function startLitert(folder) {
  const { Builder } = await import('flatbuffers');
  const litert = await import('@litertjs/core');
  await litert.loadLiteRt(folder);
  return { ...litert, Builder };
}

/** The inputs are copied in and the output is copied out, as by the others. */
async function contestant(litert, { name, model, feeds, isResident = false }) {
  const compiled = await litert.loadAndCompile(litertModel(litert.Builder, model), {
    accelerator: 'wasm',
    cpuOptions: { numThreads: 1 },
  });
  const made = () => feeds.map(({ data, shape }) => new litert.Tensor(data, shape));
  const kept = isResident ? made().slice(1) : [];
  const run = async () => {
    const [first] = isResident ? feeds : [];
    const inputs = first ? [new litert.Tensor(first.data, first.shape)] : made();
    const outputs = await compiled.run([...inputs, ...kept]);
    const data = outputs[0].toTypedArray();
    for (const tensor of [...inputs, ...outputs]) tensor.delete();
    return data;
  };
  return {
    name: `LiteRT ${name}`,
    peer: 'LiteRT',
    run,
    output: (data) => data,
    end() {
      for (const tensor of kept) tensor.delete();
      compiled.delete();
    },
  };
}

/** 0 where a query sees a key, else what no exponential survives. */
function causalMask(queries, keys) {
  return Float32Array.from({ length: queries * keys }, (_, i) =>
    i % keys <= Math.floor(i / keys) ? 0 : -1e9,
  );
}

/** Scaled dot products by BATCH_MATMUL and SOFTMAX; the scale where `scaled` says. */
function attentionModel({ heads, queries, keys, dim, causal }, scaled) {
  const [q, k, scores] = [
    [heads, queries, dim],
    [heads, keys, dim],
    [heads, queries, keys],
  ];
  const node = (operator, inputs, output, more = {}) => ({
    operator,
    inputs,
    outputs: [output],
    ...more,
  });
  const isOnQ = scaled === 'q';
  const masked = causal ? [node('ADD', ['scaled', 'mask'], 'masked')] : [];
  const products = isOnQ
    ? [
        node('MUL', ['q', 'scale'], 'scaledQ'),
        node('BATCH_MATMUL', ['scaledQ', 'k'], 'scaled', { transposed: true }),
      ]
    : [
        node('BATCH_MATMUL', ['q', 'k'], 'raw', { transposed: true }),
        node('MUL', ['raw', 'scale'], 'scaled'),
      ];
  return {
    tensors: {
      q,
      k,
      v: k,
      scale: [1],
      ...(isOnQ ? { scaledQ: q } : { raw: scores }),
      scaled: scores,
      ...(causal ? { mask: [1, queries, keys], masked: scores } : {}),
      weights: scores,
      y: q,
    },
    constants: {
      scale: Float32Array.of(1 / Math.sqrt(dim)),
      ...(causal ? { mask: causalMask(queries, keys) } : {}),
    },
    inputs: ['q', 'k', 'v'],
    outputs: ['y'],
    nodes: [
      ...products,
      ...masked,
      node('SOFTMAX', [causal ? 'masked' : 'scaled'], 'weights'),
      node('BATCH_MATMUL', ['weights', 'v'], 'y'),
    ],
  };
}

const places = { 'scale on q': 'q', 'scale on scores': 'scores' };

export const litertNames = Object.keys(places);

/** Makes contestants with the scale at the named places. `isResident`: keys and values stay. */
export function litertAttention(litert, problem, names, isResident = false) {
  const { q, k, v, heads, queries, keys, dim } = problem;
  const tensor = (data, length) => ({ data, shape: [heads, length, dim] });
  const feeds = [tensor(q, queries), tensor(k, keys), tensor(v, keys)];
  return Promise.all(
    names.map((name) => {
      const model = attentionModel(problem, places[name]);
      return contestant(litert, {
        name: isResident ? `${name}, resident` : name,
        model,
        feeds,
        isResident,
      });
    }),
  );
}

/** FULLY_CONNECTED, whose weights are part of the model. */
export function litertLinear(litert, { x, w, rows, width, out }) {
  const model = {
    tensors: { x: [rows, width], w: [out, width], y: [rows, out] },
    constants: { w },
    inputs: ['x'],
    outputs: ['y'],
    nodes: [{ operator: 'FULLY_CONNECTED', inputs: ['x', 'w'], outputs: ['y'] }],
  };
  return contestant(litert, {
    name: 'FULLY_CONNECTED',
    model,
    feeds: [{ data: x, shape: [rows, width] }],
  });
}
