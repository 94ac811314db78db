// Suite rerope: rotary attention in which near and far keys are rotated differently; all causal.
import { asTensor } from '../adapting.mjs';

const schemes = {
  rerope: ({ window }) => ({ type: 'rerope', window }),
  leaky_rerope: ({ window, scaling_factor }) => ({
    type: 'leaky-rerope',
    window,
    factor: scaling_factor,
  }),
  self_extend: ({ group_size, neighbor_window }) => ({
    type: 'self-extend',
    groupSize: group_size,
    neighborWindow: neighbor_window,
  }),
  dual_chunk_attention: ({ chunk_size, local_window }) => ({
    type: 'dual-chunk',
    chunkSize: chunk_size,
    localWindow: local_window,
  }),
};

/** max(1, ln(i + 1) / ln(training length)) for each query. */
const logN = (length, training) =>
  Float64Array.from({ length }, (_, i) => Math.max(1, Math.log(i + 1) / Math.log(training)));

export default function (rw, { attrs, inputs }) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const [, length, dim] = q.shape;
  const frequencies = rw.rotaryFrequencies({ dim, base: attrs.rope_theta });
  if (attrs.mscale != null) frequencies.attentionFactor = attrs.mscale;
  const position = { ...schemes[attrs.scheme](attrs), frequencies, layout: 'half-split' };
  const rowScale = attrs.logn ? logN(length, attrs.training_length) : undefined;
  const options = { causal: 'top-left', position, rowScale };
  const { output } = rw.attention(q, k, v, options);
  const { biased } = rw.attention(q, k, v, { ...options, intermediates: ['biased'] });
  return { out: output.data, out_prefill: output.data, scores: biased.data };
}
