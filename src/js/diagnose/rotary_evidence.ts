/** Frequencies, tables and rotated vectors against a model. */
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
  type Flips,
} from './evidence.js';
import type { Measured } from './measure.js';
import { measuredRotation } from './measure.js';
import type { Model, RotaryModel } from './model.js';
import {
  fewRows,
  headTensor,
  sampledRows,
  selected,
  selectedPositions,
  sequenceOf,
} from './shapes.js';
import { frequenciesOf, predictedTable, rotatedBy, startOf, type Sequence } from './tables.js';

/** Evidence of which cos and sin can be measured, for hypotheses with parameters. */
export interface RotaryEvidence extends Evidence {
  role: 'inv_freq' | 'table' | 'q' | 'k';
  /** cos and sin per row and pair as the data have them, under the layout of a model. */
  measured(model: Model): Measured | undefined;
  sequence?: Sequence;
  /** The frequencies themselves, where the dump has them. */
  frequencies?: Float32Array;
}

/** inv_freq. A narrower or wider list is another shape, and nothing else. */
function frequencyEvidence(context: Context, dump: LayerDump, nominal: Model): RotaryEvidence[] {
  const array = dump.get('inv_freq');
  if (!array || !nominal.rotary) return [];
  const precision = precisionOf(context, array);
  // The exponent and the power are rounded as well.
  const rounding = precision === 'f32' ? 4e-6 : roundingOf[precision];
  return [
    {
      role: 'inv_freq',
      layer: array.layer,
      arrays: [array.name],
      nominal,
      frequencies: array.data,
      compare({ rotary }, _limit, watch) {
        if (!rotary) return mismatch;
        const { inverseFrequencies } = frequenciesOf(context.rw, rotary.recipe);
        const format = rotary.formats.frequency;
        const predicted = format
          ? context.rw.roundTo(inverseFrequencies, format)
          : inverseFrequencies;
        watch?.(array.data, predicted);
        if (predicted.length !== array.data.length) return mismatch;
        return compared(array.data, predicted, (i) => rounding * Math.abs(predicted[i]!) + 1e-30);
      },
      placeOf: (at) => ({ array: array.name, at: { pair: at } }),
      lineOf: (_, length) => rowLine('pair', length, 0),
      measured: () => undefined,
    },
  ];
}

interface Doubled {
  /** [rows, pairs] */
  values: Float32Array;
  pairs: number;
  style: 'single' | 'half' | 'interleaved' | 'neither';
}

/** Also NaN, which a table of frequencies without a value has. */
const isSame = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b));

/** Returns one value per pair of a table that may hold each twice: half-split or interleaved. */
function perPair(array: DumpArray, pairs: number): Doubled | undefined {
  const width = array.shape.at(-1)!;
  const { data } = array;
  if (width === pairs) return { values: data, pairs, style: 'single' };
  if (width !== 2 * pairs) return undefined;
  const rows = data.length / width;
  const half = new Float32Array(rows * pairs);
  const alternating = new Float32Array(rows * pairs);
  let [isHalf, isAlternating] = [true, true];
  for (let row = 0; row < rows; row++) {
    for (let pair = 0; pair < pairs; pair++) {
      const at = row * width;
      half[row * pairs + pair] = data[at + pair]!;
      alternating[row * pairs + pair] = data[at + 2 * pair]!;
      isHalf &&= isSame(data[at + pair]!, data[at + pair + pairs]!);
      isAlternating &&= isSame(data[at + 2 * pair]!, data[at + 2 * pair + 1]!);
    }
  }
  if (isHalf) return { values: half, pairs, style: 'half' };
  if (isAlternating) return { values: alternating, pairs, style: 'interleaved' };
  return { values: half, pairs, style: 'neither' };
}

/** Half-split models double a table in halves; interleaved ones may do either. */
const hasStyle = (style: Doubled['style'], layout: string) =>
  style === 'single' || style === 'half' || (style === 'interleaved' && layout === 'interleaved');

