/** Faults of the way back of the output, where keys are values too. */
import { fault } from './fault.js';

export const outputFault = fault({
  id: 'output_not_derotated',
  part: 'output',
  variants: () =>
    (['none', 'forward'] as const).map((output, i) => ({
      parameters: { output: output === 'none' ? 'raw' : output },
      cost: 1 + 0.01 * i,
      apply: (model) => (model.output === 'back' ? { ...model, output } : undefined),
    })),
  says: ({ output }) =>
    output === 'raw'
      ? 'The output is not rotated back: its values still have the positions of their keys.'
      : 'The output is rotated forward by the position of the query, not back.',
  fix: 'Rotate the last qk_rope_head_dim channels of the attention output by minus the angle of the query before the output projection: cos and −sin in apply_rotary_pos_emb (Hugging Face, vLLM), ggml_rope_ext_back (llama.cpp), negated positions or sin (MLX, ONNX).',
});
