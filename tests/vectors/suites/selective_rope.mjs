// Suite selective_rope: angles that are given, or accumulated from increments.
import { asDoubles, asTensor } from '../adapting.mjs';

const layout = 'half-split';

export default function selectiveRope(rw, { attrs, inputs }) {
  if (attrs.layout !== 'half') throw new Error(`unknown layout ${attrs.layout}`);
  if (!inputs.angles && !inputs.phi) throw new Error('the projections of a layer have no adapter');
  const [q, k, v] = ['q', 'k', 'v'].map((name) => asTensor(inputs[name]));
  const angles = inputs.angles
    ? asDoubles(inputs.angles)
    : rw.accumulatedAngles(asTensor(inputs.phi), {
        temperature: inputs.temperature.num,
        ...(inputs.offset && { start: asDoubles(inputs.offset) }),
      }).angles;
  const table = rw.tableOfAngles(angles);
  const position = { type: 'angles', angles, layout };
  return {
    angles: angles.data,
    q_rot: rw.rotate(q, table, { layout }).data,
    k_rot: rw.rotate(k, table, { layout }).data,
    out: rw.attention(q, k, v, { causal: 'top-left', position }).output.data,
  };
}
