/** Scores and attention weights against a model. */
import type { AttentionOptions } from '../attention/attention.js';
import type { Tensor } from '../runtime/tensor.js';
import { biasOf } from './bias_evidence.js';
import type { DumpArray, LayerDump, Role } from './dump.js';
import {
  angleRounding,
  compared,
  mismatch,
  precisionOf,
  roundingOf,
  rowLine,
  type Context,
  type Evidence,
  type ScoreSides,
  type Watch,
} from './evidence.js';
import type { Model, RotaryModel } from './model.js';
import { fourAxes, headTensor, sequenceOf } from './shapes.js';
import { changed, predictedTable, rotatedBy, temperatureOf, type Sequence } from './tables.js';

/** Scores of masked keys: −∞, the least float of some format, or a large negative constant. */
const leastScore = -1e4;

const isMasked = (score: number) => score <= leastScore;

/** One side of q · k: vectors that are rotated already, or that the model is to rotate. */
interface Side {
  names: string[];
  x: Tensor;
  /** Unrotated channels before them, as DeepSeek keeps them apart. */
  others: Tensor | undefined;
  isRotated: boolean;
  sequence: Sequence;
}

function sideOf(dump: LayerDump, model: Model, role: 'q' | 'k', length: number): Side | undefined {
  const rotated = dump.get(`${role}_rot` as Role);
  const array = rotated ?? dump.get(role);
  if (!array) return undefined;
  const x = headTensor(array, model, length);
  const others = dump.get(`${role}_nope` as Role);
  const isPart = x.shape.at(-1)! < (model.rotary?.headDim ?? 0);
  const sequence = sequenceOf(dump, model, x.shape[0]!, x.shape[2]!, role === 'q');
  return {
    names: [array.name, ...(others && isPart ? [others.name] : [])],
    x,
    others: others && isPart ? fourAxes(others) : undefined,
    isRotated: rotated !== undefined,
    sequence,
  };
}

/** [unrotated, rotated] channels of each head; one rotated key may serve all heads. */
function withOthers(x: Tensor, others: Tensor | undefined): Tensor {
  if (!others) return x;
  const [batch = 1, heads = 1, rows = 1, width = 1] = others.shape;
  const [, ownHeads = 1, , own = 1] = x.shape;
  const total = width + own;
  const data = new Float32Array(batch * heads * rows * total);
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let row = 0; row < rows; row++) {
        const at = ((b * heads + h) * rows + row) * total;
        const from = ((b * heads + h) * rows + row) * width;
        const head = ownHeads === 1 ? 0 : h;
        const fromOwn = ((b * ownHeads + head) * rows + row) * own;
        data.set(others.data.subarray(from, from + width), at);
        data.set(x.data.subarray(fromOwn, fromOwn + own), at + width);
      }
  return { data, shape: [batch, heads, rows, total] };
}

/** Key heads repeated for as many query heads, one after another as tile() does. */
function tiled({ data, shape }: Tensor, heads: number): Tensor {
  const [batch = 1, own = 1, rows = 1, width = 1] = shape;
  const size = rows * width;
  const result = new Float32Array(batch * heads * size);
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++) {
      const from = (b * own + (h % own)) * size;
      result.set(data.subarray(from, from + size), (b * heads + h) * size);
    }
  return { data: result, shape: [batch, heads, rows, width] };
}

function norms({ data, shape }: Tensor): Float32Array {
  const width = shape.at(-1)!;
  const result = new Float32Array(data.length / width);
  for (let row = 0; row < result.length; row++) {
    let sum = 0;
    for (let i = row * width; i < (row + 1) * width; i++) sum += data[i]! * data[i]!;
    result[row] = Math.sqrt(sum);
  }
  return result;
}

interface Operands {
  q: Tensor;
  k: Tensor;
  heads: number;
  queries: number;
  keys: number;
}

