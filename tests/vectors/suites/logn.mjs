// Row factors on the logits: log-n as Su's and Qwen's code clips it, and Llama 4's.
export default function logN(rw, { attrs, inputs }) {
  const { scheme, training_length, attn_scale, floor_scale } = attrs;
  const positions = inputs.positions.num;
  if (scheme === 'bojone' || scheme === 'qwen') {
    return {
      factor: rw.logitFactors(positions, {
        type: 'log-n',
        form: 'clipped',
        originalLength: training_length,
      }),
    };
  }
  if (scheme === 'llama4') {
    return {
      factor: rw.logitFactors(positions, {
        type: 'llama4',
        scale: attn_scale,
        floorLength: floor_scale,
      }),
    };
  }
  throw new Error(`no meaning is known for scheme ${scheme}`);
}
