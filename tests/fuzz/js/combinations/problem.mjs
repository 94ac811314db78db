/** Draws calls of attention: an instance, a position scheme, and any of the options of the schemas. */
import { configuredDrawers, drawnConfigured } from './configured.mjs';
import { attentionDrawers, drawnPosition, schemeDrawers, setByProblem } from './drawers.mjs';
import { cached, tokensOf } from './caches.mjs';
import { formulas } from './formulas.mjs';
import { scalings as frequencyFormulas } from './frequencies.mjs';
import { drawOptions, extentsOf, isDrawable } from './schema_draws.mjs';

const instances = ['inference', 'inference', 'inference', 'training', 'pool'];
const dtypes = ['float32', 'float16', 'int8'];
const alignments = ['top-left', 'bottom-right', 'after-past'];

/**
 * Throws where a schema has an option that nothing draws, or a scheme that has no formula, so that a new
 * one is noticed when it comes and not when somebody remembers.
 * @param {Schemas} schemas
 */
export function requireCoverage(schemas) {
  const { attention, positions, configured, gradients, gradientPositions, scalings } = schemas;
  const missing = [];
  const drawn = (where, schema, ...known) => {
    for (const [name, option] of Object.entries(schema)) {
      if (name === 'type' || isDrawable(option) || known.some((one) => name in one)) continue;
      missing.push(`${where}.${name} needs a drawer: its rule does not say what it is`);
    }
  };
  const set = Object.fromEntries(setByProblem.map((name) => [name, true]));
  drawn('attention', attention, attentionDrawers, set);
  drawn('attentionBackward', gradients, attentionDrawers, set);
  for (const [type, schema] of [
    ...Object.entries(positions),
    ...Object.entries(gradientPositions),
  ]) {
    drawn(`position '${type}'`, schema, schemeDrawers, { scaling: true });
    const known = formulas[type];
    if (!known) missing.push(`position '${type}' needs a formula`);
    for (const name of Object.keys(schema))
      if (known && name !== 'type' && !known.reads.includes(name))
        missing.push(`the formula of '${type}' must read ${name}`);
  }
  for (const [type, schema] of Object.entries(configured))
    drawn(`configured '${type}'`, schema, configuredDrawers);
  for (const [type, schema] of Object.entries(scalings)) {
    drawn(`scaling '${type}'`, schema);
    if (!Object.hasOwn(frequencyFormulas, type)) missing.push(`scaling '${type}' needs a formula`);
  }
  if (missing.length > 0)
    throw new Error(`The fuzzer does not cover the schemas:\n  ${missing.join('\n  ')}`);
}

/**
 * @typedef {object} Schemas
 * @property {Record<string, any>} attention
 * @property {Record<string, any>} positions
 * @property {Record<string, any>} configured
 * @property {Record<string, any>} gradients
 * @property {Record<string, any>} gradientPositions
 * @property {Record<string, any>} scalings
 */

/** Enough work for several parts of a pool. */
const wideSizes = (draws) => ({
  batch: 2,
  keyHeads: 2,
  heads: 2 * (1 + draws.below(2)),
  queries: 150 + draws.below(60),
  keys: 260 + draws.below(60),
  dim: 16,
  valueDim: 8,
  past: 0,
});

function drawnSizes(draws, isGradient) {
  const keyHeads = 1 + draws.below(draws.chance(1, 3) ? 3 : 2);
  const most = isGradient ? draws.pick([3, 6, 9]) : draws.pick([4, 6, 9, 9, 16, 24, 24, 70]);
  const extent = (limit) => 1 + draws.below(limit);
  // Beyond 256 keys and 24 rows a call has several tiles.
  const isLarge = draws.chance(1, isGradient ? 400 : 60);
  const keys = isLarge ? 240 + draws.below(60) : extent(most);
  const batch = isLarge ? 1 : extent(most > 24 ? 2 : 3);
  const group = isLarge ? 1 : extent(most > 24 ? 2 : 3);
  const rows = draws.below(4);
  return {
    batch,
    keyHeads: isLarge ? 1 : keyHeads,
    heads: (isLarge ? 1 : keyHeads) * group,
    queries:
      rows === 0 && !isLarge
        ? keys
        : rows === 1
          ? extent(3)
          : extent(isGradient && isLarge ? 4 : most),
    keys,
    dim: draws.chance(1, 12) ? extent(11) : 2 * extent(most > 24 ? 4 : 8),
    valueDim: extent(7),
    past: 0,
  };
}