/** How a score is masked, as options of attention. */
function maskOptions(model: Model, dump: LayerDump, o: Operands): AttentionOptions {
  const { causal, window, inverted } = model.scores;
  const padding = dump.get('attention_mask');
  const list = padding && padding.shape.at(-1) === o.keys ? padding : undefined;
  if (inverted === 'causal' || inverted === 'all') {
    const isKept = (m: number, n: number, b: number) => {
      const own = o.keys - o.queries + m;
      const isVisible = n <= own && (window === undefined || n > own - window);
      const isReal = !list || list.data[b * o.keys + n] !== 0;
      return inverted === 'all' ? !(isVisible && isReal) : !isVisible && isReal;
    };
    const batch = o.q.shape[0]!;
    const data = Uint8Array.from({ length: batch * o.queries * o.keys }, (_, at) => {
      const n = at % o.keys;
      const m = Math.floor(at / o.keys) % o.queries;
      return Number(isKept(m, n, list ? Math.floor(at / (o.keys * o.queries)) : 0));
    });
    return { mask: { data, shape: [batch, 1, o.queries, o.keys], whenTrue: 'attend' } };
  }
  const batches = list ? list.data.length / o.keys : 0;
  return {
    causal,
    ...(window !== undefined && causal && { window: { size: window, align: causal } }),
    ...(list && {
      mask: {
        data: Uint8Array.from(list.data, (flag) => Number(flag !== 0)),
        shape: [batches, 1, 1, o.keys],
        whenTrue: inverted === 'padding' ? 'ignore' : 'attend',
      },
    }),
  };
}

/** q · k of each pair under a model, with the norms that bound its rounding. */
function operandsOf({ rw }: Context, model: Model, q: Side, k: Side): Operands | undefined {
  const rotate = (side: Side, role: 'query' | 'key', rotary: RotaryModel) =>
    side.isRotated
      ? side.x
      : rotatedBy(rw, rotary, side.x, predictedTable(rw, rotary, side.sequence, role), role);
  const { rotary } = model;
  const [x, y] = rotary ? [rotate(q, 'query', rotary), rotate(k, 'key', rotary)] : [q.x, k.x];
  if (!x || !y) return undefined;
  const queries = withOthers(x, q.others);
  let keys = withOthers(y, k.others);
  const [heads, keyHeads] = [queries.shape[1]!, keys.shape[1]!];
  if (heads % keyHeads !== 0 || queries.shape[3] !== keys.shape[3]) return undefined;
  if (model.scores.keyHeads === 'tiled') keys = tiled(keys, heads);
  return { q: queries, k: keys, heads, queries: queries.shape[2]!, keys: keys.shape[2]! };
}

/** The total factor on q · k. */
function totalScale(rw: Context['rw'], { scores, rotary }: Model): number {
  const { scale, scaleApplied } = scores;
  const softmax = rotary ? temperatureOf(rw, rotary).softmax : 1;
  return scaleApplied === 0 ? 1 : (scale * softmax) ** scaleApplied;
}

/** What the scores of a dump may be: before or after the softcap, with the bias or without. */
const stages = ['biased', 'plain', 'uncapped'] as const;

function predictedScores(
  context: Context,
  dump: LayerDump,
  model: Model,
  operands: Operands,
  stage: (typeof stages)[number],
  want: 'biased' | 'weights',
  isMaskedToo: boolean,
): Float32Array {
  const { rw } = context;
  const { softcap, rowFactor } = model.scores;
  const bias = stage === 'biased' ? biasOf(context, dump, model, operands) : undefined;
  const { q, k, keys } = operands;
  const values = {
    data: new Float32Array(k.data.length / k.shape[3]!),
    shape: [...k.shape.slice(0, 3), 1],
  };
  const masks = isMaskedToo ? maskOptions(model, dump, operands) : {};
  const first = keys - operands.queries;
  const rows = Float64Array.from({ length: operands.queries }, (_, m) => first + m);
  const result = rw.attention(q, k, values, {
    scale: totalScale(rw, model),
    ...masks,
    ...(softcap !== undefined && stage !== 'uncapped' && { softcap }),
    ...(rowFactor && { rowScale: rw.logitFactors(rows, rowFactor) }),
    ...(bias && { bias }),
    ...sinksOf(dump, operands.heads),
    intermediates: [want],
  });
  return result[want]!.data;
}

function sinksOf(dump: LayerDump, heads: number): AttentionOptions {
  const sinks = dump.get('sinks');
  return sinks && sinks.data.length === heads ? { sinks: sinks.data } : {};
}

/** Rows of queries that are padding. */
const isPaddingRow = ({ padding, rows }: Sequence, batch: number, row: number) =>
  padding?.[batch * rows + row] === 1;

