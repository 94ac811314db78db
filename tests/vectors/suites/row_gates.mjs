// Suite row_gates: biases whose sums differ from row to row.
import { asTensor, permuted, projected } from '../adapting.mjs';

function perRow(rw, { attrs, inputs }) {
  const { B, N, H, dh, post_log_scale: scale } = attrs;
  const { data } = projected(inputs.x, inputs.weight);
  const both = permuted({ data, shape: [B, N, 2, H, dh] }, [2, 0, 3, 1, 4]).data;
  const part = (i) => ({
    data: Float32Array.from(both.slice(i * B * H * N * dh, (i + 1) * B * H * N * dh)),
    shape: [B, H, N, dh],
  });
  const zeros = { data: new Float32Array(B * H * N), shape: [B, H, N, 1] };
  const { biased } = rw.attention(zeros, zeros, zeros, {
    causal: 'top-left',
    position: { type: 'row-gates', queries: part(0), keys: part(1), scale },
    intermediates: ['biased'],
  });
  // The source leaves 0 where keys come after the query, and its caller masks them.
  return { bias: biased.data.map((value) => (value === -Infinity ? 0 : value)) };
}

export default function rowGates(rw, call) {
  if (call.feature === 'row_gates/per_row') return perRow(rw, call);
  const options = { gateHead: call.attrs.gate_head, spareFirst: call.attrs.no_mask_first };
  return { out: rw.selectiveScores(asTensor(call.inputs.sim), options).data };
}
