/** Schemas that the package does not export yet. */
const option = (rule, extra = {}) => ({ isRequired: true, rule, ...extra });
const optional = (rule, fallback) => ({ isRequired: false, fallback, rule });
const given = { kind: 'as given', isRequired: false };
const number = { kind: 'number' };
const positive = { kind: 'number', least: 0, isAbove: true };
const whole = (least = 1) => ({ kind: 'whole', least });
const truth = { kind: 'truth' };
const choice = (...choices) => ({ kind: 'choice', choices });
const numbers = (...axes) => ({ kind: 'numbers', axes });
const tensor = (...axes) => ({ kind: 'tensor', axes });

/** Schemes that only gradients have. */
export const ownGradientPositions = {
  fire: {
    network: given,
    c: optional(positive, 0.1),
    threshold: optional(number, 512),
    epsilon: optional(number, 1e-6),
  },
  shaw: { table: option(tensor('rows', 'dim')) },
  cope: { table: option(tensor('rows', 'dim')) },
};

const byParts = {
  originalLength: option(whole(2)),
  betaFast: optional(positive),
  betaSlow: optional(positive),
  ramp: optional(choice('coded', 'published')),
  truncate: optional(truth),
  blend: optional(choice('frequencies', 'wavelengths')),
};
const yarn = {
  ...byParts,
  attentionFactor: optional(positive),
  mscale: optional({ kind: 'number', least: 0 }),
  mscaleAllDim: optional({ kind: 'number', least: 0 }),
  scalesSoftmax: optional(truth),
  temperature: optional(choice('cos-sin', 'logits', 'none')),
};
export const scalingSchemas = {
  none: {},
  linear: { factor: option(positive) },
  ntk: {
    factor: option(positive),
    form: optional(choice('bloc97', 'su-old', 'su-fixed', 'su-mixed')),
    exponent: optional(number),
  },
  'ntk-alpha': { alpha: option(positive) },
  'dynamic-ntk': {
    factor: option(positive),
    originalLength: option(whole(2)),
    length: optional(whole()),
    form: optional(choice('current', 'vllm-constant', 'rounded')),
  },
  'ntk-by-parts': { factor: option(positive), ...byParts },
  'part-ntk': {
    factor: option(positive),
    originalLength: option(whole(2)),
    ntkFactor: optional(number),
    extrapolationFactor: optional(number),
    beta0: optional(positive),
    beta1: optional(positive),
    gamma0: optional(positive),
    gamma1: optional(positive),
  },
  yarn: { factor: option(positive), ...yarn },
  'dynamic-yarn': { length: option(whole()), ...yarn },
  longrope: {
    shortFactor: option(numbers('pairs')),
    longFactor: option(numbers('pairs')),
    originalLength: option(whole(2)),
    length: optional(whole()),
    maxLength: optional(whole()),
    decideBy: optional(choice('length', 'max-length')),
    factor: optional(positive),
    attentionFactor: optional(positive),
  },
  llama3: {
    factor: option(positive),
    originalLength: option(whole(2)),
    lowFreqFactor: optional(positive),
    highFreqFactor: optional(positive),
  },
  proportional: { factor: optional(positive) },
};