function scoreEvidence(
  context: Context,
  dump: LayerDump,
  nominal: Model,
  kind: 'scores' | 'weights',
): Evidence[] {
  const array = dump.get(kind);
  if (!array) return [];
  const observed = fourAxes(array);
  const [batches = 1, heads = 1, queries = 1, keys = 1] = observed.shape;
  const q = sideOf(dump, nominal, 'q', queries);
  const k = sideOf(dump, nominal, 'k', keys);
  if (!q || !k) return [];
  const rounding = Math.max(
    roundingOf[precisionOf(context, array)],
    roundingOf[precisionOf(context, sourceOf(dump, q))],
    roundingOf[precisionOf(context, sourceOf(dump, k))],
  );
  /** Rounding errors of angles add up like a random walk over the pairs, most of them slow. */
  const relativeOf = ({ rotary }: Model) => {
    const largest = [q, k].map(({ sequence, isRotated }, i) => {
      if (isRotated) return 0;
      const change = i === 0 ? rotary?.queryPositions : rotary?.keyPositions;
      return changed(sequence, change).reduce((most, p) => Math.max(most, Math.abs(p)), 0);
    });
    return 2 * rounding + (angleRounding * Math.max(...largest)) / 8;
  };
  const compareScores: Evidence['compare'] = (model, limit, watch) => {
    const operands = operandsOf(context, model, q, k);
    if (!operands || operands.heads !== heads || operands.queries !== queries) return mismatch;
    if (operands.keys !== keys) return mismatch;
    const [qNorms, kNorms] = [norms(operands.q), norms(operands.k)];
    const keyHeads = operands.k.shape[1]!;
    const scale = Math.abs(totalScale(context.rw, model));
    const relative = relativeOf(model);
    const bound = (i: number) => {
      const row = Math.floor(i / keys);
      const head = Math.floor(row / queries);
      const keyHead = Math.floor((head % heads) / (heads / keyHeads));
      const key = (Math.floor(head / heads) * keyHeads + keyHead) * keys + (i % keys);
      return { row, size: scale * qNorms[row]! * kNorms[key]! };
    };
    const skips = (row: number) =>
      isPaddingRow(q.sequence, Math.floor(row / (heads * queries)), row % queries);
    if (kind === 'weights') {
      const weights = predictedScores(context, dump, model, operands, 'biased', 'weights', true);
      const sees = rowsWithKeys(weights, keys);
      const tolerance = (i: number) => {
        const { row, size } = bound(i);
        if (skips(row) || !sees[row]) return 0;
        return rounding + weights[i]! * (4 * relative * size + 4 * rounding);
      };
      watch?.(observed.data, weights, tolerance);
      return compared(observed.data, weights, tolerance, { limit });
    }
    return comparedScores(context, dump, model, operands, observed, {
      limit,
      watch,
      relative,
      rounding,
      skips,
      bound,
    });
  };
  const canMeasure = kind === 'scores' && !q.isRotated && !k.isRotated;
  const sides: ScoreSides = {
    q: q.x,
    k: k.x,
    others: (head, query, key) => unrotatedProduct(q.others, k.others, head, query, key),
    observed,
    queries: q.sequence,
    keys: k.sequence,
    scaleOf: (model) => totalScale(context.rw, model),
    relative: relativeOf(nominal),
  };
  return [
    {
      layer: array.layer,
      arrays: [array.name, ...q.names, ...k.names],
      nominal,
      ...(canMeasure && { sides }),
      compare: compareScores,
      placeOf(at) {
        const row = Math.floor(at / keys);
        const batch = Math.floor(row / (heads * queries));
        const head = Math.floor(row / queries) % heads;
        const place = { head, query: row % queries, key: at % keys };
        return { array: array.name, at: batches > 1 ? { batch, ...place } : place };
      },
      lineOf: (at) => rowLine('key', keys, at),
    },
  ];
}

/** q · k of the channels that are kept apart, of the first batch. */
function unrotatedProduct(
  q: Tensor | undefined,
  k: Tensor | undefined,
  head: number,
  query: number,
  key: number,
): number {
  if (!q || !k) return 0;
  const [, heads = 1, queries = 1, width = 1] = q.shape;
  const [, keyHeads = 1, keys = 1] = k.shape;
  const from = (head * queries + query) * width;
  const to = (Math.floor(head / (heads / keyHeads)) * keys + key) * width;
  let sum = 0;
  for (let i = 0; i < width; i++) sum += q.data[from + i]! * k.data[to + i]!;
  return sum;
}

