/** The schemas of attention and its positions, until the package exports them. */
const option = (rule, extra = {}) => ({ isRequired: true, rule, ...extra });
const optional = (rule, fallback) => ({ isRequired: false, fallback, rule });
const given = { kind: 'as given', isRequired: false };
const number = { kind: 'number' };
const positive = { kind: 'number', positive: true };
const whole = (least = 1) => ({ kind: 'whole', least });
const truth = { kind: 'truth' };
const choice = (...choices) => ({ kind: 'choice', choices });
const numbers = (...axes) => ({ kind: 'numbers', axes });
const tensor = (...axes) => ({ kind: 'tensor', axes });

const alignments = ['top-left', 'bottom-right', 'after-past'];

export const attentionSchema = {
  scale: optional(number),
  rowScale: optional(numbers('queries')),
  softcap: optional(positive),
  causal: optional(choice(false, true, ...alignments), false),
  window: given,
  keyLengths: optional(numbers('batch')),
  mask: given,
  bias: given,
  past: given,
  sinks: optional(numbers('heads')),
  fullyMasked: optional(choice('zeros', 'nan'), 'zeros'),
  position: given,
  intermediates: given,
  heads: optional(whole()),
  keyHeads: optional(whole()),
  into: given,
  onProgress: given,
};

const source = {
  layout: option(choice('interleaved', 'half-split')),
  frequencies: given,
  base: optional(positive, 10000),
  rotaryFraction: optional(number, 1),
  scaling: given,
};
const directions = choice('causal', 'symmetric');
const perToken = tensor('batch', 'heads', 'keys');
const gates = { gates: option(perToken), laterGates: optional(perToken) };

export const positionSchemas = {
  none: {},
  rope: { ...source, positions: given, keyPositions: given },
  angles: { angles: given, keyAngles: given, layout: option(choice('interleaved', 'half-split')) },
  rerope: { ...source, window: option(whole()) },
  'leaky-rerope': { ...source, window: option(whole()), factor: option(positive) },
  'self-extend': { ...source, groupSize: option(whole()), neighborWindow: option(whole()) },
  'dual-chunk': { ...source, chunkSize: option(whole()), localWindow: option(whole(0)) },
  'prefix-sum': {
    terms: optional(perToken),
    later: optional(perToken),
    sums: given,
    laterSums: given,
  },
  fox: gates,
  cable: gates,
  alibi: {
    convention: optional(choice('published', 'sorted', 'naive')),
    maxBias: optional(positive),
    headOffset: optional(whole(0)),
    totalHeads: optional(whole()),
    direction: optional(directions),
    slopes: optional(numbers('heads')),
  },
  t5: {
    table: option(tensor('buckets', 'heads')),
    direction: option(choice('causal', 'bidirectional')),
    maxDistance: optional(whole()),
  },
  kerple: {
    kind: option(choice('log', 'power')),
    r1: option(numbers('heads')),
    r2: option(numbers('heads')),
    clamp: optional(positive),
    direction: optional(directions),
  },
  sandwich: {
    dim: optional({ kind: 'whole', least: 2 }),
    firstPair: optional(choice(0, 1)),
    zeroAtOrigin: optional(choice(false, true)),
    base: optional(positive),
    direction: optional(directions),
  },
  path: {
    w: option(tensor('batch', 'keyHeads', 'keys', 'dim')),
    beta: option(tensor('batch', 'keyHeads', 'keys')),
    logGates: optional(perToken),
    gate: optional(choice('scaled', 'unscaled')),
  },
  wall: {
    gates: option(tensor('batch', 'heads', 'keys', 'dim')),
    scalarGates: optional(perToken),
    term: optional(choice('number', 'log-sigmoid', 'log-sigmoid-of-negative')),
  },
  'grape-a': {
    rawSlopes: option(numbers('heads')),
    slopes: optional(numbers('heads')),
    keyDirection: optional(tensor('heads', 'dim')),
    queryDirection: optional(tensor('heads', 'dim')),
    normalize: optional(truth),
  },
  'grape-ap': {
    p: option(tensor('batch', 'heads', 'keys', 'width')),
    slopes: optional(numbers('heads')),
    epsilon: optional({ kind: 'number', least: 0 }),
  },
  'row-gates': {
    queries: option(tensor('batch', 'heads', 'keys', 'width')),
    keys: option(tensor('batch', 'heads', 'keys', 'width')),
    factor: optional(number),
    scale: optional(number),
  },
  'stick-breaking': { attendCurrent: optional(truth), addRemainder: optional(truth) },
};

/** What attentionBackward takes of both. */
const {
  path,
  wall,
  'grape-a': a,
  'grape-ap': ap,
  'row-gates': r,
  'stick-breaking': s,
  ...attended
} = positionSchemas;
void [path, wall, a, ap, r, s];
export const gradientPositionSchemas = {
  ...attended,
  fire: {
    network: given,
    c: optional(positive, 0.1),
    threshold: optional(number, 512),
    epsilon: optional(number, 1e-6),
  },
  shaw: { table: option(tensor('rows', 'dim')) },
  cope: { table: option(tensor('rows', 'dim')) },
};
const { past, intermediates, fullyMasked, heads, keyHeads, into, onProgress, ...differentiable } =
  attentionSchema;
void [past, intermediates, fullyMasked, heads, keyHeads, into, onProgress];
export const gradientSchema = differentiable;

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
