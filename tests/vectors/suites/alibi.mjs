const withoutMask = ({ n_heads: heads, N: keys }) => ({ heads, keys });
const full = ({ n_heads: heads, N }, direction) => ({ heads, queries: N, keys: N, direction });

const outputs = {
  slopes: (rw, { attrs }) => ({ slopes: rw.alibiSlopes({ heads: attrs.n_heads }) }),
  bias_causal: (rw, { attrs }) => ({ bias: rw.alibi(full(attrs, 'causal')).data }),
  bias_symmetric: (rw, { attrs }) => ({ bias: rw.alibi(full(attrs, 'symmetric')).data }),
  bias_translated: (rw, { attrs }) => ({ bias: rw.alibiTranslated(withoutMask(attrs)).data }),
  bloom_padded: (rw, { attrs, inputs }) => {
    const { num, shape } = inputs.attention_mask;
    const mask = { data: Float32Array.from(num), shape };
    return { bias: rw.alibiTranslated({ ...withoutMask(attrs), mask }).data };
  },
  mpt: (rw, { attrs }) => ({
    bias: rw.alibiTranslated({
      ...withoutMask(attrs),
      maxBias: attrs.alibi_bias_max,
      origin: 'last',
    }).data,
  }),
};

export default function alibi(rw, c) {
  const output = outputs[c.feature.split('/').at(-1)];
  if (!output) throw new Error(`no adapter for ${c.feature}`);
  return output(rw, c);
}