/** vLLM keeps both in one array, cos before sin. */
function tablesOf(dump: LayerDump): { cos: DumpArray | undefined; sin: DumpArray | undefined } {
  const both = dump.get('cos_sin');
  if (!both) return { cos: dump.get('cos'), sin: dump.get('sin') };
  const width = both.shape.at(-1)! / 2;
  const part = (from: number) => {
    const rows = both.data.length / (2 * width);
    const data = new Float32Array(rows * width);
    for (let row = 0; row < rows; row++)
      data.set(
        both.data.subarray((2 * row + from) * width, (2 * row + from + 1) * width),
        row * width,
      );
    return { ...both, data, shape: [...both.shape.slice(0, -1), width] };
  };
  return { cos: part(0), sin: part(1) };
}

function countedRows(batches: number, rows: number): Sequence {
  const positions = Float64Array.from({ length: batches * rows }, (_, at) => at % rows);
  return { axes: 1, batches, rows, positions };
}

function someRows(
  array: DumpArray,
  batches: number,
  rows: number,
  kept: readonly number[],
): DumpArray {
  if (kept.length === rows) return array;
  const width = array.shape.at(-1)!;
  const { data } = selected({ data: array.data, shape: [batches, 1, rows, width] }, [0], kept);
  return { ...array, data, shape: [batches, kept.length, width] };
}

function tableEvidence(
  context: Context,
  dump: LayerDump,
  nominal: Model,
  keptOf: (rows: number) => number[],
): RotaryEvidence[] {
  const tables = tablesOf(dump);
  const given = (tables.cos ?? tables.sin)!;
  if (!given || !nominal.rotary) return [];
  const allCount = given.data.length / given.shape.at(-1)!;
  const ids = dump.get('position_ids');
  const batches =
    given.shape.length === 3 && given.shape[0]! > 1 && given.shape[1]! > 1 ? given.shape[0]! : 1;
  const allRows = allCount / batches;
  // A cached table starts at position 0, even if the dump's rows do not.
  const isCache = ids !== undefined && ids.shape.at(-1) !== allRows;
  const all = isCache
    ? countedRows(batches, allRows)
    : sequenceOf(dump, nominal, batches, allRows, false);
  const keptRows = keptOf(allRows);
  const sequence = selectedPositions(all, keptRows);
  const part = (array: DumpArray | undefined) =>
    array && someRows(array, batches, allRows, keptRows);
  const [cos, sin] = [part(tables.cos), part(tables.sin)];
  const count = batches * keptRows.length;
  const arrays = [cos, sin].filter((array) => array !== undefined);
  const rounding = Math.max(...arrays.map((array) => roundingOf[precisionOf(context, array)]));
  const reduced = (pairs: number) => arrays.map((array) => perPair(array, pairs));
  return [
    {
      role: 'table',
      layer: given.layer,
      arrays: arrays.map(({ name }) => name),
      nominal,
      sequence,
      compare({ rotary }, limit, watch) {
        if (!rotary) return mismatch;
        const table = predictedTable(context.rw, rotary, sequence, 'query');
        const observed = reduced(table.pairs);
        if (table.rows !== count || observed.some((each) => !each)) return mismatch;
        const predicted = cos && sin ? [table.cos, table.sin] : [cos ? table.cos : table.sin];
        const size = table.rows * table.pairs;
        const all = predicted.length === 1 ? predicted[0]! : joined(predicted);
        const values = joined(observed.map((each) => each!.values));
        watch?.(values, all);
        if (observed.some((each) => !hasStyle(each!.style, rotary.layout))) return mismatch;
        const tolerance = (i: number) => {
          if (sequence.padding?.[Math.floor((i % size) / table.pairs)]) return 0;
          return table.amplitude * (rounding + angleRounding * Math.abs(table.angles[i % size]!));
        };
        const flips = flipsOf(rotary, table.amplitude, (i) => table.angles[i % size]!);
        return compared(values, all, tolerance, { flips, limit });
      },
      placeOf(at) {
        const { inverseFrequencies } = frequenciesOf(context.rw, nominal.rotary!.recipe);
        const pairs = inverseFrequencies.length;
        const size = count * pairs;
        const row = Math.floor((at % size) / pairs);
        const position = sequence.positions[row]!;
        const name = arrays[Math.floor(at / size)]?.name ?? given.name;
        return {
          array: name,
          at: { row: keptRows[row % keptRows.length]!, position, pair: at % pairs },
        };
      },
      lineOf(at) {
        const { inverseFrequencies } = frequenciesOf(context.rw, nominal.rotary!.recipe);
        const pairs = inverseFrequencies.length;
        const rows = keptRows.length;
        const list = Math.floor(at / (rows * pairs));
        const first = (list % batches) * rows;
        return {
          axis: 'position',
          start: list * rows * pairs + (at % pairs),
          step: pairs,
          x: sequence.positions.subarray(first, first + rows),
        };
      },
      measured() {
        const width = given.shape.at(-1)!;
        const { inverseFrequencies } = frequenciesOf(context.rw, nominal.rotary!.recipe);
        const pairs = width === inverseFrequencies.length ? width : width / 2;
        const [first, second] = reduced(pairs);
        if (!cos || !sin || !first || !second) return undefined;
        const [c, s] = [Float64Array.from(first.values), Float64Array.from(second.values)];
        return { cos: c, sin: s, rows: count, pairs };
      },
    },
  ];
}