/** Numbers as 16 bits, of which few are infinities or NaN. */
function halves(draws, count, format) {
  const bits = {
    f16: () => (draws.below(2) << 15) | (draws.below(18) << 10) | draws.below(1024),
    bf16: () => (draws.below(2) << 15) | ((110 + draws.below(18)) << 7) | draws.below(128),
  }[format];
  return Uint16Array.from({ length: count }, bits);
}

/** A tensor in one of the forms of an operand. */
function operand(draws, axes, heads) {
  let shape = [...axes];
  if (heads) shape = [axes[0], axes[2], axes[1] * axes[3]];
  while (shape.length > 2 && shape[0] === 1 && draws.chance(1, 3)) shape = shape.slice(1);
  const count = shape.reduce((a, b) => a * b);
  const form = draws.below(8);
  if (form === 0) return { data: halves(draws, count, 'f16'), shape, format: 'f16' };
  if (form === 1) return { data: halves(draws, count, 'bf16'), shape, format: 'bf16' };
  if (form === 2) {
    // Axes in another order, with gaps.
    const order = shape.map((_, axis) => axis).sort(() => draws.pick([-1, 1]));
    const strides = shape.map(() => 0);
    let step = 1 + draws.below(2);
    for (const axis of order) {
      strides[axis] = step;
      step *= shape[axis];
    }
    return { data: draws.floats(step + draws.below(3)), shape, strides };
  }
  if (form === 3) return { data: draws.floats(count), dims: shape };
  return { data: draws.floats(count), shape };
}

/** Values that are not finite, in rows of v or k. */
function spoiled(draws, tensor, values) {
  if (!(tensor.data instanceof Float32Array)) return tensor;
  const data = tensor.data.slice();
  for (let i = 0; i <= draws.below(3); i++) data[draws.below(data.length)] = draws.pick(values);
  return { ...tensor, data };
}

/**
 * Returns a call: an instance, its operands and settings, and which operands are kept in it.
 * @param {any} draws
 * @param {Schemas} schemas
 * @param {{ isPlain?: boolean, isWide?: boolean, types?: string[] }} [wanted] a plain problem is of
 *   attention over dense operands with all axes, the results in new arrays; `types` are schemes
 */
