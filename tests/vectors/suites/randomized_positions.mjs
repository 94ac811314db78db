// Suite randomized_positions: a sorted sample as positions of tables, rotations and distances.
import { asTensor, permuted } from '../adapting.mjs';

const sorted = ({ num }) => Float64Array.from(num, Number).sort();

const features = {
  table(rw, { inputs }) {
    const positions = sorted(inputs.sample);
    return { positions, rows: rw.learnedRows(asTensor(inputs.table), { positions }).data };
  },
  sinusoidal(rw, { attrs, inputs }) {
    const positions = sorted(inputs.sample);
    return {
      positions,
      rows: rw.sinusoidal({ positions, dim: attrs.C, layout: 'half-split' }).data,
    };
  },
  rotary(rw, { attrs, inputs }) {
    const positions = sorted(inputs.sample);
    const frequencies = rw.rotaryFrequencies({ dim: attrs.D, base: attrs.base });
    const x = permuted(asTensor(inputs.x), [0, 2, 1, 3]);
    const rotated = rw.rotate(x, frequencies, { layout: attrs.layout, positions });
    return { positions, x_rot: permuted(rotated, [0, 2, 1, 3]).data };
  },
  alibi: (rw, { attrs, inputs }) => ({
    bias: rw.randomizedAlibi({
      slopes: rw.alibiSlopes({ heads: attrs.H }),
      later: (inputs.sample ?? inputs.sample_right).num.map(Number),
      ...(inputs.sample_left && { earlier: inputs.sample_left.num.map(Number) }),
    }).data,
  }),
};
features.alibi_both_sides = features.alibi;

export default function randomizedPositions(rw, call) {
  return features[call.feature.split('/')[1]](rw, call);
}
