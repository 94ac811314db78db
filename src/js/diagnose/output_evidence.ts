/** The output of attention where keys are values too: it is rotated back (DeepSeek V4). */
import type { Tensor } from '../runtime/tensor.js';
import type { DumpArray, LayerDump } from './dump.js';
import {
  angleRounding,
  compared,
  mismatch,
  precisionOf,
  roundingOf,
  rowLine,
  type Context,
  type Evidence,
} from './evidence.js';
import type { Model } from './model.js';
import { fourAxes, headTensor, sequenceOf } from './shapes.js';
import { predictedTable, rotatedBy } from './tables.js';

/** The weighted sums of the keys: [batch, heads, queries, width]. */
function weightedSums(weights: Tensor, keys: Tensor): Tensor {
  const [batch = 1, heads = 1, queries = 1, count = 1] = weights.shape;
  const [, keyHeads = 1, rows = 1, width = 1] = keys.shape;
  const data = new Float32Array(batch * heads * queries * width);
  const sum = new Float64Array(width);
  for (let list = 0; list < batch * heads; list++) {
    const group = Math.floor((list % heads) / (heads / keyHeads));
    const first = (Math.floor(list / heads) * keyHeads + group) * rows;
    for (let m = 0; m < queries; m++) {
      sum.fill(0);
      const row = list * queries + m;
      for (let n = 0; n < count; n++) {
        const weight = weights.data[row * count + n]!;
        const from = (first + n) * width;
        for (let i = 0; i < width; i++) sum[i]! += weight * keys.data[from + i]!;
      }
      data.set(sum, row * width);
    }
  }
  return { data, shape: [batch, heads, queries, width] };
}

function largest({ data }: Tensor): number {
  return data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The output before its way back: dumped, or from the weights and the rotated keys. */
function sumsOf(context: Context, dump: LayerDump, model: Model): Tensor | undefined {
  const weights = dump.get('weights');
  const rotated = dump.get('k_rot');
  const keys = rotated ?? dump.get('k');
  if (!weights || !keys || !model.rotary) return undefined;
  const w = fourAxes(weights);
  const x = headTensor(keys, model, w.shape.at(-1));
  if (x.shape[2] !== w.shape[3] || w.shape[1]! % x.shape[1]! !== 0) return undefined;
  if (rotated) return weightedSums(w, x);
  const sequence = sequenceOf(dump, model, x.shape[0]!, x.shape[2]!, false);
  const table = predictedTable(context.rw, model.rotary, sequence, 'key');
  const y = rotatedBy(context.rw, model.rotary, x, table, 'key');
  return y && weightedSums(w, y);
}

/** How the rotated channels of the sums are turned by the positions of the queries. */
function turned(context: Context, dump: LayerDump, model: Model, sums: Tensor): Tensor | undefined {
  const { rotary, output } = model;
  if (!rotary || output === 'none') return sums;
  const inverted = output === 'back' ? !rotary.inverted : rotary.inverted;
  const sequence = sequenceOf(dump, model, sums.shape[0]!, sums.shape[2]!, true);
  const own = { ...rotary, inverted, times: { query: 1, key: 1 } };
  const table = predictedTable(context.rw, own, sequence, 'query');
  return rotatedBy(context.rw, own, sums, table, 'query');
}

function evidenceOf(
  context: Context,
  dump: LayerDump,
  nominal: Model,
  array: DumpArray,
  sources: string[],
  predict: (model: Model) => Tensor | undefined,
): Evidence {
  const queries = dump.get('weights')?.shape.at(-2) ?? dump.get('position_ids')?.shape.at(-1);
  const observed = headTensor(array, nominal, queries);
  const width = observed.shape.at(-1)!;
  const rounding = roundingOf[precisionOf(context, array)];
  const positions = dump.get('position_ids')?.data ?? [queries ?? 1];
  const furthest = Array.from(positions).reduce((most, each) => Math.max(most, each), 0);
  return {
    layer: array.layer,
    arrays: [array.name, ...sources],
    nominal,
    compare(model, limit, watch) {
      const predicted = predict(model);
      if (!predicted || String(predicted.shape) !== String(observed.shape)) return mismatch;
      watch?.(observed.data, predicted.data);
      const bound = largest(predicted) * (4 * rounding + angleRounding * furthest) + 1e-30;
      return compared(observed.data, predicted.data, () => bound, { limit });
    },
    placeOf(at) {
      const [, heads = 1, rows = 1] = observed.shape;
      const row = Math.floor(at / width);
      const place = { head: Math.floor(row / rows) % heads, row: row % rows, channel: at % width };
      return { array: array.name, at: place };
    },
    lineOf: (at) => rowLine('channel', width, at),
  };
}

export function outputEvidence(context: Context, dump: LayerDump, nominal: Model): Evidence[] {
  const [output, before] = [dump.get('output'), dump.get('output_before')];
  if (nominal.output === undefined) return [];
  const weights = dump.get('weights') ? [dump.get('weights')!.name] : [];
  const known = dump.get('k_rot') && sumsOf(context, dump, nominal);
  const sums = (model: Model) => known ?? sumsOf(context, dump, model);
  const isKnown = sums(nominal) !== undefined;
  const of = (array: DumpArray, sources: string[], predict: (model: Model) => Tensor | undefined) =>
    evidenceOf(context, dump, nominal, array, sources, predict);
  return [
    ...(before && isKnown ? [of(before, weights, sums)] : []),
    ...(output && (before || isKnown)
      ? [
          of(output, before ? [before.name] : weights, (model) => {
            const queries = dump.get('weights')?.shape.at(-2);
            const own = before ? headTensor(before, nominal, queries) : sums(model);
            return own && turned(context, dump, model, own);
          }),
        ]
      : []),
  ];
}
