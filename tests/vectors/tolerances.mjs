// How close an answer must be: for every suite and output, the suite's own tolerance as its notes
// define it. An output that is not listed here fails, so that nothing new passes unread.

/** |got - expected| may be at most atol + rtol * |expected|. */
const within =
  ({ atol = 0, rtol = 0 }) =>
  (expected) =>
    atol + rtol * Math.abs(expected);

const equal = { bound: () => () => 0 };
const stated = (key) => ({ bound: ({ suite }) => within(suite.tolerance[key]) });
const suiteWide = { bound: ({ suite }) => within(suite.tolerance) };
const float32 = stated('float32');
const nested = (key) => ({ bound: ({ suite }) => within(suite.tolerance.float32[key]) });
const perCaseOrSuite = {
  bound: ({ suite, one }) => within(one.tol?.float32 ?? suite.tolerance.float32),
};
const perCase = { bound: ({ one }) => within(one.tol.float32) };

/** The logarithm of a softmax denominator (the vectors' README, Tolerances). */
const logSumExp = { bound: () => (expected) => 3e-6 * Math.max(1, Math.abs(expected)) };

/** Stored for comparison, and not what an implementation has to give. */
const reference = (why) => ({ reference: why });

/** Half precision carries 11 bits; the suite's own tolerance is for 32-bit floats. */
const onnx = {
  bound: ({ suite, expected }) =>
    within(expected.dtype === 'f16' ? { atol: 2e-3, rtol: 2e-3 } : suite.tolerance),
};

/** Cases computed in double from 32-bit inputs: 1e-6 relative, for values of about 1. */
const onnxRotary = {
  bound: ({ suite, expected }) =>
    within(expected.dtype === 'f64' ? { atol: 1e-6, rtol: 1e-6 } : suite.tolerance),
};

/** Exact zeros in rows that see nothing; else as for the golden cases. */
const edge = {
  bound({ suite, one }) {
    const golden = within(suite.tolerance.golden);
    if (one.attrs.class !== 'convention') return golden;
    return (expected) => (expected === 0 ? 0 : golden(expected));
  },
};

/**
 * cos and sin of positions x frequencies. Doubles may differ by what rounding the product does,
 * 32-bit floats by their own rounding. `perPosition` is the rounding of the frequency itself.
 */
const rotaryTable = (answer, perPosition) => ({
  answer,
  bound({ one, got }) {
    const { positions, inv_freq } = one.inputs;
    const least = got instanceof Float32Array ? 1e-7 : 1e-15;
    return (_, index) => {
      const position = Math.abs(positions.num[Math.floor(index / inv_freq.num.length)]);
      const angle = position * inv_freq.num[index % inv_freq.num.length];
      return Math.max(least, angle * 2.3e-16) + position * perPosition;
    };
  },
});

const shipped = reference('the bucket that models use is `bucket`');
const recorded = reference("one program's answer where several are right");

