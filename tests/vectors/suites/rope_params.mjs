// Inverse frequencies and temperature of every rope_type, by the names of Hugging Face.

/** Copies the given keys under the package's names; what is absent or null stays absent. */
function renamed(from, names) {
  const entries = Object.entries(names).map(([theirs, ours]) => [ours, from[theirs]]);
  const unknown = Object.keys(from).filter((key) => !(key in names));
  if (unknown.length > 0)
    throw new Error(`no meaning is known for scaling.${unknown.join(', scaling.')}`);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

const yarnNames = {
  factor: 'factor',
  original_max_position_embeddings: 'originalLength',
  beta_fast: 'betaFast',
  beta_slow: 'betaSlow',
  attention_factor: 'attentionFactor',
  mscale: 'mscale',
  mscale_all_dim: 'mscaleAllDim',
  truncate: 'truncate',
};

const scalings = {
  default: ({ scaling }) => ({ type: 'none', ...renamed(scaling, {}) }),
  linear: ({ scaling }) => ({ type: 'linear', ...renamed(scaling, { factor: 'factor' }) }),
  dynamic: ({ scaling, max_position_embeddings, seq_len }) => ({
    type: 'dynamic-ntk',
    ...renamed(scaling, { factor: 'factor' }),
    originalLength: max_position_embeddings,
    ...(seq_len !== null && { length: seq_len }),
  }),
  yarn: ({ scaling, max_position_embeddings }) => ({
    type: 'yarn',
    originalLength: max_position_embeddings,
    ...renamed(scaling, yarnNames),
  }),
  // With a training length of its own (Phi-3) the factor is the quotient of the two lengths.
  longrope: ({ scaling, max_position_embeddings, config_original_max, seq_len }) => {
    const { factor, ...given } = renamed(scaling, {
      short_factor: 'shortFactor',
      long_factor: 'longFactor',
      attention_factor: 'attentionFactor',
      factor: 'factor',
    });
    return {
      type: 'longrope',
      ...given,
      ...(config_original_max
        ? { originalLength: config_original_max, maxLength: max_position_embeddings }
        : { originalLength: max_position_embeddings, ...(factor && { factor }) }),
      ...(seq_len !== null && { length: seq_len }),
    };
  },
  llama3: ({ scaling, max_position_embeddings }) => ({
    type: 'llama3',
    originalLength: max_position_embeddings,
    ...renamed(scaling, {
      factor: 'factor',
      low_freq_factor: 'lowFreqFactor',
      high_freq_factor: 'highFreqFactor',
      original_max_position_embeddings: 'originalLength',
    }),
  }),
  proportional: ({ scaling }) => ({
    type: 'proportional',
    ...renamed(scaling, { factor: 'factor' }),
  }),
  ntk_static: ({ scaling }) => ({ type: 'ntk-alpha', ...renamed(scaling, { alpha: 'alpha' }) }),
  ntk_by_parts: ({ scaling }) => ({
    type: 'part-ntk',
    ...renamed(scaling, {
      factor: 'factor',
      original_max_position_embeddings: 'originalLength',
      ntk_factor: 'ntkFactor',
      extrapolation_factor: 'extrapolationFactor',
      beta_0: 'beta0',
      beta_1: 'beta1',
      gamma_0: 'gamma0',
      gamma_1: 'gamma1',
    }),
  }),
  su_ntk_mixed: ({ scaling }) => ({
    type: 'ntk',
    form: 'su-mixed',
    ...renamed(scaling, { k: 'factor', b: 'exponent' }),
  }),
};

export default function ropeParams(rw, { attrs, outputs }) {
  const scalingOf = scalings[attrs.rope_type];
  if (!scalingOf) throw new Error(`no scheme is known for rope_type ${attrs.rope_type}`);
  const frequencies = rw.rotaryFrequencies({
    dim: attrs.head_dim,
    base: attrs.rope_theta,
    rotaryFraction: attrs.partial_rotary_factor ?? attrs.rotary_dim / attrs.head_dim,
    scaling: scalingOf(attrs),
  });
  const results = {
    inv_freq: frequencies.inverseFrequencies,
    inv_freq_f32: Float32Array.from(frequencies.inverseFrequencies),
    attention_factor: frequencies.attentionFactor,
    softmax_mscale2: frequencies.softmaxScale,
  };
  return Object.fromEntries(outputs.map((name) => [name, results[name]]));
}
