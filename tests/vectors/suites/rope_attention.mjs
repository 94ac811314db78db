// Suite rope_attention: rotation, then causal attention by position, in the settings of real models.
import { asTensor } from '../adapting.mjs';

// Which pairs are read, and in which layout they are left. Scores are the same either way.
const layouts = {
  half: { layout: 'half-split' },
  interleaved: { layout: 'interleaved' },
  deinterleave: { layout: 'interleaved', outputLayout: 'half-split' },
};

/** Key j is visible to query i when it is not later, and nearer than the window. */
function visible(queries, keys, window = Infinity) {
  const bits = Array.from(queries, (q) => Array.from(keys, (k) => k <= q && q - k < window));
  return {
    data: Uint8Array.from(bits.flat(), Number),
    shape: [queries.length, keys.length],
    whenTrue: 'attend',
  };
}

export default function (rw, { attrs, inputs }) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const inverseFrequencies = inputs.inv_freq.num;
  const frequencies = {
    inverseFrequencies,
    attentionFactor: attrs.attention_scaling,
    dim: 2 * inverseFrequencies.length,
  };
  const rotation = layouts[attrs.layout];
  const [positions, keyPositions] = [inputs.q_pos.num, inputs.k_pos.num];
  const options = {
    mask: visible(positions, keyPositions, attrs.window ?? undefined),
    position: { type: 'rope', frequencies, layout: rotation.layout, positions, keyPositions },
  };
  if (attrs.scale != null) options.scale = attrs.scale;
  if (attrs.softcap != null) options.softcap = attrs.softcap;
  if (inputs.sinks) options.sinks = inputs.sinks.num;
  return {
    q_rot: rw.rotate(q, frequencies, { ...rotation, positions }).data,
    k_rot: rw.rotate(k, frequencies, { ...rotation, positions: keyPositions }).data,
    out: rw.attention(q, k, v, options).output.data,
  };
}
