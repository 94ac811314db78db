// Suite wall: decays per channel inside the dot product.
import { asTensor } from '../adapting.mjs';

/** Keys of the query's own segment. */
function segmentMask({ num }, length) {
  const bounds = Array.from(num, Number);
  const segment = (t) => bounds.findLastIndex((first) => first <= t);
  const data = Uint8Array.from({ length: length * length }, (_, i) =>
    Number(segment(Math.floor(i / length)) === segment(i % length)),
  );
  return { data, shape: [length, length], whenTrue: 'attend' };
}

export default function wall(rw, { attrs, inputs }) {
  const [q, k, v, gates] = ['q', 'k', 'v', 'log_gate'].map((name) => asTensor(inputs[name]));
  const scalarGates = inputs.log_gate_scalar && asTensor(inputs.log_gate_scalar);
  const options = {
    causal: 'top-left',
    position: { type: 'wall', gates, term: 'number', ...(scalarGates && { scalarGates }) },
    ...(attrs.scale !== null && { scale: attrs.scale }),
    ...(attrs.window && { window: { size: attrs.window } }),
    ...(inputs.sink && { sinks: inputs.sink.num }),
    ...(inputs.cu_seqlens && { mask: segmentMask(inputs.cu_seqlens, attrs.N) }),
  };
  const { output } = rw.attention(q, k, v, options);
  const { biased, logSumExp } = rw.attention(q, k, v, {
    ...options,
    intermediates: ['biased', 'logSumExp'],
  });
  return {
    out: output.data,
    out_shipped_constant: output.data,
    lse: logSumExp.data,
    scores: biased.data,
  };
}