const outputs = {
  alibi: { slopes: stated('slopes'), bias: float32 },
  attention_grad: {
    out: perCase,
    ...Object.fromEntries(
      'q k v bias sinks table r1 r2 w1 b1 w2 b2 c L e f'
        .split(' ')
        .map((name) => [`d_${name}`, perCase]),
    ),
  },
  layers_grad: Object.fromEntries(
    ['y', 'd_x', 'd_g', 'd_b', 'd_w', 'd_table', 'loss', 'd_logits'].map((name) => [name, perCase]),
  ),
  train_steps: {
    loss: nested('loss'),
    grad_norm: nested('grad_norm'),
    logits: nested('logits'),
    'grad.': nested('grad.'),
    'final.': nested('final.'),
  },
  attention: { out: perCase, lse: logSumExp, probs: perCase },
  attention_edge: {
    out: edge,
    lse: logSumExp,
    out_f32_torch_math: recorded,
    out_onnx_ref_f64: recorded,
  },
  attention_large: { out_rows: float32, lse_rows: logSumExp },
  logn: { factor: suiteWide },
  onnx_attention: { Y: onnx, qk_matmul_output: onnx, present_key: equal, present_value: equal },
  onnx_attention_ref: { Y: onnx, qk_matmul_output: onnx, present_key: equal, present_value: equal },
  onnx_flexattention: { Y: onnx },
  onnx_linear_attention: { output: onnx, present_state: onnx },
  onnx_rotary: { output: onnxRotary },
  posenc_2d: { pe: float32 },
  relattn: {
    scores: float32,
    out: float32,
    shifted: float32,
    y: float32,
    bias: float32,
    index: equal,
    rel_pos: equal,
  },
  relpos_bias: {
    bucket: equal,
    bucket_f64: shipped,
    index: equal,
    bias: float32,
    coords_table: float32,
    cope: float32,
  },
  rerope: { scores: float32, out: float32, out_prefill: float32 },
  rope_apply: { q_rot: float32, k_rot: float32 },
  rope_attention: { q_rot: float32, k_rot: float32, out: float32 },
  rope_multi: { q_rot: float32, k_rot: float32, angles: float32, cos: float32, sin: float32 },
  rope_params: {
    inv_freq: stated('inv_freq'),
    inv_freq_f32: { ...stated('inv_freq_f32'), answer: 'inv_freq' },
    attention_factor: stated('attention_factor'),
    softmax_mscale2: stated('attention_factor'),
  },
  rope_tables: {
    cos: rotaryTable('cos', 0),
    sin: rotaryTable('sin', 0),
    cos_true: rotaryTable('cos', 1.2e-16),
    sin_true: rotaryTable('sin', 1.2e-16),
  },
  sinusoidal: { pe: float32 },
  t5_bucket: { bucket: equal, bucket_f64: shipped, bucket_exact: shipped, bias: equal },
  fox: { out: float32, lse: float32, bias: float32, scores: float32, log_gate: float32 },
  ssmax: { out: float32, factor: float32, scores: float32, q_scaled: float32 },
  selective_rope: { angles: float32, q_rot: float32, k_rot: float32, out: float32 },
  repo: { positions: float32, q_rot: float32, k_rot: float32, out: float32 },
  randomized_positions: { positions: equal, rows: float32, x_rot: float32, bias: float32 },
  layer_plans: { rope: equal, base: equal, window: equal, chunk: equal, scaled: equal },
  path: { out: float32, lse: float32, scores: float32, k_cache: float32 },
  wall: { out: float32, out_shipped_constant: float32, lse: float32, scores: float32 },
  grape: {
    bias: float32,
    scores: float32,
    out: float32,
    slopes: float32,
    angles: float32,
    q_rot: float32,
    k_rot: float32,
  },
  pope: {
    q_pope: perCaseOrSuite,
    k_pope: perCaseOrSuite,
    scores: perCaseOrSuite,
    out: perCaseOrSuite,
  },
  stick_breaking: { out: float32, rem: float32, out_rem: float32, att: float32 },
  row_gates: { out: float32, bias: float32 },
  abacus: { position_ids: equal, rows: equal },
  position_coupling: { input_positions: equal, label_positions: equal, position_ids: equal },
  xpos: { q_out: float32, k_out: float32, scores: float32 },
};

/**
 * What is asked of one output: { answer, bound(context) } with the bound of each element, or
 * { reference: why }. `answer` names the value to compare when it is not the output's own.
 */
export function requirement(suite, output) {
  // Names with a dot are those of parameters: they have one tolerance by what comes before it.
  const known = outputs[suite];
  const found = known?.[output] ?? known?.[/^\w+\./.exec(output)?.[0]];
  if (!found) throw new Error(`the output ${output} of suite ${suite} has no tolerance`);
  return { answer: output, ...found };
}

const optionalSuites = ['onnx_flexattention', 'onnx_linear_attention'];
const optionalFeatures = ['attention_grad/fire_cl', 'selective_rope/projection'];
const edgeClasses = { golden: true, convention: true, ambiguous: false, behaviour: false };

/** Whether a case counts. Those that do not have several right answers, or are welcome extras. */
export function isRequired(suite, one) {
  if (optionalSuites.includes(suite) || optionalFeatures.includes(one.feature)) return false;
  if (suite !== 'attention_edge') return true;
  const required = edgeClasses[one.attrs.class];
  if (required === undefined) throw new Error(`attention_edge has no class ${one.attrs.class}`);
  return required;
}

export const isOptionalSuite = (suite) => optionalSuites.includes(suite);
