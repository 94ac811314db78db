const tensor = ({ data, shape }) => ({ data, shape });

function kerple(kind) {
  return (rw, { attrs, inputs }) => {
    // The vectors name the exponent p and the factor a for the power kind, and the other way round for log.
    const [r1, r2] = kind === 'log' ? [inputs.p, inputs.a] : [inputs.a, inputs.p];
    const options = {
      kind,
      r1: r1.num,
      r2: r2.num,
      clamp: attrs.eps_clamp,
      queries: attrs.N,
      keys: attrs.N,
    };
    return { bias: rw.kerple(options).data };
  };
}

const schemes = {
  deberta_v2_log_bucket(rw, { attrs, inputs, outputs }) {
    const buckets = rw.debertaBuckets(inputs.relative_position.num, {
      buckets: attrs.bucket_size,
      maxDistance: attrs.max_position,
    });
    return Object.fromEntries(outputs.map((name) => [name, buckets]));
  },
  kerple_log: kerple('log'),
  kerple_power: kerple('power'),
  fire(rw, { attrs, inputs }) {
    const network = {
      hiddenWeights: tensor(inputs['mlp.0.weight']),
      hiddenBias: inputs['mlp.0.bias'].num,
      headWeights: tensor(inputs['mlp.2.weight']),
      headBias: inputs['mlp.2.bias'].num,
    };
    const { N, c, L: threshold, L_multiplier: multiplier, eps: epsilon } = attrs;
    return {
      bias: rw.fire({ queries: N, keys: N, network, c, threshold, multiplier, epsilon }).data,
    };
  },
  swin_v1(rw, { attrs, inputs }) {
    const window = { window: attrs.window };
    return {
      index: rw.swinIndices(window).data,
      bias: rw.swinBias(tensor(inputs.table), window).data,
    };
  },
  swin_v2_cpb(rw, { attrs, inputs }) {
    const network = {
      hiddenWeights: tensor(inputs.w1),
      hiddenBias: inputs.b1.num,
      headWeights: tensor(inputs.w2),
    };
    const sizes = { window: attrs.window, pretrainedWindow: attrs.pretrained_window };
    return {
      coords_table: rw.swinV2Coordinates(sizes),
      index: rw.swinIndices({ window: attrs.window }).data,
      bias: rw.swinV2Bias({ ...sizes, network }).data,
    };
  },
  beit(rw, { attrs }) {
    return { index: rw.beitIndices({ window: attrs.window }).data };
  },
  cope(rw, { inputs }) {
    return {
      cope: rw.cope(tensor(inputs.q), tensor(inputs.attn_logits), tensor(inputs.pos_emb)).data,
    };
  },
};

export default function relposBias(rw, c) {
  const scheme = schemes[c.attrs.scheme];
  if (!scheme) throw new Error(`no adapter for ${c.attrs.scheme}`);
  return scheme(rw, c);
}