function rowsWithKeys(weights: Float32Array, keys: number): Uint8Array {
  return Uint8Array.from({ length: weights.length / keys }, (_, row) =>
    Number(weights.subarray(row * keys, (row + 1) * keys).some((weight) => weight > 0)),
  );
}

/** Keys after their query, which ALiBi's forms give different biases, and a mask hides. */
const isLaterKey = (i: number, { queries, keys }: Operands) =>
  i % keys > keys - queries + (Math.floor(i / keys) % queries);

/** ALiBi's forms differ by a constant per row: moves each row to the observed mean. */
function alignRows(observed: Float32Array, predicted: Float32Array, operands: Operands): void {
  const { keys } = operands;
  for (let row = 0; row < predicted.length / keys; row++) {
    let [sum, count] = [0, 0];
    for (let i = row * keys; i < (row + 1) * keys; i++) {
      const difference = observed[i]! - predicted[i]!;
      if (isLaterKey(i, operands) || !Number.isFinite(difference)) continue;
      sum += difference;
      count++;
    }
    if (count === 0) continue;
    for (let i = row * keys; i < (row + 1) * keys; i++) predicted[i]! += sum / count;
  }
}

interface ScoreBounds {
  limit: number | undefined;
  watch: Watch | undefined;
  relative: number;
  rounding: number;
  skips(row: number): boolean;
  bound(i: number): { row: number; size: number };
}

/** The stage that fits best; masks count where masked scores show. */
function comparedScores(
  context: Context,
  dump: LayerDump,
  model: Model,
  operands: Operands,
  observed: Tensor,
  { relative, rounding, skips, bound, limit, watch }: ScoreBounds,
) {
  const { softcap, softcapAfterMask } = model.scores;
  const capped = softcap === undefined ? undefined : -softcap;
  // A masked score that went through the softcap is −softcap, up to its rounding.
  const isCapped = (score: number) =>
    capped !== undefined && Math.abs(score - capped) <= 8 * rounding * softcap!;
  const hasCapped = observed.data.some(isCapped);
  const showsMask = observed.data.some(isMasked) || hasCapped;
  const results = stages
    .filter((stage) => stage !== 'uncapped' || softcap !== undefined)
    .filter((stage) => stage !== 'plain' || model.scheme === 'alibi' || model.scheme === 't5')
    .map((stage) => {
      const scores = predictedScores(context, dump, model, operands, stage, 'biased', showsMask);
      const isHidden = (i: number) => scores[i] === -Infinity;
      const predicted = scores.map((score, i) =>
        !isHidden(i)
          ? score
          : softcapAfterMask
            ? capped!
            : isMasked(observed.data[i]!)
              ? observed.data[i]!
              : -Infinity,
      );
      const isRelative = stage === 'biased' && model.scheme === 'alibi';
      if (isRelative) alignRows(observed.data, predicted, operands);
      const tolerance = (i: number) => {
        const { row, size } = bound(i);
        if (skips(row) || (isRelative && isLaterKey(i, operands))) return 0;
        if (isHidden(i) && predicted[i] === observed.data[i]) return 0;
        const magnitude = isHidden(i) ? (softcap ?? 1) : Math.abs(scores[i]!);
        return relative * size + 4 * rounding * magnitude + 1e-30;
      };
      const comparison = compared(observed.data, predicted, tolerance, { limit });
      // Not compared, so not to be drawn.
      if (isRelative) predicted.forEach((_, i) => isLaterKey(i, operands) && (predicted[i] = NaN));
      return { predicted, tolerance, ...comparison };
    });
  const { predicted, tolerance, ...best } = results.reduce((a, b) => (b.ratio < a.ratio ? b : a));
  watch?.(observed.data, predicted, tolerance);
  return best.ratio < Infinity ? best : mismatch;
}

const sourceOf = (dump: LayerDump, side: Side): DumpArray => {
  const roles: Role[] = ['q_rot', 'q', 'k_rot', 'k'];
  return roles.map((role) => dump.get(role)!).find((array) => array?.name === side.names[0])!;
};

export function attentionEvidence(context: Context, dump: LayerDump, nominal: Model): Evidence[] {
  return [
    ...scoreEvidence(context, dump, nominal, 'scores'),
    ...scoreEvidence(context, dump, nominal, 'weights'),
  ];
}