/** Errors of a model that rounds: a neighbor of each angle or frequency, tables of 1. */
function flipsOf(
  { formats }: RotaryModel,
  amplitude: number,
  angleOf: (at: number) => number,
): Flips | undefined {
  const ofAngle = formats.angle ?? formats.frequency;
  const narrow = ofAngle ?? formats.table;
  if (narrow !== 'bf16' && narrow !== 'f16') return undefined;
  const step = 2 * roundingOf[narrow];
  const size = (at: number) => amplitude * step * (ofAngle ? Math.abs(angleOf(at)) : 1);
  return { size, share: 0.02 };
}

function joined(lists: readonly ArrayLike<number>[]): Float64Array {
  const result = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  lists.reduce((at, list) => (result.set(list, at), at + list.length), 0);
  return result;
}

/** All heads are rotated alike: a few show what all do. */
const mostHeads = 4;

/** The largest value of each row, as the bound of what rounding does to its pairs. */
function largestPerRow({ data, shape }: Tensor): Float32Array {
  const width = shape.at(-1)!;
  const norms = new Float32Array(data.length / width);
  for (let row = 0; row < norms.length; row++) {
    let most = 0;
    for (let i = 0; i < width; i++) most = Math.max(most, Math.abs(data[row * width + i]!));
    norms[row] = most;
  }
  return norms;
}

