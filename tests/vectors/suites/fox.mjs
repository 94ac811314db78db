// Suite fox: biases from prefix sums of gates, in attention and by themselves.
import { asTensor, permuted, projected } from '../adapting.mjs';

const intermediates = ['biased', 'logSumExp'];

/** The bias alone: what attention adds to scores that are 0. −Infinity where causal hides a key. */
function biasOf(rw, shape, position, causal) {
  const zeros = { data: new Float32Array(shape.reduce((a, b) => a * b)), shape: [...shape, 1] };
  const options = { position, causal, intermediates: ['biased'] };
  return rw.attention(zeros, zeros, zeros, options).biased.data;
}

function attended(rw, { attrs, inputs }) {
  const [q, k, v, terms] = ['q', 'k', 'v', 'log_gate'].map((name) => asTensor(inputs[name]));
  const options = {
    causal: 'bottom-right',
    position: { type: 'prefix-sum', terms },
    intermediates,
    ...(attrs.scale !== null && { scale: attrs.scale }),
  };
  const window = attrs.window && { window: { size: attrs.window } };
  const { output, biased, logSumExp } = rw.attention(q, k, v, { ...options, ...window });
  const zeros = { ...q, data: new Float32Array(q.data.length) };
  const bias = rw.attention(zeros, k, v, { ...options, ...window }).biased;
  return { out: output.data, lse: logSumExp.data, scores: biased.data, bias: bias.data };
}

/** Doubles of a projection as floats. */
const floats = ({ data, shape }) => ({ data: Float32Array.from(data), shape });

/**
 * Gates of x-transformers: one set of heads, or two, for earlier and for later keys. With one, its
 * code leaves the same difference above the diagonal.
 */
function xTransformers(rw, { attrs, inputs }) {
  const { B, N, H, bidirectional, post_log_scale: scale } = attrs;
  const logits = floats(projected(inputs.x, inputs.weight, inputs.gate_bias));
  const sets = bidirectional ? 2 : 1;
  const gates = permuted({ ...logits, shape: [B, N, sets, H] }, [2, 0, 3, 1]).data;
  const sumsOf = (set) => {
    const data = gates.slice(set * B * H * N, (set + 1) * B * H * N);
    return rw.prefixSums({ data, shape: [B, H, N] }, { term: 'log-sigmoid', scale }).sums;
  };
  const sums = sumsOf(0);
  const laterSums = bidirectional ? sumsOf(1) : { ...sums, data: sums.data.map((sum) => -sum) };
  const position = { type: 'prefix-sum', sums, laterSums };
  return { bias: biasOf(rw, [B, H, N], position, false) };
}

function cable(rw, { attrs, inputs }) {
  const { B, H, N, D, scale } = attrs;
  const qkv = floats(projected(inputs.x, inputs.w_qkv, inputs.b_qkv));
  const parts = permuted({ ...qkv, shape: [B, N, 3, H, D] }, [2, 0, 3, 1, 4]).data;
  const [q, k, v] = [0, 1, 2].map((part) => ({
    data: parts.slice(part * B * H * N * D, (part + 1) * B * H * N * D),
    shape: [B, H, N, D],
  }));
  const logits = floats(projected(inputs.x, inputs.w_gate, inputs.b_gate));
  const gates = permuted(logits, [0, 2, 1]);
  const position = { type: 'cable', gates };
  const { output, biased } = rw.attention(q, k, v, {
    scale,
    causal: 'top-left',
    position,
    intermediates,
  });
  const { terms } = rw.prefixSums(gates, { term: 'log-sigmoid-of-negative' });
  return { log_gate: terms.data, scores: biased.data, out: output.data };
}

const features = {
  'fox/from_logit'(rw, { inputs }) {
    const gates = asTensor(inputs.gate_logit);
    return {
      log_gate: rw.prefixSums(gates, { term: 'log-sigmoid' }).terms.data,
      bias: biasOf(rw, gates.shape, { type: 'fox', gates }, 'top-left'),
    };
  },
  'fox/xt_causal': xTransformers,
  'fox/xt_bidirectional': xTransformers,
  'fox/cable': cable,
};

export default function fox(rw, call) {
  return (features[call.feature] ?? attended)(rw, call);
}
