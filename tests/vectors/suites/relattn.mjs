const tensor = ({ data, shape }) => ({ data, shape });

/** [a, b, width] to [b, a, width], and back. */
function swapped({ data, shape: [a, b, width] }) {
  const out = new Float32Array(data.length);
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++)
      out.set(data.subarray((i * b + j) * width, (i * b + j + 1) * width), (j * a + i) * width);
  }
  return { data: out, shape: [b, a, width] };
}

function plus(x, y) {
  return x.map((value, i) => value + y[i]);
}

/** scale · q · k with the scheme's terms on top: what attention makes a softmax of. */
function biasedScores(rw, q, k, bias, options) {
  return rw.attention(q, k, k, { ...options, bias, intermediates: ['biased'] }).biased.data;
}

const schemes = {
  transformer_xl(rw, { attrs, inputs }) {
    const [q, k, v, r] = ['q', 'k', 'v', 'r_k'].map((name) => swapped(inputs[name]));
    if (!attrs.causal) throw new Error('no adapter for a Transformer-XL that is not causal');
    if (k.shape[1] - q.shape[1] !== attrs.mem)
      throw new Error('the keys are not the memory and the queries');
    const bias = rw.transformerXl(q, k, r, {
      contentBias: tensor(inputs.u),
      positionBias: tensor(inputs.v_bias),
    });
    const { output, biased } = rw.attention(q, k, v, {
      causal: 'bottom-right',
      bias,
      intermediates: ['biased'],
    });
    return { scores: biased.data, out: swapped(output).data };
  },

  rel_shift: (rw, { inputs }) => ({ shifted: rw.relativeShift(tensor(inputs.x)).data }),
  music_transformer_skew_masked: (rw, { inputs }) => ({
    y: rw.relativeShift(tensor(inputs.x)).data,
  }),

  shaw(rw, { attrs, inputs }) {
    const [q, k, v, ak, av] = ['q', 'k', 'v', 'ak', 'av'].map((name) => tensor(inputs[name]));
    const bias = rw.shaw(q, ak, { scale: 1 });
    const found = rw.attention(q, k, v, { scale: 1, bias, intermediates: ['biased', 'weights'] });
    const length = q.shape.at(-2);
    return {
      index: rw.shawIndices({ queries: length, keys: length, clip: attrs.max_relative_position })
        .data,
      scores: found.biased.data,
      out: plus(found.output.data, rw.shawValues(found.weights, av).data),
    };
  },

  relative_key: relativeKey('relative_key'),
  relative_key_query: relativeKey('relative_key_query'),

  deberta_v2(rw, { attrs, inputs }) {
    const {
      D,
      H,
      att_span: span,
      position_buckets: buckets,
      pos_att_type: terms,
      scale_factor: factor,
    } = attrs;
    const unknown = terms.find((term) => term !== 'c2p' && term !== 'p2c');
    if (unknown) throw new Error(`no adapter for the DeBERTa term ${unknown}`);
    const [q, k] = [tensor(inputs.q), tensor(inputs.k)];
    const table = (name) => swapped({ data: inputs[name].data, shape: [2 * span, H, D] });
    const scale = 1 / Math.sqrt(D * factor);
    const bucketing = buckets > 0 ? { buckets, maxDistance: attrs.max_relative_positions } : {};
    const bias = rw.deberta(q, k, {
      ...(terms.includes('c2p') && { positionKeys: table('pos_key') }),
      ...(terms.includes('p2c') && { positionQueries: table('pos_query') }),
      ...bucketing,
      scale,
    });
    const [queries, keys] = [q.shape[1], k.shape[1]];
    const distances = Array.from(
      { length: queries * keys },
      (_, i) => Math.floor(i / keys) - (i % keys),
    );
    return {
      rel_pos: buckets > 0 ? rw.debertaBuckets(distances, bucketing) : distances,
      bias: bias.data,
      scores: biasedScores(rw, q, k, bias, { scale }),
    };
  },
};

function relativeKey(type) {
  return (rw, { attrs, inputs }) => {
    const [q, k, table] = ['q', 'k', 'distance_embedding'].map((name) => tensor(inputs[name]));
    if (table.shape[0] !== 2 * attrs.max_position_embeddings - 1)
      throw new Error('the table does not fit its attrs');
    return { scores: biasedScores(rw, q, k, rw.relativeKey(q, k, table, { type })) };
  };
}

export default function relattn(rw, c) {
  const scheme = schemes[c.attrs.scheme];
  if (!scheme) throw new Error(`no adapter for ${c.attrs.scheme}`);
  return scheme(rw, c);
}
