/**
 * Attention problems for the laws: { q, k, v, settings }, with all four axes and only options that fit
 * each other. What a law changes in one, it changes in everything that has that axis.
 */
import { options } from './attention_shapes.mjs';
import { schemeNames, schemes, withoutCausal } from './schemes.mjs';
import { broadcast, filled, joined, picked, range } from './tensors.mjs';
import { axesOf } from '../../package/distance_biases.mjs';

const alignments = ['top-left', 'bottom-right', 'after-past'];

/**
 * A problem of at most `most` keys. `schemes`: one of them is the position. `always` are options that it
 * has, `never` those that it has not; every other one it has in one of three draws.
 */
export function drawnProblem(draws, most, wanted = {}) {
  const { always = [], never = [] } = wanted;
  const has = (name) => !never.includes(name) && (always.includes(name) || draws.chance(1, 3));
  const extent = (limit) => 1 + draws.below(Math.min(most, limit));
  const keyHeads = extent(2);
  const batch = extent(3);
  const heads = keyHeads * extent(3);
  const past = has('past') ? extent(6) : 0;
  const newKeys = draws.chance(1, 4) ? 1 + draws.below(most) : extent(24);
  const queries = draws.chance(1, 2) ? extent(40) : extent(5);
  const dim = 2 * extent(8);
  const valueDim = extent(8);
  const sizes = { batch, heads, queries, dim, past, keyHeads, keys: past + newKeys, valueDim };
  const settings = {};
  for (const name of [
    'scale',
    'rowScale',
    'softcap',
    'keyLengths',
    'mask',
    'bias',
    'sinks',
    'fullyMasked',
    'intermediates',
  ]) {
    if (has(name)) settings[name] = options[name](draws, sizes);
  }
  if (past) settings.past = options.past(draws, sizes);
  Object.assign(settings, wanted.band ? wanted.band(draws, sizes) : band(draws, has));
  const type = draws.pick(wanted.schemes ?? schemesFor(settings, wanted));
  if (!withoutCausal.includes(type)) settings.causal ??= settings.window?.align ?? 'bottom-right';
  settings.position = { type, ...schemes[type].draw(draws, sizes) };
  return {
    q: draws.tensor(batch, heads, queries, dim),
    k: draws.tensor(batch, keyHeads, newKeys, dim),
    v: draws.tensor(batch, keyHeads, newKeys, valueDim),
    settings,
  };
}

/**
 * A law that says which keys are seen may not get `causal` for a scheme.
 * @type {(settings: any, wanted: any) => string[]}
 */
const schemesFor = ({ causal }, { never = [], band }) =>
  causal || (!band && !never.includes('causal')) ? schemeNames : withoutCausal;

function band(draws, has) {
  const causal = has('causal') && draws.pick(alignments);
  const window = has('window') && options.window(draws);
  if (window && !causal && draws.chance(2, 3)) window.align = draws.pick(alignments);
  return { ...(causal && { causal }), ...(window && { window }) };
}

/** Where queries stand: an alignment, or undefined where nothing says so. */
export function alignmentOf({ causal, window }) {
  return causal || (window && (window.align ?? 'bottom-right')) || undefined;
}

export function sizesOf({ q, k, v, settings }) {
  const [batch, heads, queries, dim] = q.shape;
  const past = settings.past?.k.shape[2] ?? 0;
  return {
    batch,
    heads,
    queries,
    dim,
    past,
    keyHeads: k.shape[1],
    keys: past + k.shape[2],
    valueDim: v.shape[3],
  };
}

const axes = ['batch', 'heads', 'queries', 'keys'];

/** A mask or bias of every batch, head, query and key. */
export function whole(problem, tensor) {
  const sizes = sizesOf(problem);
  return broadcast(
    tensor,
    axes.map((axis) => sizes[axis]),
  );
}

const listPicked = (list, indices) => indices.map((index) => list[index]);

/** `settings` without some options. */
export function without(problem, ...names) {
  const settings = { ...problem.settings };
  for (const name of names) delete settings[name];
  return { ...problem, settings };
}

export const changed = (problem, settings) => ({
  ...problem,
  settings: { ...problem.settings, ...settings },
});

/** What has an axis of this name, at these indices of it. Of 'heads' they must keep groups together. */
export function at(problem, axis, indices) {
  const { settings } = problem;
  const changes = {};
  for (const name of ['mask', 'bias']) {
    if (!settings[name]) continue;
    const { data, shape, ...others } = whole(problem, settings[name]);
    changes[name] = { ...others, ...picked({ data, shape }, axes.indexOf(axis), indices) };
  }
  const { position } = settings;
  if (axis === 'batch') {
    if (settings.keyLengths) changes.keyLengths = listPicked(settings.keyLengths, indices);
    if (settings.past) changes.past = pickedPair(settings.past, 0, indices);
    const batches = (tensor) => picked(tensor, 0, indices);
    return changed(
      { ...problem, q: batches(problem.q), k: batches(problem.k), v: batches(problem.v) },
      changes,
    );
  }
  if (axis === 'queries') {
    if (settings.rowScale) changes.rowScale = listPicked(settings.rowScale, indices);
    // Without positions of their own the keys have those of the queries.
    if (position.positions) {
      const { positions: all, keyPositions = all } = position;
      changes.position = { ...position, positions: listPicked(all, indices), keyPositions };
    }
    return changed({ ...problem, q: picked(problem.q, 2, indices) }, changes);
  }
  if (axis === 'keys') {
    if (settings.past) throw new Error('the keys of a past are those of two tensors');
    const { positions: queries, keyPositions = queries } = position;
    if (keyPositions)
      changes.position = { ...position, keyPositions: listPicked(keyPositions, indices) };
    return changed(
      { ...problem, k: picked(problem.k, 2, indices), v: picked(problem.v, 2, indices) },
      changes,
    );
  }
  return headsAt(problem, indices, changes);
}

