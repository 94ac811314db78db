// Suite row_gates: biases whose sums differ from row to row.
import { asTensor, permuted, projected } from '../adapting.mjs';

function perRow({ attrs, inputs }, { content }) {
  const { B, N, H, dh, post_log_scale: scale } = attrs;
  const { data } = projected(inputs.x, inputs.weight);
  const both = permuted({ data, shape: [B, N, 2, H, dh] }, [2, 0, 3, 1, 4]).data;
  const part = (i) => ({
    data: Float32Array.from(both.slice(i * B * H * N * dh, (i + 1) * B * H * N * dh)),
    shape: [B, H, N, dh],
  });
  const zeros = { data: new Float32Array(B * H * N), shape: [B, H, N, 1] };
  const { biased } = content.attention(zeros, zeros, zeros, {
    causal: 'top-left',
    position: { type: 'row-gates', queries: part(0), keys: part(1), scale },
    intermediates: ['biased'],
  });
  // The source leaves 0 where keys come after the query, and its caller masks them.
  return { bias: biased.data.map((value) => (value === -Infinity ? 0 : value)) };
}

export default function rowGates(_, call, instances) {
  if (call.feature === 'row_gates/per_row') return perRow(call, instances);
  const options = { gateHead: call.attrs.gate_head, spareFirst: call.attrs.no_mask_first };
  return { out: instances.content.selectiveScores(asTensor(call.inputs.sim), options).data };
}
