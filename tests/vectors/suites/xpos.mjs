/** xPos: rotated and scaled queries and keys, and their products. */
export default function (rw, { attrs, inputs }) {
  if (attrs.layout !== 'interleaved') throw new Error(`unknown layout ${attrs.layout}`);
  const [, length, dim] = inputs.q.shape;
  const frequencies = rw.rotaryFrequencies({ dim, base: attrs.rope_theta });
  const settings = {
    positions: Array.from({ length }, (_, row) => attrs.offset + row),
    scaleBase: attrs.scale_base,
    center: -attrs.min_pos,
  };
  const placed = ({ data, shape }, role) =>
    rw.rotate({ data, shape }, rw.xposTable(frequencies, { ...settings, role }), {
      layout: 'interleaved',
    });
  const [q, k] = [placed(inputs.q, 'query'), placed(inputs.k, 'key')];
  const { scores } = rw.attention(q, k, k, { scale: 1, intermediates: ['scores'] });
  return { q_out: q.data, k_out: k.data, scores: scores.data };
}