const pickedPair = ({ k, v }, axis, indices) => ({
  k: picked(k, axis, indices),
  v: picked(v, axis, indices),
});

function headsAt(problem, indices, changes) {
  const { settings } = problem;
  const { heads, keyHeads } = sizesOf(problem);
  const group = heads / keyHeads;
  const ofKeys = indices.filter((_, i) => i % group === 0).map((head) => Math.floor(head / group));
  if (settings.sinks) changes.sinks = listPicked(settings.sinks, indices);
  if (settings.past) changes.past = pickedPair(settings.past, 1, ofKeys);
  changes.position = positionOfHeads(settings.position, indices);
  const { k, v } = pickedPair(problem, 1, ofKeys);
  return changed({ ...problem, q: picked(problem.q, 1, indices), k, v }, changes);
}

function positionOfHeads(position, indices) {
  const own = Object.entries(position).map(([name, value]) => {
    const axis = axesOf(position.type, name).indexOf('heads');
    if (axis < 0) return [name, value];
    return [name, value.data ? picked(value, axis, indices) : listPicked(value, indices)];
  });
  return Object.fromEntries(own);
}

/** The first `count` keys, those of a past among them: more than that has. */
export function firstKeys(problem, count) {
  const { past } = sizesOf(problem);
  if (past === 0) return at(problem, 'keys', range(0, count));
  const { mask, bias, position, keyLengths } = problem.settings;
  const { settings, k, v } = at(
    without(pastJoined(problem), 'keyLengths'),
    'keys',
    range(0, count),
  );
  const ofNew = (tensor) => picked(tensor, 2, range(past, count));
  return {
    q: problem.q,
    k: ofNew(k),
    v: ofNew(v),
    settings: {
      ...problem.settings,
      ...(mask && { mask: settings.mask }),
      ...(bias && { bias: settings.bias }),
      ...(position && { position: settings.position }),
      ...(keyLengths && { keyLengths }),
    },
  };
}

/** The keys of a past before the others, as one tensor. */
export function pastJoined(problem) {
  const { past } = problem.settings;
  if (!past) return problem;
  return {
    ...without(problem, 'past'),
    k: joined(past.k, problem.k, 2),
    v: joined(past.v, problem.v, 2),
  };
}

/** The first `count` keys as a past. */
export function pastSplit(problem, count) {
  const [before, after] = [range(0, count), range(count, problem.k.shape[2])];
  return changed(
    { ...problem, ...pickedPair(problem, 2, after) },
    { past: pickedPair(problem, 2, before) },
  );
}

/** Keys that nothing may attend to, `count` of them, before or after the others. */
export function withHiddenKeys(problem, draws, count, isBefore) {
  const sizes = sizesOf(problem);
  const shape = (heads, dim) => [sizes.batch, heads, count, dim];
  const add = (tensor, more, axis) =>
    isBefore ? joined(more, tensor, axis) : joined(tensor, more, axis);
  const { mask, bias, position } = problem.settings;
  const cells = [sizes.batch, sizes.heads, sizes.queries, count];
  const changes = {};
  if (mask || draws.chance(1, 2)) {
    const says = mask?.whenTrue ?? 'attend';
    const given = whole(problem, mask ?? filled([1], 1, Uint8Array));
    const data = Uint8Array.from(given.data, Number);
    changes.mask = {
      ...add({ data, shape: given.shape }, filled(cells, says === 'attend' ? 0 : 1, Uint8Array), 3),
      whenTrue: says,
    };
    if (bias) changes.bias = add(whole(problem, bias), draws.tensor(...cells), 3);
  } else {
    changes.bias = add(whole(problem, bias ?? filled([1], 0)), filled(cells, -Infinity), 3);
  }
  const { positions: queries, keyPositions = queries } = position;
  if (keyPositions) {
    const more = range(0, count).map(() => draws.below(5000) / 8);
    const list = Array.from(keyPositions);
    changes.position = {
      ...position,
      keyPositions: isBefore ? [...more, ...list] : [...list, ...more],
    };
  }
  const keys = (tensor, dim) => add(tensor, draws.tensor(...shape(sizes.keyHeads, dim)), 2);
  return changed(
    { ...problem, k: keys(problem.k, sizes.dim), v: keys(problem.v, sizes.valueDim) },
    changes,
  );
}

/** Which axis of each part of a result is which. */
const resultAxes = { batch: 0, heads: 1, queries: 2, keys: 3 };

/** The entries of a result along an axis; parts that have no keys stay whole. */
export function resultAt(result, axis, indices) {
  const entries = Object.entries(result).filter(([name]) => name !== 'present');
  return Object.fromEntries(
    entries.map(([name, tensor]) => {
      const isOfRows = ['output', 'entropy', 'logSumExp'].includes(name);
      return [
        name,
        axis === 'keys' && isOfRows ? tensor : picked(tensor, resultAxes[axis], indices),
      ];
    }),
  );
}