export function drawnProblem(draws, schemas, { isPlain = false, isWide = false, types } = {}) {
  const isGradient = !isPlain && draws.chance(1, 4);
  const schema = isGradient ? schemas.gradients : schemas.attention;
  const positions = isGradient ? schemas.gradientPositions : schemas.positions;
  const sizes = isWide ? wideSizes(draws) : drawnSizes(draws, isGradient);
  const mayBeConfigured = types === undefined && !isGradient;
  types ??= Object.keys(positions);
  const type = draws.pick(
    isGradient && !draws.chance(1, 20) ? types.filter((one) => !formulas[one]?.isOfText) : types,
  );
  const hasPast = 'past' in schema && draws.chance(1, 5);
  if (hasPast) sizes.past = 1 + draws.below(5);
  const newKeys = sizes.keys;
  sizes.keys += sizes.past;
  const settings = drawOptions(
    draws,
    Object.fromEntries(Object.entries(schema).filter(([name]) => !setByProblem.includes(name))),
    extentsOf(draws, sizes),
    attentionDrawers,
    4,
  );
  if (settings.mask instanceof Float32Array) delete settings.bias;
  alignFor(draws, settings, type, sizes);
  const { batch, heads, keyHeads, queries, dim, valueDim } = sizes;
  const isPacked = !isGradient && !isPlain && 'heads' in schema && draws.chance(1, 6);
  const form =
    isGradient || isPlain
      ? (axes) => draws.tensor(...axes)
      : (axes, count) => operand(draws, axes, count);
  const problem = {
    instance: isGradient ? 'training' : draws.pick(instances),
    isGradient,
    q: form([batch, heads, queries, dim], isPacked ? heads : 0),
    k: form([batch, keyHeads, newKeys, dim], isPacked ? keyHeads : 0),
    v: form([batch, keyHeads, newKeys, valueDim], isPacked ? keyHeads : 0),
    kept: {},
    settings,
  };
  if (hasPast)
    settings.past = {
      k: form([batch, keyHeads, sizes.past, dim], 0),
      v: form([batch, keyHeads, sizes.past, valueDim], 0),
    };
  if (isPacked)
    Object.assign(settings, {
      heads,
      ...((heads !== keyHeads || draws.chance(1, 2)) && { keyHeads }),
    });
  // What a configuration may state.
  const isConfigured =
    mayBeConfigured && ['none', 'rope', 'alibi'].includes(type) && draws.chance(1, 3);
  if (isConfigured) settings.position = drawnConfigured(draws, schemas.configured, sizes);
  else if (type !== 'none' || draws.chance(1, 2))
    settings.position = drawnPosition(draws, { ...schemas, positions }, type, sizes);
  if (isGradient) {
    // The output has the axes of q.
    problem.seed = draws.bits();
    problem.dOutput = draws.tensor(batch, heads, queries, valueDim);
    return problem;
  }
  if (isPlain) return problem;
  if ('into' in schema && problem.instance !== 'pool' && draws.chance(1, 5))
    settings.into = new Float32Array(batch * heads * queries * valueDim);
  if ('onProgress' in schema && draws.chance(1, 6)) settings.onProgress = true;
  if (draws.chance(1, 5)) problem.v = spoiled(draws, problem.v, [NaN, Infinity, -Infinity]);
  if (draws.chance(1, 16)) problem.k = spoiled(draws, problem.k, [NaN]);
  if (isPacked || hasPast || isConfigured || problem.instance === 'pool') return problem;
  if (draws.chance(1, 6)) keepSome(draws, problem);
  const isDense = [problem.k, problem.v].every(
    ({ data }) => data instanceof Float32Array && data.every(Number.isFinite),
  );
  if (isDense && draws.chance(1, 2)) return overCache(draws, problem, sizes);
  return problem;
}

/** Schemes that say which keys come before a query need an alignment, which a few calls lack. */
function alignFor(draws, settings, type, { queries, keys, past }) {
  if (settings.causal === true && (queries !== keys || past > 0 || settings.keyLengths))
    settings.causal = draws.pick(alignments);
  if (needsCausal.has(type) && !draws.chance(1, 20)) {
    settings.causal = draws.pick(alignments);
    if (queries + past > keys && settings.causal === 'after-past') settings.causal = 'top-left';
  }
  if (settings.causal && settings.window?.align && !draws.chance(1, 20))
    settings.window.align = settings.causal;
  if (type !== 'stick-breaking' || draws.chance(1, 20)) return;
  delete settings.sinks;
  delete settings.fullyMasked;
  settings.intermediates &&= settings.intermediates.filter((name) => name !== 'logSumExp');
}

/** Schemes that are defined for keys up to the query. */
export const needsCausal = new Set(
  Object.keys(formulas).filter((type) => formulas[type].isOfText || type === 'dual-chunk'),
);

/** The same call over a cache; its k and v have all four axes. */
function overCache(draws, problem, sizes) {
  const { batch, keyHeads, keys, dim, valueDim } = sizes;
  const k = draws.tensor(batch, keyHeads, keys, dim);
  const v = draws.tensor(batch, keyHeads, keys, valueDim);
  const over = cached(draws, { ...problem, k, v }, sizes);
  const left = tokensOf(over.cache).tokens.length;
  if (left === keys) return over;
  // Masks and lists by key are those of the tokens that are left.
  const { mask: _, bias: __, ...settings } = over.settings;
  if (settings.keyLengths) settings.keyLengths = settings.keyLengths.map((n) => Math.min(n, left));
  return { ...over, settings };
}

function keepSome(draws, problem) {
  const isFinite = (tensor) => tensor.data.every(Number.isFinite);
  for (const name of ['q', 'k', 'v']) {
    if (!draws.chance(2, 3)) continue;
    const dtype =
      name === 'q' || !isFinite(problem[name]) || problem[name].format
        ? 'float32'
        : draws.pick(dtypes);
    problem.kept[name] = dtype;
  }
}
