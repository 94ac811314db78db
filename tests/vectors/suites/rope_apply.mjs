/** Rotation of q and k in all layouts. */
const layouts = {
  half: { layout: 'half-split' },
  interleaved: { layout: 'interleaved' },
  deinterleave: { layout: 'interleaved', outputLayout: 'half-split' },
};

export default function (rw, { attrs, inputs }) {
  const layout = layouts[attrs.layout];
  if (!layout) throw new Error(`unknown layout ${attrs.layout}`);
  const frequencies = {
    ...rw.rotaryFrequencies({ dim: attrs.rotary_dim, base: attrs.rope_theta }),
    attentionFactor: attrs.attention_scaling,
  };
  const rotated = ({ data, shape }) =>
    rw.rotate({ data, shape }, frequencies, { ...layout, positions: inputs.position_ids.data })
      .data;
  return { q_rot: rotated(inputs.q), k_rot: rotated(inputs.k) };
}
