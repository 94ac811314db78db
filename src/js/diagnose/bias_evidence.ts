/** ALiBi's slopes and biases and T5's bias against a model; weights against a reference. */
import type { Functions } from '../ropewalk.js';
import type { Tensor } from '../runtime/tensor.js';
import type { DumpArray, LayerDump, Role } from './dump.js';
import {
  compared,
  mismatch,
  precisionOf,
  roundingOf,
  rowLine,
  type Context,
  type Evidence,
} from './evidence.js';
import type { AlibiModel, Model } from './model.js';
import { fourAxes } from './shapes.js';
import { frequenciesOf, startOf } from './tables.js';

/** One slope per head. Zero-based ones begin at 2^0 = 1, where published ones begin at h = 1. */
export function slopesOf(rw: Functions, alibi: AlibiModel, heads: number): Float64Array {
  const { convention, maxBias } = alibi;
  if (convention === 'zero-based' || convention === 'zero-based-published') {
    const rule = convention === 'zero-based' ? 'naive' : 'published';
    const powers = 2 ** Math.floor(Math.log2(heads));
    const count = rule === 'naive' ? heads : powers;
    const own = rw.alibiSlopes({ heads: count, convention: 'naive', maxBias });
    const shifted = Float64Array.of(1, ...own.subarray(0, count - 1));
    if (count === heads) return shifted;
    // Every other slope of the next power of two, from its first.
    const next = rw.alibiSlopes({ heads: 2 * powers, convention: 'naive', maxBias });
    const all = Float64Array.of(1, ...next);
    const more = Float64Array.from({ length: heads - count }, (_, i) => all[2 * i]!);
    return Float64Array.of(...shifted, ...more);
  }
  return rw.alibiSlopes({ heads, convention, maxBias });
}

/** ALiBi as −slope · |m − n| of [1, heads, queries, keys], the last query at the last key. */
function alibiOf(rw: Functions, alibi: AlibiModel, heads: number, queries: number, keys: number) {
  const first = keys - queries;
  const bias = rw.alibi({
    slopes: slopesOf(rw, alibi, heads),
    queries: Float64Array.from({ length: queries }, (_, m) => first + m),
    keys,
    direction: 'symmetric',
  });
  const data = alibi.reversed ? bias.data.map((value) => -value) : bias.data;
  return { data, shape: [1, heads, queries, keys] };
}

function t5Of({ rw }: Context, model: Model, table: DumpArray, queries: number, keys: number) {
  const { direction, maxDistance } = model.t5!;
  const first = keys - queries;
  const bias = rw.t5Bias({
    table: { data: table.data, shape: table.shape },
    queries: Float64Array.from({ length: queries }, (_, m) => first + m),
    keys,
    direction,
    maxDistance,
  });
  return { data: bias.data, shape: [1, ...bias.shape] };
}

/** The bias on the scores of a model: the dumped one, or the one that the model says. */
export function biasOf(
  context: Context,
  dump: LayerDump,
  model: Model,
  { heads, queries, keys }: { heads: number; queries: number; keys: number },
): Tensor | undefined {
  const own = dump.get('bias');
  if (own || model.alibi) {
    const { divisor = 1 } = model.alibi ?? {};
    const bias = own ? fourAxes(own) : alibiOf(context.rw, model.alibi!, heads, queries, keys);
    return divisor === 1 ? bias : { ...bias, data: bias.data.map((value) => value / divisor) };
  }
  const table = dump.get('t5_table');
  if (model.t5 && table) return t5Of(context, model, table, queries, keys);
  return undefined;
}

function slopeEvidence(context: Context, dump: LayerDump, nominal: Model): Evidence[] {
  const array = dump.get('slopes');
  if (!array || !nominal.alibi) return [];
  const heads = array.data.length;
  const rounding = 4 * roundingOf[precisionOf(context, array)];
  return [
    {
      layer: array.layer,
      arrays: [array.name],
      nominal,
      compare({ alibi }, _limit, watch) {
        if (!alibi) return mismatch;
        const sign = alibi.reversed ? -1 : 1;
        const slopes = slopesOf(context.rw, alibi, heads).map((slope) => sign * slope);
        watch?.(array.data, slopes);
        return compared(array.data, slopes, (i) => rounding * Math.abs(slopes[i]!));
      },
      placeOf: (at) => ({ array: array.name, at: { head: at } }),
      lineOf: () => rowLine('head', heads, 0),
    },
  ];
}

