// Suite grape: gated slopes, path integrals and rotations.
import { asTensor, permuted } from '../adapting.mjs';

const layout = 'half-split';
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/** Attention with a bias, and the bias alone: that of queries and keys whose product is left out. */
function biased(rw, inputs, position) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const options = { causal: 'top-left', position, intermediates: ['biased'] };
  const found = rw.attention(q, k, v, options);
  return {
    out: found.output.data,
    scores: found.biased.data,
    bias: rw.attention(q, k, v, { ...options, scale: 0 }).biased.data,
    slopes: rw.alibiSlopes({ heads: q.shape[1] }),
  };
}

const additive = (rw, { attrs, inputs }) =>
  biased(rw, inputs, {
    type: 'grape-a',
    rawSlopes: inputs.omega_raw.num,
    normalize: attrs.l2_normalise,
    ...(inputs.u && { keyDirection: asTensor(inputs.u) }),
    ...(inputs.v_gate && { queryDirection: asTensor(inputs.v_gate) }),
  });

const pathIntegral = (rw, { attrs, inputs }) =>
  biased(rw, inputs, {
    type: 'grape-ap',
    p: asTensor(attrs.p_tie ? inputs.k : inputs.p),
    epsilon: attrs.rms_eps,
  });

/**
 * Rotated by minus the angle, as the code does: with plus the sines of all scores change their sign.
 */
function rotated(rw, { inputs }, increments, frequencies) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const { angles } = rw.accumulatedAngles(increments, {
    pairs: q.shape[3] / 2,
    temperature: frequencies.map((frequency) => -frequency),
    sum: 'exclusive',
  });
  const table = rw.tableOfAngles(angles);
  const position = { type: 'angles', angles, layout };
  return {
    angles: angles.data.map((angle) => -angle),
    q_rot: rw.rotate(q, table, { layout }).data,
    k_rot: rw.rotate(k, table, { layout }).data,
    out: rw.attention(q, k, v, { causal: 'top-left', position }).output.data,
  };
}

/** [batch, heads, length, 1], of values that heads may share. */
function perHead({ data, shape: [batch, length, given] }, heads) {
  const byHead = permuted({ data, shape: [batch, length, given] }, [0, 2, 1]).data;
  const all = Float32Array.from({ length: batch * heads * length }, (_, i) => {
    const [of, head] = [Math.floor(i / (heads * length)), Math.floor(i / length) % heads];
    return byHead[(of * given + (head % given)) * length + (i % length)];
  });
  return { data: all, shape: [batch, heads, length, 1] };
}

const features = {
  key_gated: additive,
  query_gated: additive,
  query_key_gated: additive,
  path_integral: pathIntegral,
  path_integral_tied: pathIntegral,
  m_contextual(rw, call) {
    const { omega_logit: logits, log_freq: logs } = call.inputs;
    const omega = Float32Array.from(logits.num, (logit) => sigmoid(logit / call.attrs.omega_scale));
    const increments = perHead({ data: omega, shape: logits.shape }, call.attrs.H);
    return rotated(rw, call, increments, Array.from(logs.num, Math.exp));
  },
  m_noncontextual(rw, call) {
    const { B, H, N, log_freq_scale: scale } = call.attrs;
    const ones = { data: new Float32Array(B * H * N).fill(1), shape: [B, H, N, 1] };
    const frequencies = Array.from(call.inputs.log_freq.num, (log) => Math.exp(log / scale));
    return rotated(rw, call, ones, frequencies);
  },
};

export default function grape(rw, call, instances) {
  return features[call.feature.split('/')[1]](rw, call, instances);
}
