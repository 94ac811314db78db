// Suite pope: queries and keys in polar form.
import { asTensor } from '../adapting.mjs';

const layouts = { concat: 'half-split', interleaved: 'interleaved' };

export default function pope(rw, { attrs, inputs }) {
  const [q, k, v, phases] = ['q', 'k', 'v', 'bias'].map((name) => asTensor(inputs[name]));
  const [queries, keys] = ['q_pos', 'k_pos'].map((name) => Array.from(inputs[name].num, Number));
  const settings = {
    width: attrs.rotary_dim,
    base: attrs.base,
    layout: layouts[attrs.pair_layout],
  };
  const polarQ = rw.polar(q, { ...settings, positions: queries });
  const polarK = rw.polar(k, { ...settings, positions: keys, phases });
  const visible = queries.flatMap((at) => keys.map((key) => Number(key <= at)));
  const { output, biased } = rw.attention(polarQ, polarK, v, {
    scale: attrs.scale ?? 1 / Math.sqrt(q.shape[3]),
    mask: {
      data: Uint8Array.from(visible),
      shape: [queries.length, keys.length],
      whenTrue: 'attend',
    },
    intermediates: ['biased'],
  });
  return { q_pope: polarQ.data, k_pope: polarK.data, out: output.data, scores: biased.data };
}