/** Later keys, which a causal mask hides, and masked scores are not compared. */
const isHidden = (value: number) => value <= -1e4;

/**
 * Each row less its mean over the visible keys: a constant per row changes no attention weight, so
 * slope · n and −slope · (m − n) are one bias.
 */
function withoutRowMeans(
  { data, shape }: Tensor,
  isVisible: (row: number, key: number) => boolean,
): Float64Array {
  const keys = shape.at(-1)!;
  const result = Float64Array.from(data);
  for (let row = 0; row < data.length / keys; row++) {
    let [sum, count] = [0, 0];
    for (let n = 0; n < keys; n++)
      if (isVisible(row, n)) [sum, count] = [sum + data[row * keys + n]!, count + 1];
    for (let n = 0; n < keys; n++) result[row * keys + n]! -= count ? sum / count : 0;
  }
  return result;
}

/** [batch · heads, 1, keys] of BLOOM as [batch, heads, 1, keys]. */
function headAxes(array: DumpArray, heads: number | undefined): Tensor {
  const extents = array.shape;
  const isJoined =
    extents.length === 3 && heads !== undefined && extents[0]! > heads && extents[0]! % heads === 0;
  if (!isJoined) return fourAxes(array);
  return { data: array.data, shape: [extents[0]! / heads, heads, extents[1]!, extents[2]!] };
}

function alibiEvidence(context: Context, dump: LayerDump, nominal: Model): Evidence[] {
  const array = dump.get('bias');
  if (!array || !nominal.alibi) return [];
  const observed = headAxes(array, nominal.heads);
  const [batches = 1, heads = 1, queries = 1, keys = 1] = observed.shape;
  const rounding = 8 * roundingOf[precisionOf(context, array)];
  const first = keys - queries;
  const isVisible = (row: number, n: number) =>
    n <= first + (row % queries) && !isHidden(observed.data[row * keys + n]!);
  const relative = withoutRowMeans(observed, isVisible);
  return [
    {
      layer: array.layer,
      arrays: [array.name],
      nominal,
      compare({ alibi }, _limit, watch) {
        if (!alibi) return mismatch;
        const bias = alibiOf(context.rw, alibi, heads, queries, keys);
        const size = bias.data.length;
        const repeated = Float32Array.from(
          { length: batches * size },
          (_, at) => bias.data[at % size]!,
        );
        const predicted = withoutRowMeans({ data: repeated, shape: observed.shape }, isVisible);
        const slopes = slopesOf(context.rw, alibi, heads);
        watch?.(relative, predicted);
        return compared(relative, predicted, (i) => {
          const row = Math.floor(i / keys);
          if (!isVisible(row, i % keys)) return 0;
          return rounding * keys * slopes[Math.floor(row / queries) % heads]! + 1e-30;
        });
      },
      placeOf(at) {
        const row = Math.floor(at / keys);
        const head = Math.floor(row / queries) % heads;
        return { array: array.name, at: { head, query: first + (row % queries), key: at % keys } };
      },
      lineOf: (at) => rowLine('key', keys, at),
    },
  ];
}

function t5Evidence(context: Context, dump: LayerDump, nominal: Model): Evidence[] {
  const [array, table] = [dump.get('bias'), dump.get('t5_table')];
  if (!array || !table || !nominal.t5) return [];
  const observed = fourAxes(array);
  const [, heads = 1, queries = 1, keys = 1] = observed.shape;
  const rounding = 4 * roundingOf[precisionOf(context, array)];
  return [
    {
      layer: array.layer,
      arrays: [array.name, table.name],
      nominal,
      compare(model, _limit, watch) {
        if (!model.t5 || table.shape[1] !== heads) return mismatch;
        const bias = t5Of(context, model, table, queries, keys);
        watch?.(observed.data, bias.data);
        return compared(observed.data, bias.data, (i) =>
          isHidden(observed.data[i]!) ? 0 : rounding * Math.abs(bias.data[i]!) + 1e-7,
        );
      },
      placeOf(at) {
        const row = Math.floor(at / keys);
        const head = Math.floor(row / queries) % heads;
        return { array: array.name, at: { head, query: row % queries, key: at % keys } };
      },
      lineOf: (at) => rowLine('key', keys, at),
    },
  ];
}

