/** The Llama of random_llama.mjs in onnxruntime-web: its operators, with a KV cache as inputs. */
import { uniform } from '../inputs.mjs';
import { shape } from '../random_llama.mjs';
import { onnxModel } from './onnx_model.mjs';

const { layers, width, heads, keyHeads, hidden, vocabulary } = shape;
const headWidth = width / heads;
const keyWidth = keyHeads * headWidth;
const longest = 1024;

/**
 * The graph. Each tensor has numbers of its own: onnxruntime-web keeps equal ones once, and layers
 * that share matrices find them in the cache of the processor.
 */
function graph() {
  const nodes = [];
  const constants = new Map();
  const files = new Map();
  const constant = (name, ...extents) => {
    const count = extents.reduce((product, extent) => product * extent, 1);
    const values = uniform(count, 1 + files.size).map((value) => 0.02 * value);
    files.set(name, { path: name, data: new Uint8Array(values.buffer) });
    constants.set(name, { name, shape: extents, path: name });
    return name;
  };
  const node = (operator, inputs, output, attributes = {}, domain = undefined) => {
    nodes.push({ operator, inputs, outputs: [output].flat(), attributes, domain });
    return [output].flat()[0];
  };
  const multiplied = (x, name, inputs, outputs) =>
    node('MatMul', [x, constant(`${name}.w`, inputs, outputs)], name);
  const normalized = (x, name) =>
    node('SimplifiedLayerNormalization', [x, constant(`${name}.g`, width)], name, {
      epsilon: 1e-5,
    });
  let x = node('Gather', [constant('E', vocabulary, width), 'tokens'], 'x');
  constant('cos', longest, headWidth / 2);
  constant('sin', longest, headWidth / 2);
  for (let i = 0; i < layers; i++) {
    const h = normalized(x, `norm1.${i}`);
    const q = multiplied(h, `q.${i}`, width, width);
    const k = multiplied(h, `k.${i}`, width, keyWidth);
    const v = multiplied(h, `v.${i}`, width, keyWidth);
    const past = [`past_k.${i}`, `past_v.${i}`];
    const attended = node(
      'GroupQueryAttention',
      [q, k, v, ...past, 'seqlens', 'total', 'cos', 'sin'],
      [`a.${i}`, `present_k.${i}`, `present_v.${i}`],
      { num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 },
      'com.microsoft',
    );
    x = node('Add', [x, multiplied(attended, `o.${i}`, width, width)], `x1.${i}`);
    const h2 = normalized(x, `norm2.${i}`);
    const gate = multiplied(h2, `gate.${i}`, width, hidden);
    const silu = node('Mul', [gate, node('Sigmoid', [gate], `s.${i}`)], `silu.${i}`);
    const product = node('Mul', [silu, multiplied(h2, `up.${i}`, width, hidden)], `p.${i}`);
    x = node('Add', [x, multiplied(product, `down.${i}`, hidden, width)], `x2.${i}`);
  }
  const last = node('Gather', [x, 'last'], 'last_x', { axis: 1 });
  multiplied(normalized(last, 'norm'), 'y', width, vocabulary);
  const inputs = [
    { name: 'tokens', type: 'int64', rank: 2 },
    { name: 'last', type: 'int64', rank: 1 },
    { name: 'seqlens', type: 'int32', rank: 1 },
    { name: 'total', type: 'int32', rank: 0 },
    ...Array.from({ length: layers }, (_, i) =>
      ['past_k', 'past_v'].map((name) => ({ name: `${name}.${i}`, rank: 4 })),
    ).flat(),
  ];
  const outputs = [{ name: 'y', rank: 3 }];
  const model = onnxModel({
    opset: 21,
    nodes,
    inputs,
    outputs,
    constants: [...constants.values()],
  });
  return { model, files: [...files.values()] };
}

/** Contestants that decode one token after `past` others, and that read a text. */
export async function onnxLlama(ort, { past, read }) {
  const { model, files } = graph();
  const session = await ort.InferenceSession.create(model, { externalData: files });
  const feedsOf = (count, before) => {
    const empty = new ort.Tensor('float32', new Float32Array(keyWidth * before), [
      1,
      keyHeads,
      before,
      headWidth,
    ]);
    const total = before + count;
    const caches = Array.from({ length: layers }, (_, i) => [
      [`past_k.${i}`, empty],
      [`past_v.${i}`, empty],
    ]).flat();
    return {
      tokens: new ort.Tensor('int64', new BigInt64Array(count).fill(7n), [1, count]),
      last: new ort.Tensor('int64', BigInt64Array.of(BigInt(count - 1)), [1]),
      seqlens: new ort.Tensor('int32', Int32Array.of(total - 1), [1]),
      total: new ort.Tensor('int32', Int32Array.of(total), []),
      ...Object.fromEntries(caches),
    };
  };
  const contestant = (name, feeds) => ({ name, run: () => session.run(feeds) });
  return {
    decode: contestant('onnxruntime-web, decode', feedsOf(1, past)),
    prefill: contestant('onnxruntime-web, prefill', feedsOf(read, 0)),
    end: () => session.release(),
  };
}
