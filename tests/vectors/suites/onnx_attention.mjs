// Suites onnx_attention and onnx_attention_ref: ONNX's Attention operator, opsets 23 to 25.
import { asTensor } from '../adapting.mjs';

/** [batch, length, heads * dim] as [batch, heads, length, dim], and back. */
function splitHeads({ data, shape }, heads) {
  const [batch, length, width] = shape;
  const dim = width / heads;
  const out = new Float32Array(data.length);
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let n = 0; n < length; n++, at += dim) {
        const from = (b * length + n) * width + h * dim;
        out.set(data.subarray(from, from + dim), at);
      }
  return { data: out, shape: [batch, heads, length, dim] };
}

function joinHeads({ data, shape: [batch, heads, length, dim] }) {
  const out = new Float32Array(data.length);
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let n = 0; n < length; n++, at += dim)
        out.set(data.subarray(at, at + dim), ((b * length + n) * heads + h) * dim);
  return out;
}

/** ONNX pads a mask shorter than the keys: what lies past its end is hidden. */
function paddedMask({ num, shape, dtype }, keys) {
  const length = shape.at(-1);
  const rows = num.length / length;
  const hidden = dtype === 'bool' ? 0 : -Infinity;
  const data = new Float32Array(rows * Math.max(keys, length)).fill(hidden);
  for (let row = 0; row < rows; row++) {
    for (let key = 0; key < length; key++)
      data[row * Math.max(keys, length) + key] = Number(num[row * length + key]);
  }
  return { data, shape: [...shape.slice(0, -1), Math.max(keys, length)] };
}

const steps = ['scores', 'capped', 'biased', 'weights'];

export default function (rw, { attrs, inputs, outputs }) {
  const flat = inputs.Q.shape.length === 3;
  const heads = (name, count) =>
    flat ? splitHeads(asTensor(inputs[name]), count) : asTensor(inputs[name]);
  const [q, k, v] = [
    heads('Q', attrs.q_num_heads),
    heads('K', attrs.kv_num_heads),
    heads('V', attrs.kv_num_heads),
  ];
  const past = inputs.past_key && { k: asTensor(inputs.past_key), v: asTensor(inputs.past_value) };
  const keys = k.shape[2] + (past ? past.k.shape[2] : 0);
  const alignment = past ? 'after-past' : inputs.nonpad_kv_seqlen ? 'bottom-right' : 'top-left';
  const bounded = (size) => (size === undefined || size < 0 ? undefined : size);
  const [lookback, lookahead] = [bounded(attrs.left_window_size), bounded(attrs.right_window_size)];
  const options = { causal: attrs.is_causal ? alignment : false, intermediates: [] };
  if (past) options.past = past;
  if (attrs.scale !== undefined) options.scale = attrs.scale;
  if (attrs.softcap) options.softcap = attrs.softcap;
  if (lookback !== undefined || lookahead !== undefined)
    options.window = { lookback, lookahead, align: alignment };
  if (inputs.nonpad_kv_seqlen) options.keyLengths = inputs.nonpad_kv_seqlen.num;
  if (inputs.attn_mask) {
    const mask = paddedMask(inputs.attn_mask, keys);
    if (inputs.attn_mask.dtype === 'bool')
      options.mask = { ...mask, data: Uint8Array.from(mask.data), whenTrue: 'attend' };
    else options.bias = mask;
  }
  const step = steps[attrs.qk_matmul_output_mode ?? 0];
  if (outputs.includes('qk_matmul_output')) options.intermediates = [step];
  const result = rw.attention(q, k, v, options);
  return {
    Y: flat ? joinHeads(result.output) : result.output.data,
    present_key: result.present?.k.data,
    present_value: result.present?.v.data,
    qk_matmul_output: result[step]?.data,
  };
}