/** q, k or the weights that make them, as the model permutes them against the reference. */
function permutedBy({ rw }: Context, array: DumpArray, model: Model): Tensor | undefined {
  const { rotary, permuted } = model;
  const x = { data: array.data, shape: array.shape };
  if (!rotary) return undefined;
  const isWeight = array.role === 'q_weight' || array.role === 'k_weight';
  const extent = isWeight ? array.shape[0]! : array.shape.at(-1)!;
  const { headDim, recipe } = rotary;
  const heads = extent % headDim === 0 ? extent / headDim : 1;
  const dim = extent / heads;
  const pairs = frequenciesOf(rw, recipe).inverseFrequencies.length;
  const width = permuted.of === 'head' ? dim : Math.min(2 * pairs, dim);
  // One head after another, of which the rotated channels are permuted.
  const start = permuted.of === 'head' ? 0 : startOf(rotary, dim, pairs);
  const inner = isWeight ? x.data.length / extent : 1;
  const data = x.data.slice();
  const [half, count] = [width / 2, x.data.length / (dim * inner)];
  for (let head = 0; head < count; head++)
    for (let i = 0; i < width; i++) {
      const paired = i < half ? 2 * i : 2 * (i - half) + 1;
      const [to, from] = permuted.from === 'interleaved' ? [i, paired] : [paired, i];
      const at = (channel: number) => (head * dim + start + channel) * inner;
      data.set(x.data.subarray(at(from), at(from) + inner), at(to));
    }
  return { data, shape: x.shape };
}

/** Arrays that come before any position, against those of a reference. */
function referenceEvidence(
  context: Context,
  dump: LayerDump,
  reference: LayerDump | undefined,
  nominal: Model,
): Evidence[] {
  const roles: Role[] = ['q', 'k', 'q_weight', 'k_weight'];
  return roles.flatMap((role) => {
    const [array, other] = [dump.get(role), reference?.get(role)];
    if (!array || !other) return [];
    const which = role.startsWith('q') ? 'q' : 'k';
    const rounding = Math.max(
      roundingOf[precisionOf(context, array)],
      roundingOf[precisionOf(context, other)],
    );
    const evidence: Evidence = {
      layer: array.layer,
      arrays: [array.name, `reference ${other.name}`],
      nominal,
      isReference: true,
      compare(model, _limit, watch) {
        if (String(array.shape) !== String(other.shape)) return mismatch;
        const { permuted } = model;
        const predictions = [
          ...(permuted[which] ? [] : [other]),
          ...(permuted[which] || permuted.eitherOrder ? [permutedBy(context, other, model)] : []),
        ].filter((each) => each !== undefined);
        const results = predictions.map(({ data }) => {
          const largest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
          return compared(array.data, data, () => rounding * largest + 1e-30);
        });
        const ratio = Math.min(...results.map((each) => each.ratio));
        const at = results.findIndex((each) => each.ratio === ratio);
        if (at < 0) return mismatch;
        watch?.(array.data, predictions[at]!.data);
        return results[at]!;
      },
      placeOf: (at) => ({ array: array.name, at: { value: at } }),
      lineOf: (at) => rowLine('channel', array.shape.at(-1)!, at),
    };
    return [evidence];
  });
}

export function biasEvidence(
  context: Context,
  dump: LayerDump,
  reference: LayerDump | undefined,
  nominal: Model,
): Evidence[] {
  return [
    ...slopeEvidence(context, dump, nominal),
    ...alibiEvidence(context, dump, nominal),
    ...t5Evidence(context, dump, nominal),
    ...referenceEvidence(context, dump, reference, nominal),
  ];
}
