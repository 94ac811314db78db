/** Layers of a small transformer, with their gradients. */
import { asTensor } from '../adapting.mjs';

const layers = {
  rmsnorm({ train, x, gain, dOutput, epsilon }) {
    const d = train.rmsNormBackward(dOutput, x, gain, epsilon);
    return { y: train.rmsNorm(x, gain, epsilon).data, d_x: d.x.data, d_g: d.gain };
  },
  layernorm({ train, x, gain, bias, dOutput, epsilon }) {
    const d = train.layerNormBackward(dOutput, x, gain, bias, epsilon);
    const y = train.layerNorm(x, gain, bias, epsilon).data;
    return { y, d_x: d.x.data, d_g: d.gain, d_b: d.bias };
  },
  gelu_tanh: ({ train, x, dOutput }) => ({
    y: train.gelu(x).data,
    d_x: train.geluBackward(dOutput, x).data,
  }),
  embedding({ train, inputs, dOutput }) {
    const table = asTensor(inputs.table);
    const ids = inputs.ids.num;
    return {
      y: train.embedding(table, ids).data,
      d_table: train.embeddingBackward(dOutput, ids, table.shape[0]).data,
    };
  },
  linear({ train, x, inputs, dOutput }) {
    const w = asTensor(inputs.w);
    const d = train.linearBackward(dOutput, x, w);
    return { y: train.linear(x, w).data, d_x: d.x.data, d_w: d.w.data };
  },
  cross_entropy({ train, inputs }) {
    const { loss, logits } = train.crossEntropy(
      asTensor(inputs.logits),
      inputs.targets.num,
      inputs.weights.num,
    );
    return { loss, d_logits: logits.data };
  },
  rotary({ rw, x, inputs, attrs, dOutput }) {
    const frequencies = {
      ...rw.rotaryFrequencies({ dim: attrs.rotary_dim, base: attrs.rope_theta }),
      attentionFactor: attrs.attention_factor,
    };
    const rotated = (tensor, sign) =>
      rw.rotate(tensor, frequencies, {
        layout: attrs.layout === 'half' ? 'half-split' : 'interleaved',
        positions: Array.from(inputs.positions.num, (position) => sign * position),
      }).data;
    return { y: rotated(x, 1), d_x: rotated(dOutput, -1) };
  },
};

export default function layersGrad(rw, { attrs, inputs }, { train }) {
  const layer = layers[attrs.layer];
  if (!layer) throw new Error(`no adapter for ${attrs.layer}`);
  return layer({
    rw,
    train,
    inputs,
    attrs,
    x: inputs.x && asTensor(inputs.x),
    dOutput: inputs.d_y && asTensor(inputs.d_y),
    gain: inputs.g?.num,
    bias: inputs.b?.num,
    epsilon: attrs.eps,
  });
}
