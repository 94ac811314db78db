/**
 * Drawers of the options that no rule of a schema describes, and what makes drawn options of one scheme
 * fit each other. A new scheme or option whose rule says everything needs no line here.
 */
import { drawOptions, extentsOf } from './schema_draws.mjs';

const alignments = ['top-left', 'bottom-right', 'after-past'];
const some = (draws, list) => list.filter(() => draws.chance(1, 2));

/** The shapes that broadcast to [batch, heads, queries, keys]. */
function broadcastShape(draws, { batch, heads, queries, keys }) {
  const axes = [batch, heads, queries, keys].map((extent) => (draws.chance(1, 3) ? 1 : extent));
  const first = draws.below(4);
  return axes.slice(0, first).every((extent) => extent === 1) ? axes.slice(first) : axes;
}

/** Numbers to be added, some of which hide a key. */
function added(draws, shape) {
  const { data } = draws.tensor(...shape);
  if (draws.chance(1, 2))
    for (let i = 0; i < data.length; i += 1 + draws.below(9)) data[i] = -Infinity;
  return data;
}

function bias(draws, sizes) {
  if (draws.chance(1, 4)) return added(draws, [sizes.queries, sizes.keys]);
  const shape = broadcastShape(draws, sizes);
  return { data: added(draws, shape), shape };
}

function mask(draws, sizes) {
  const bits = (count) =>
    Uint8Array.from({ length: count }, () => (draws.chance(3, 4) ? 1 + draws.below(2) : 0));
  const form = draws.below(5);
  const cells = sizes.queries * sizes.keys;
  if (form === 0) return bits(cells);
  if (form === 1) return Array.from(bits(cells), Boolean);
  if (form === 2) return added(draws, [sizes.queries, sizes.keys]);
  const shape = broadcastShape(draws, sizes);
  const data = bits(shape.reduce((a, b) => a * b));
  const whenTrue = draws.pick(['attend', 'ignore']);
  if (whenTrue === 'ignore') data.forEach((bit, i) => (data[i] = Number(!bit)));
  return { data: form === 3 ? Array.from(data, Boolean) : data, shape, whenTrue };
}

function window(draws, { keys }) {
  const reach = () => draws.below(draws.chance(1, 4) ? keys + 3 : 6);
  const own = draws.pick([
    { size: 1 + reach() },
    { lookback: reach() },
    { lookahead: reach() },
    { lookback: reach(), lookahead: reach() },
  ]);
  return draws.chance(1, 2) ? { ...own, align: draws.pick(alignments) } : own;
}

function rowScale(draws, { batch, heads, queries }) {
  const list = draws.floats(queries * draws.pick([1, heads, batch * heads]));
  if (draws.chance(1, 6)) list[draws.below(list.length)] = draws.pick([0, -1]);
  return draws.chance(1, 2) ? list : Array.from(list);
}

