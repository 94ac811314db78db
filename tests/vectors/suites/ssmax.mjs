// Suite ssmax: softmax of logits times s ln n, as a factor per row.
import { asTensor } from '../adapting.mjs';

/** Rows as queries of the identity, whose scores are the rows and whose outputs are the weights. */
function vector(rw, { attrs, inputs }) {
  const x = asTensor(inputs.x);
  const [rows, n] = x.shape;
  const identity = { data: new Float32Array(n * n), shape: [n, n] };
  for (let i = 0; i < n; i++) identity.data[i * n + i] = 1;
  const scaling = { type: 'ssmax', scale: [attrs.s], ...(attrs.b !== null && { bias: [attrs.b] }) };
  const [factor] = rw.logitFactors([n - 1], scaling);
  const rowScale = new Array(rows).fill(factor);
  return { out: rw.attention(x, identity, identity, { scale: 1, rowScale }).output.data };
}

function attended(rw, { inputs }, positions, options) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const scaling = { type: 'ssmax', scale: inputs.s.num, ...(inputs.b && { bias: inputs.b.num }) };
  const factor = rw.logitFactors(positions, scaling);
  const intermediates = ['biased'];
  const { output, biased } = rw.attention(q, k, v, { ...options, rowScale: factor, intermediates });
  const queries = q.shape[2];
  const row = (i) => Math.floor(i / q.shape[3]) % (q.shape[1] * queries);
  return {
    factor,
    out: output.data,
    scores: biased.data,
    q_scaled: q.data.map((value, i) => value * factor[row(i)]),
  };
}

const features = {
  'ssmax/vector': vector,
  'ssmax/causal': (rw, call) =>
    attended(
      rw,
      call,
      Array.from({ length: call.attrs.Nq }, (_, i) => i + call.attrs.offset),
      { causal: 'bottom-right' },
    ),
  'ssmax/fixed_n': (rw, call) =>
    attended(rw, call, new Array(call.attrs.Nq).fill(call.attrs.n - 1), {}),
};

export default function ssmax(rw, call) {
  return features[call.feature](rw, call);
}
