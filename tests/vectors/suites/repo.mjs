// Suite repo: RoPE at real positions per head and token.
import { asTensor, permuted, projected } from '../adapting.mjs';

const layout = 'half-split';
const silu = (x) => x / (1 + Math.exp(-x));

/** [batch, heads, length] in one list. */
const positionsOf = {
  'repo/positions': ({ inputs }) => inputs.positions.num,
  'repo/shared': ({ inputs }) => inputs.positions.num,
  'repo/linear': ({ inputs }) => projected(inputs.hidden, inputs.w).data,
  'repo/module'({ inputs }) {
    const [gate, content] = ['w_gate', 'w_content'].map((name) =>
      projected(inputs.hidden, inputs[name]),
    );
    const num = gate.data.map((value, i) => silu(value) * content.data[i]);
    const heads = projected({ num, shape: gate.shape }, inputs.w_final);
    return permuted(heads, [0, 2, 1]).data;
  },
};

export default function repo(rw, call) {
  const { attrs, inputs, feature } = call;
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const positions = Array.from(positionsOf[feature](call));
  const frequencies = rw.rotaryFrequencies({ dim: attrs.D, base: attrs.base });
  const rotated = (x) => rw.rotate(x, frequencies, { layout, positions }).data;
  const position = { type: 'rope', frequencies, layout, positions };
  return {
    positions,
    q_rot: rotated(q),
    k_rot: rotated(k),
    out: rw.attention(q, k, v, { causal: 'top-left', position }).output.data,
  };
}