/** Drawers of the options of attention. `position` is drawn by itself. */
export const attentionDrawers = {
  window,
  mask,
  bias,
  rowScale,
  keyLengths: (draws, { batch, keys }) =>
    Array.from({ length: batch }, () =>
      draws.chance(1, 8) ? 0 : keys - draws.below(Math.min(keys, 5)),
    ),
  sinks: (draws, { heads }) => draws.floats(heads),
  intermediates: (draws) =>
    some(draws, ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp']),
  softcap: (draws) => Math.fround(0.5 + 2 * Math.abs(draws.float())),
};

/** Options of attention that the problem sets: they say where operands lie, or come with sizes. */
export const setByProblem = ['position', 'past', 'heads', 'keyHeads', 'into', 'onProgress'];

/** Where keys are, when they are not 0, 1, …: mostly whole, some far away. */
function positions(draws, rows, batch, heads) {
  const count = rows * draws.pick([1, 1, batch, batch * heads]);
  const far = draws.pick([10, 100, 5000]);
  return Array.from(
    { length: count },
    () => draws.below(8 * far) / 8 - (draws.chance(1, 8) ? far : 0),
  );
}

function frequencies(draws, { dim }) {
  const pairs = Math.max(1, Math.floor(dim / 2) - draws.below(2));
  const inverseFrequencies = Float64Array.from({ length: pairs }, (_, i) => 100 ** (-i / pairs));
  return {
    inverseFrequencies,
    attentionFactor: 1 + draws.below(3) / 4,
    dim: 2 * pairs,
    ...(draws.chance(1, 3) && { softmaxScale: 1 + draws.below(3) / 4 }),
  };
}

/**
 * @param {Record<string, any>} schemas of the scalings, by type
 * @param {number} [rare] one in how many options is drawn that may be left out
 */
export const scalingDrawer = (schemas, rare) => (draws, sizes) => {
  const type = draws.pick(Object.keys(schemas));
  const options = drawOptions(
    draws,
    schemas[type],
    { ...sizes, pairs: Math.floor(sizes.dim / 2) },
    {},
    rare,
  );
  // Ramps run from more turns to fewer.
  for (const [more, fewer] of [
    ['betaFast', 'betaSlow'],
    ['beta0', 'beta1'],
    ['gamma0', 'gamma1'],
    ['highFreqFactor', 'lowFreqFactor'],
  ]) {
    if (options[more] !== undefined || options[fewer] !== undefined) {
      options[fewer] = Math.fround(0.125 + Math.abs(draws.float()) / 4);
      const apart =
        more === 'highFreqFactor' && draws.chance(1, 4) ? 0 : 0.25 + Math.abs(draws.float());
      options[more] = Math.fround(options[fewer] + apart);
    }
  }
  // Lengths within which pairs of few values turn, so that the ramps have something to do.
  if (options.originalLength) options.originalLength = 2 + draws.below(40);
  if (type === 'ntk' && options.exponent !== undefined) {
    if (options.form === 'su-mixed') options.exponent = Math.abs(options.exponent);
    else delete options.exponent;
  }
  if (options.decideBy === 'max-length') options.maxLength ??= 1 + draws.below(60);
  return { type, ...options };
};

function angles(draws, { batch }, rows, heads, pairs) {
  const leading = draws.pick([[], [batch], [batch, heads]]);
  const { data, shape } = draws.tensor(...leading, rows, pairs);
  return { data: Float64Array.from(data, (x) => 3 * x), shape };
}

const doublesPerToken = (draws, { batch, heads, keys }) => {
  const { data, shape } = draws.tensor(batch, heads, keys);
  return { data: Float64Array.from(data), shape };
};

function network(draws, { heads }) {
  const hidden = 1 + draws.below(4);
  return {
    hiddenWeights: draws.tensor(hidden, 1),
    hiddenBias: Array.from(draws.floats(hidden)),
    headWeights: draws.tensor(heads, hidden),
    ...(draws.chance(1, 2) && { headBias: Array.from(draws.floats(heads)) }),
  };
}

/** Drawers of options of schemes that no rule describes, by name. */
export const schemeDrawers = {
  frequencies,
  network,
  positions: (draws, { queries, batch, heads }) => positions(draws, queries, batch, heads),
  keyPositions: (draws, { keys, batch, keyHeads }) => positions(draws, keys, batch, keyHeads),
  angles: (draws, sizes) =>
    angles(
      draws,
      sizes,
      sizes.queries,
      sizes.heads,
      (sizes.pairs ??= 1 + draws.below(Math.max(1, Math.floor(sizes.dim / 2)))),
    ),
  keyAngles: (draws, sizes) => angles(draws, sizes, sizes.keys, sizes.keyHeads, sizes.pairs),
  // `fits` replaces those of 'shaw' and 'cope', whose axes depend on more than sizes.
  table: (draws, { heads }) => draws.tensor(8, heads),
};

/** Drops all but one of options that exclude each other. */
function oneOf(draws, options, ...groups) {
  const present = groups.filter((group) => group.some((name) => name in options));
  if (present.length < 2) return;
  const kept = draws.pick(present);
  for (const name of groups.flat()) if (!kept.includes(name)) delete options[name];
}

function rotary(draws, options, { dim }) {
  oneOf(draws, options, ['frequencies'], ['base', 'rotaryFraction', 'scaling']);
  if (options.base !== undefined) options.base = draws.pick([100, 10000, 500000, 37.5]);
  if (options.rotaryFraction !== undefined) {
    const halves = Array.from({ length: Math.floor(dim / 2) }, (_, i) => (2 * (i + 1)) / dim);
    options.rotaryFraction = draws.pick(halves.length > 0 ? halves : [1]);
    const rotated = 2 * Math.floor(Math.floor(dim * options.rotaryFraction) / 2);
    const { scaling } = options;
    for (const name of ['shortFactor', 'longFactor'])
      if (scaling?.[name]) scaling[name] = scaling[name].slice(0, rotated / 2);
  }
}

const negative = (tensor) => ({ ...tensor, data: tensor.data.map((x) => -Math.abs(x)) });

/** What makes drawn options of a scheme fit each other, by type. */
export const fits = {
  rope(draws, options, sizes) {
    rotary(draws, options, sizes);
    const { positions: given, keyPositions } = options;
    if (given && !keyPositions) {
      const isPerHead =
        given.length > sizes.batch * sizes.queries && sizes.heads !== sizes.keyHeads;
      if (sizes.queries !== sizes.keys || isPerHead)
        options.keyPositions = schemeDrawers.keyPositions(draws, sizes);
    }
    if (keyPositions && !given) options.positions = schemeDrawers.positions(draws, sizes);
  },
  rerope: rotary,
  'leaky-rerope': rotary,
  'self-extend': rotary,
  'dual-chunk'(draws, options, sizes) {
    rotary(draws, options, sizes);
    if (options.localWindow >= options.chunkSize)
      options.chunkSize = options.localWindow + 1 + draws.below(6);
  },
  angles(draws, options, sizes) {
    options.angles ??= schemeDrawers.angles(draws, sizes);
    if (options.keyAngles || sizes.queries !== sizes.keys || sizes.heads !== sizes.keyHeads)
      options.keyAngles = schemeDrawers.keyAngles(draws, {
        ...sizes,
        pairs: options.angles.shape.at(-1),
      });
  },
  'prefix-sum'(draws, options, sizes) {
    oneOf(draws, options, ['terms', 'later'], ['sums', 'laterSums']);
    if (options.later && !options.terms) options.terms = options.later;
    if (options.laterSums || !options.terms) options.sums ??= doublesPerToken(draws, sizes);
  },
  alibi(draws, options, { heads }) {
    oneOf(draws, options, ['slopes'], ['convention', 'maxBias', 'headOffset', 'totalHeads']);
    if (options.maxBias) options.maxBias *= 4;
    if (options.totalHeads) options.totalHeads += heads + (options.headOffset ?? 0);
  },
  t5(draws, options, { heads }) {
    const buckets = draws.pick([4, 8, 32]);
    options.table = draws.tensor(buckets, heads);
    if (options.maxDistance) options.maxDistance = buckets + draws.below(150);
  },
  kerple(_, options) {
    const within = (list) => Array.from(list, (x) => 0.125 + Math.abs(x) / 2);
    [options.r1, options.r2] = [within(options.r1), within(options.r2)];
    if (options.clamp) options.clamp /= 4;
  },
  sandwich(draws, options) {
    if (options.dim) options.dim = 2 * (1 + draws.below(20));
    if (options.base) options.base = draws.pick([100, 10000]);
  },
  path(draws, options, sizes) {
    const { data } = options.w;
    for (let at = 0; at < data.length; at += sizes.dim) {
      const row = data.subarray(at, at + sizes.dim);
      const length = Math.hypot(...row) || 1;
      row.forEach((x, i) => (row[i] = x / length));
    }
    options.beta.data.forEach((x, i, list) => (list[i] = Math.abs(x)));
    if (options.logGates || options.gate) {
      options.gate ??= draws.pick(['scaled', 'unscaled']);
      options.logGates ??= draws.tensor(sizes.batch, sizes.heads, sizes.keys);
      options.logGates = negative(options.logGates);
    }
  },
  wall(_, options) {
    if (options.term !== 'number') return;
    options.gates = negative(options.gates);
  },
  'grape-a'(draws, options, { heads, dim }) {
    if (!options.keyDirection && !options.queryDirection)
      options[draws.pick(['keyDirection', 'queryDirection'])] = draws.tensor(heads, dim);
  },
  'grape-ap'(_, options) {
    if (options.epsilon) options.epsilon /= 64;
  },
  fire(draws, options, sizes) {
    options.network ??= network(draws, sizes);
    if (options.threshold !== undefined) options.threshold = draws.pick([0.5, 3.25, 10.5, 512]);
    if (options.epsilon !== undefined) options.epsilon = 1e-6 * (1 + draws.below(1000));
  },
  cope(draws, options, { dim }) {
    options.table = draws.tensor(1 + draws.below(7), dim);
  },
  shaw(draws, options, { heads, dim }) {
    const rows = 1 + 2 * draws.below(4);
    options.table = draws.chance(1, 2) ? draws.tensor(rows, dim) : draws.tensor(heads, rows, dim);
  },
};

/**
 * The options of a position scheme.
 * @param {any} draws
 * @param {{ positions: Record<string, any>, scalings?: Record<string, any> }} schemas
 * @param {number} [rare] one in how many options is drawn that may be left out
 */
export function drawnPosition(draws, { positions, scalings }, type, sizes, rare) {
  const own = { ...schemeDrawers, ...(scalings && { scaling: scalingDrawer(scalings) }) };
  const extents = extentsOf(draws, sizes);
  const options = drawOptions(draws, positions[type], extents, own, rare);
  fits[type]?.(draws, options, extents);
  return { type, ...options };
}
