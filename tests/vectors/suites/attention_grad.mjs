/** Gradients of attention under every scheme, from PyTorch's autograd. */
import { asTensor } from '../adapting.mjs';

/** @param {{ data: Float32Array, shape: number[] }} matrix */
const transposed = ({ data, shape: [rows, cols] }) => ({
  data: Float32Array.from(data, (_, i) => data[(i % rows) * cols + Math.floor(i / rows)]),
  shape: [cols, rows],
});
const layouts = { half: 'half-split', interleaved: 'interleaved' };

/** The position option of each scheme, and what its gradients are called in the suite. */
const schemes = {
  alibi: () => ({ position: { type: 'alibi', direction: 'symmetric' } }),
  t5: ({ position, inputs }) => ({
    position: {
      type: 't5',
      table: asTensor(inputs.table),
      direction: position.bidirectional ? 'bidirectional' : 'causal',
      maxDistance: position.max_distance,
    },
    named: ({ table }) => ({ d_table: table }),
  }),
  kerple_log: (given) => kerple('log', given),
  kerple_power: (given) => kerple('power', given),
  fire({ position, inputs }) {
    const hidden = inputs.w1.num.length;
    const [c, threshold] = [inputs.c?.num[0] ?? position.c, inputs.L?.num[0] ?? position.L];
    return {
      position: {
        type: 'fire',
        network: {
          hiddenWeights: { data: Float32Array.from(inputs.w1.num), shape: [hidden, 1] },
          hiddenBias: inputs.b1.num,
          headWeights: transposed(asTensor(inputs.w2)),
          headBias: inputs.b2.num,
        },
        c,
        threshold,
        epsilon: position.eps,
      },
      named: (d) => ({
        d_w1: d.hiddenWeights,
        d_b1: d.hiddenBias,
        d_w2: transposed({ data: d.headWeights, shape: [inputs.b2.num.length, hidden] }).data,
        d_b2: d.headBias,
        d_c: d.c,
        d_L: d.threshold,
      }),
    };
  },
  cope: ({ inputs }) => ({
    position: { type: 'cope', table: asTensor(inputs.e) },
    named: ({ table }) => ({ d_e: table }),
  }),
  fox: ({ inputs }) => ({
    position: { type: 'fox', gates: asTensor(inputs.f) },
    named: ({ gates }) => ({ d_f: gates }),
  }),
  rope({ rw, position, queries, keys }) {
    const offset = position.position_offset ?? 0;
    return {
      position: {
        type: 'rope',
        frequencies: rw.rotaryFrequencies({
          dim: position.rotary_dim,
          base: position.rope_theta,
        }),
        layout: layouts[position.layout],
        positions: queries.map((at) => at + offset),
        keyPositions: keys.map((at) => at + offset),
      },
    };
  },
  yarn: ({ position, inputs }) => ({
    position: {
      type: 'rope',
      frequencies: {
        inverseFrequencies: Float64Array.from(inputs.inv_freq.num),
        attentionFactor: position.attention_factor,
      },
      layout: layouts[position.layout],
    },
  }),
  rerope: ({ rw, position, dim }) => ({
    position: {
      type: 'rerope',
      frequencies: rw.rotaryFrequencies({ dim, base: position.rope_theta }),
      layout: 'half-split',
      window: position.window,
    },
  }),
  logn: ({ rw, position, queries }) => ({
    rowScale: rw.logitFactors(queries, {
      type: 'log-n',
      form: 'clipped',
      originalLength: position.training_length,
    }),
  }),
  /** Rotated and scaled before; the transpose of that takes the gradients back. */
  xpos({ rw, position, dim, queries, keys }) {
    const frequencies = rw.rotaryFrequencies({ dim, base: position.rope_theta });
    const place = (tensor, role, sign) => {
      const table = rw.xposTable(frequencies, {
        positions: role === 'query' ? queries : keys,
        scaleBase: position.scale_base,
        gamma: position.gamma,
        role,
        center: 0,
      });
      const sin = table.sin.map((value) => sign * value);
      return rw.rotate(tensor, { ...table, sin }, { layout: 'interleaved' });
    };
    return { place };
  },
};

function kerple(kind, { inputs }) {
  return {
    position: { type: 'kerple', kind, r1: inputs.r1.num, r2: inputs.r2.num },
    named: ({ r1, r2 }) => ({ d_r1: r1, d_r2: r2 }),
  };
}

const alignments = { topleft: 'top-left', bottomright: 'bottom-right' };

function maskOf({ num, shape }) {
  return { data: Uint8Array.from(num), shape: [...shape], whenTrue: 'attend' };
}

export default function attentionGrad(rw, { attrs, inputs }, { train }) {
  const [q, k, v, dOutput] = ['q', 'k', 'v', 'd_out'].map((name) => asTensor(inputs[name]));
  const { N, M, D } = attrs;
  const offset = attrs.causal === 'bottomright' ? M - N : 0;
  const scheme = attrs.position
    ? schemes[attrs.position.type]({
        rw,
        inputs,
        position: attrs.position,
        dim: D,
        queries: Array.from({ length: N }, (_, i) => i + offset),
        keys: Array.from({ length: M }, (_, j) => j),
      })
    : {};
  const { place = (tensor) => tensor, named = () => ({}), position, rowScale } = scheme;
  const symmetric = attrs.window_sym;
  const window =
    attrs.window !== undefined
      ? { size: attrs.window }
      : symmetric !== undefined && { lookback: symmetric, lookahead: symmetric, align: 'top-left' };
  const d = train.attentionBackward(place(q, 'query', 1), place(k, 'key', 1), v, dOutput, {
    ...(attrs.scale !== null && { scale: attrs.scale }),
    ...(attrs.softcap !== null && { softcap: attrs.softcap }),
    ...(attrs.causal && { causal: alignments[attrs.causal] }),
    ...(window && { window }),
    ...(inputs.mask && { mask: maskOf(inputs.mask) }),
    ...(inputs.bias && { bias: asTensor(inputs.bias) }),
    ...(inputs.sinks && { sinks: inputs.sinks.num }),
    ...(rowScale && { rowScale }),
    ...(position && { position }),
  });
  return {
    out: d.output.data,
    d_q: place(d.q, 'query', -1).data,
    d_k: place(d.k, 'key', -1).data,
    d_v: d.v.data,
    d_bias: d.bias?.data,
    d_sinks: d.sinks,
    ...named(d.position ?? {}),
  };
}
