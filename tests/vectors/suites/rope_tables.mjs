/** cos and sin of rotary angles: of the frequencies as doubles, and of the real numbers behind them. */
export default function (rw, { attrs, inputs }) {
  const positions = inputs.positions.data;
  const given = {
    inverseFrequencies: inputs.inv_freq.data,
    attentionFactor: 1,
    dim: attrs.rotary_dim,
  };
  const exact = { dim: attrs.rotary_dim, base: attrs.rope_theta };
  const { cos, sin } = rw.rotaryTable(given, { positions });
  const { cos: cos_true, sin: sin_true } = rw.rotaryTable(exact, { positions });
  return { cos, sin, cos_true, sin_true };
}