function vectorEvidence(
  context: Context,
  dump: LayerDump,
  nominal: Model,
  role: 'q' | 'k',
  keptOf: (rows: number) => number[],
): RotaryEvidence[] {
  const [before, after] = [dump.get(role), dump.get(`${role}_rot`)];
  if (!before || !after || !nominal.rotary) return [];
  const rowCount = dump.get('position_ids')?.shape.at(-1);
  const whole = [before, after].map((array) => headTensor(array, nominal, rowCount));
  const same = String(whole[0]!.shape) === String(whole[1]!.shape);
  const [batch = 1, allHeads = 1, allRows = 1, width = 1] = whole[0]!.shape;
  const keptRows = keptOf(allRows);
  const keptHeads = [...Array(Math.min(allHeads, mostHeads)).keys()];
  const [x, y] = whole.map((each) => (same ? selected(each, keptHeads, keptRows) : each)) as [
    Tensor,
    Tensor,
  ];
  const [heads, rows] = [keptHeads.length, keptRows.length];
  const rounding = roundingOf[precisionOf(context, after)];
  const norms = largestPerRow(x);
  const all = sequenceOf(dump, nominal, batch, allRows, true);
  const sequence = selectedPositions(all, keptRows);
  const arrays = [after.name, before.name];
  const side = role === 'q' ? 'query' : 'key';
  return [
    {
      role,
      layer: after.layer,
      arrays,
      nominal,
      sequence,
      compare({ rotary }, limit, watch) {
        if (!rotary || !same) return mismatch;
        const table = predictedTable(context.rw, rotary, sequence, side);
        const rotated = rotatedBy(context.rw, rotary, x, table, side);
        if (!rotated) return mismatch;
        const { pairs } = table;
        const bounds = columnBounds(rotary, table.angles, pairs, width, batch * rows);
        const rowOf = (vector: number) =>
          Math.floor(vector / (heads * rows)) * rows + (vector % rows);
        const angleOf = (i: number) =>
          rotary.rotates
            ? rotary.times[side] * bounds[rowOf(Math.floor(i / width)) * width + (i % width)]!
            : 0;
        const amplitude = table.amplitude ** rotary.times[side];
        const sizeOf = (i: number) => norms[Math.floor(i / width)]! * amplitude + 1e-30;
        const tolerance = (i: number) =>
          sequence.padding?.[rowOf(Math.floor(i / width))]
            ? 0
            : sizeOf(i) * (2 * rounding + angleRounding * angleOf(i));
        const flips = flipsOf(rotary, 1, angleOf);
        const scaled = flips && { ...flips, size: (i: number) => 2 * sizeOf(i) * flips.size(i) };
        watch?.(y.data, rotated.data, tolerance);
        return compared(y.data, rotated.data, tolerance, { flips: scaled, limit });
      },
      placeOf(at) {
        const vector = Math.floor(at / width);
        const row = vector % rows;
        const head = Math.floor(vector / rows) % heads;
        const batchAt = Math.floor(vector / (rows * heads));
        const position = sequence.positions[batchAt * rows + row]!;
        const channel = at % width;
        const pair = pairOf(nominal, context, channel, width);
        const place: Record<string, number> = pair < 0 ? { channel } : { pair };
        return {
          array: after.name,
          at: {
            ...(batch > 1 && { batch: batchAt }),
            head,
            row: keptRows[row]!,
            position,
            ...place,
          },
        };
      },
      lineOf(at) {
        const list = Math.floor(at / (rows * width));
        const first = Math.floor(list / heads) * rows;
        return {
          axis: 'position',
          start: list * rows * width + (at % width),
          step: width,
          x: sequence.positions.subarray(first, first + rows),
        };
      },
      measured: ({ rotary }) =>
        rotary && same
          ? measuredRotation(
              x,
              y,
              rotary,
              frequenciesOf(context.rw, rotary.recipe).inverseFrequencies.length,
            )
          : undefined,
    },
  ];
}

function pairOf(nominal: Model, { rw }: Context, channel: number, width: number): number {
  const { recipe, outputLayout } = nominal.rotary!;
  const pairs = frequenciesOf(rw, recipe).inverseFrequencies.length;
  const i = channel - startOf(nominal.rotary!, width, pairs);
  if (i < 0 || i >= 2 * pairs) return -1;
  return outputLayout === 'half-split' ? i % pairs : Math.floor(i / 2);
}

/** The angle that moves each column of each row, for the bound of its rounding. */
function columnBounds(
  rotary: RotaryModel,
  angles: Float64Array,
  pairs: number,
  width: number,
  rows: number,
): Float64Array {
  const bounds = new Float64Array(rows * width);
  const from = startOf(rotary, width, pairs);
  const isHalf = rotary.outputLayout === 'half-split';
  for (let row = 0; row < rows; row++)
    for (let pair = 0; pair < pairs; pair++) {
      const angle = Math.abs(angles[row * pairs + pair]!);
      const at = row * width + from;
      bounds[at + (isHalf ? pair : 2 * pair)] = angle;
      bounds[at + (isHalf ? pair + pairs : 2 * pair + 1)] = angle;
    }
  return bounds;
}

export function rotaryEvidence(
  context: Context,
  dump: LayerDump,
  nominal: Model,
): RotaryEvidence[] {
  const ofRows = (keptOf: (rows: number) => number[]) => [
    ...tableEvidence(context, dump, nominal, keptOf),
    ...vectorEvidence(context, dump, nominal, 'q', keptOf),
    ...vectorEvidence(context, dump, nominal, 'k', keptOf),
  ];
  const some = ofRows(fewRows);
  const rows = ofRows(sampledRows).map((evidence, i): RotaryEvidence => ({
    ...evidence,
    compareSome(model, limit) {
      // Of few values, too many may be rounded to the other neighbor.
      const isRounded = Object.keys(model.rotary?.formats ?? {}).length > 0;
      return isRounded ? undefined : some[i]!.compare(model, limit);
    },
  }));
  return [...frequencyEvidence(context, dump, nominal), ...rows];
}
