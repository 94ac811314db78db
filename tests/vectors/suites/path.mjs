// Suite path: PaTH, with and without its gate, and its key cache.
import { asTensor } from '../adapting.mjs';

/** The cache after the last token: each key under the matrices of the tokens after it. */
function keyCache(rw, { k, w, beta }) {
  const [batch, heads, length, dim] = k.shape;
  const row = (x, t, width) => {
    const data = new Float32Array(batch * heads * width);
    for (let h = 0; h < batch * heads; h++)
      data.set(x.data.subarray((h * length + t) * width, (h * length + t + 1) * width), h * width);
    return data;
  };
  let cache = { data: new Float32Array(0), shape: [batch, heads, 0, dim] };
  for (let t = 0; t < length; t++) {
    const ofToken = { data: row(w, t, dim), shape: [batch, heads, dim] };
    const before = t === 0 ? cache : rw.updatePathKeys(cache, ofToken, row(beta, t, 1));
    const data = new Float32Array(batch * heads * (t + 1) * dim);
    const next = row(k, t, dim);
    for (let h = 0; h < batch * heads; h++) {
      data.set(before.data.subarray(h * t * dim, (h + 1) * t * dim), h * (t + 1) * dim);
      data.set(next.subarray(h * dim, (h + 1) * dim), (h * (t + 1) + t) * dim);
    }
    cache = { data, shape: [batch, heads, t + 1, dim] };
  }
  return cache.data;
}

export default function path(rw, { attrs, inputs, outputs }) {
  const [q, k, v, w, beta] = ['q', 'k', 'v', 'w', 'beta'].map((name) => asTensor(inputs[name]));
  const { output, biased, logSumExp } = rw.attention(q, k, v, {
    causal: 'top-left',
    ...(attrs.scale !== null && { scale: attrs.scale }),
    position: {
      type: 'path',
      w,
      beta,
      ...(attrs.gate !== 'none' && { gate: attrs.gate, logGates: asTensor(inputs.log_gate) }),
    },
    intermediates: ['biased', 'logSumExp'],
  });
  return {
    out: output.data,
    lse: logSumExp.data,
    scores: biased.data,
    ...(outputs.includes('k_cache') && { k_cache: keyCache(rw, { k, w, beta }) }),
  };
}
