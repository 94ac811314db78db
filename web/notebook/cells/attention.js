import { toFloats } from 'ropewalk/files';

/** @type {import('../protocol.ts').Attend} */
export function attention(rw, { q, k, v }, { base, layout, causal }) {
  const frequencies = rw.rotaryFrequencies({ dim: q.shape.at(-1), base });
  return rw.attention(toFloats(q), toFloats(k), toFloats(v), {
    position: { type: 'rope', frequencies, layout },
    causal, // 'top-left' is PyTorch's is_causal
    intermediates: ['weights'],
  }); // { output, weights }
}
