/** Predicted frequencies, tables and rotated vectors of a model: calls of the package, composed. */
import type { DerivedRotaryFrequencies } from '../rotary/frequencies.js';
import type { Functions } from '../ropewalk.js';
import type { Tensor } from '../runtime/tensor.js';
import type { PositionChange, Recipe, RotaryModel, Sections } from './model.js';

/** The true positions of rows: [axes, batches, rows] in one list. */
export interface Sequence {
  axes: number;
  batches: number;
  rows: number;
  positions: Float64Array;
  /** 1 for rows of padding, which are not compared: [batches, rows]. */
  padding?: Uint8Array;
  /** Which rows of the array these are, where they are not all. */
  numbers?: readonly number[];
}

/** cos and sin of each row and pair with the attention factor, and the angles: [rows, pairs]. */
export interface PredictedTable {
  cos: Float64Array;
  sin: Float64Array;
  angles: Float64Array;
  rows: number;
  pairs: number;
  /** The attention factor on cos and sin. */
  amplitude: number;
}

/** The frequencies of a recipe, and its two factors. */
export interface RecipeFrequencies {
  inverseFrequencies: Float64Array;
  attentionFactor: number;
  softmaxScale: number;
  derivation: DerivedRotaryFrequencies['derivation'];
}

const known = new WeakMap<Recipe, RecipeFrequencies>();

export function frequenciesOf(rw: Functions, recipe: Recipe): RecipeFrequencies {
  const found = known.get(recipe);
  if (found) return found;
  const { first, zeros = 0, isScaledTwice, exponentsOver, given, ...options } = recipe;
  const made = rw.rotaryFrequencies(options);
  if (isScaledTwice || exponentsOver) {
    const unscaled = (dim: number) =>
      rw.rotaryFrequencies({ ...options, dim, scaling: { type: 'none' } }).inverseFrequencies;
    const plain = unscaled(options.dim);
    const other = exponentsOver ? unscaled(exponentsOver) : made.inverseFrequencies;
    const scaled = made.inverseFrequencies;
    made.inverseFrequencies = scaled.map((each, i) => (each / plain[i]!) * other[i]!);
  }
  if (given) made.inverseFrequencies = Float64Array.from(given);
  const kept = made.inverseFrequencies.slice(0, first);
  const inverseFrequencies = new Float64Array(kept.length + zeros);
  inverseFrequencies.set(kept);
  const { attentionFactor, softmaxScale, derivation } = made;
  const result = { inverseFrequencies, attentionFactor, softmaxScale, derivation };
  known.set(recipe, result);
  return result;
}

/** The factors on cos and sin and on the softmax scale. */
export function temperatureOf(rw: Functions, { recipe, temperature }: RotaryModel) {
  const { attentionFactor: cosSin, softmaxScale: softmax } = frequenciesOf(rw, recipe);
  const isOnTable = cosSin !== 1;
  const factor = isOnTable ? cosSin : Math.sqrt(softmax);
  switch (temperature) {
    case 'own':
      return { cosSin, softmax };
    case 'none':
      return { cosSin: 1, softmax: 1 };
    case 'twice':
      return { cosSin: factor ** 2, softmax };
    case 'other-side':
      return isOnTable
        ? { cosSin: 1, softmax: softmax * factor ** 2 }
        : { cosSin: factor, softmax: 1 };
  }
}

/** Which rows of the array the rows of a sequence are. */
export const rowNumbers = ({ numbers, rows }: Sequence): readonly number[] =>
  numbers ?? Array.from({ length: rows }, (_, row) => row);

/** All lists of a sequence with a change of position, in one list. */
export function changed(sequence: Sequence, change: PositionChange | undefined): Float64Array {
  const { axes, batches, rows, positions } = sequence;
  if (!change) return positions;
  const result = new Float64Array(positions.length);
  const numbers = rowNumbers(sequence);
  for (let at = 0; at < axes * batches; at++)
    result.set(change.of(positions.subarray(at * rows, (at + 1) * rows), numbers), at * rows);
  return result;
}

function axesOfPairs(rw: Functions, { pairs, interleaved }: Sections): ArrayLike<number> {
  const count = pairs.reduce((sum, each) => sum + each, 0);
  const inverseFrequencies = new Float64Array(count).fill(1);
  const plain = { inverseFrequencies, attentionFactor: 1, dim: 2 * count };
  const order = interleaved ? 'interleaved' : 'consecutive';
  return rw.sectionedFrequencies(plain, { sections: pairs, order }).axisOfPair;
}

/** The axis of the positions that each pair follows. */
export function axesOf(rw: Functions, { sections }: RotaryModel, pairs: number): number[] {
  const own = sections && (sections.axisOfPair ?? axesOfPairs(rw, sections));
  // Pairs beyond the sections, which a wrong width has, follow the first axis.
  return Array.from({ length: pairs }, (_, pair) => own?.[pair] ?? 0);
}

/** Dynamic NTK when the length is that of each row: one set of frequencies per row. */
function tablePerRow(rw: Functions, model: RotaryModel, positions: Float64Array): PredictedTable {
  const tables = Array.from(positions, (position) => {
    const scaling = { ...model.recipe.scaling, length: Math.max(1, Math.round(position) + 1) };
    const recipe = { ...model.recipe, scaling } as Recipe;
    return tableAt(rw, { ...model, recipe, lengthPerRow: false }, Float64Array.of(position), 1);
  });
  const pairs = tables[0]!.pairs;
  const whole = {
    cos: new Float64Array(positions.length * pairs),
    sin: new Float64Array(positions.length * pairs),
    angles: new Float64Array(positions.length * pairs),
  };
  tables.forEach((table, row) => {
    for (const name of ['cos', 'sin', 'angles'] as const) whole[name].set(table[name], row * pairs);
  });
  return { ...whole, rows: positions.length, pairs, amplitude: tables[0]!.amplitude };
}

/** Each stage in the number format of the model, floats by default. */
function tableAt(
  rw: Functions,
  model: RotaryModel,
  positions: Float64Array,
  axes: number,
): PredictedTable {
  const exact = frequenciesOf(rw, model.recipe).inverseFrequencies;
  const inverseFrequencies = exact.map((each) => (Number.isFinite(each) ? each : 0));
  const { cosSin } = temperatureOf(rw, model);
  const pairs = inverseFrequencies.length;
  const { formats } = model;
  const rows = positions.length / axes;
  const [first, ...others] = Array.from({ length: axes }, (_, axis) =>
    rw.roundedRotaryTable({
      positions: positions.subarray(axis * rows, (axis + 1) * rows),
      frequencies: { inverseFrequencies, attentionFactor: 1, dim: 2 * pairs },
      formats: { position: 'f32', frequency: 'f32', angle: 'f32', ...formats, table: 'f64' },
    }),
  );
  const { angles } = first!;
  let { cos, sin } = first!;
  axesOf(rw, model, pairs).forEach((axis, pair) => {
    const own = axis > 0 ? others[axis - 1] : undefined;
    if (!own) return;
    for (let at = pair; at < cos.length; at += pairs) {
      angles[at] = own.angles[at]!;
      cos[at] = own.cos[at]!;
      sin[at] = own.sin[at]!;
    }
  });
  if (cosSin !== 1) for (const each of [cos, sin]) each.forEach((x, i) => (each[i] = x * cosSin));
  if (formats.table) [cos, sin] = [cos, sin].map((each) => rw.roundTo(each, formats.table!)) as any;
  exact.forEach((each, pair) => {
    if (Number.isFinite(each)) return;
    for (let at = pair; at < cos.length; at += pairs) cos[at] = sin[at] = NaN;
  });
  return { cos, sin, angles, rows: angles.length / pairs, pairs, amplitude: cosSin };
}

/** Exchanges the lists of the axes, as a model does that mistakes height for width. */
function reordered(list: Float64Array, axes: readonly number[]): Float64Array {
  const each = list.length / axes.length;
  const result = new Float64Array(list.length);
  axes.forEach((from, to) => result.set(list.subarray(from * each, (from + 1) * each), to * each));
  return result;
}

/** Sets those rows of `table` to those of `older` that are among the first rows of their array. */
function replaceRows(
  table: PredictedTable,
  older: PredictedTable,
  rows: number,
  sequence: Sequence,
): void {
  if (older.pairs !== table.pairs) return;
  const { pairs } = table;
  const numbers = rowNumbers(sequence);
  for (let row = 0; row < table.rows; row++) {
    if (numbers[row % sequence.rows]! >= rows) continue;
    const [from, to] = [row * pairs, (row + 1) * pairs];
    for (const name of ['cos', 'sin', 'angles'] as const)
      table[name].set(older[name].subarray(from, to), from);
  }
}

/**
 * The table that the model makes for a sequence.
 * @param role whose positions: a change of position may be for queries only
 */
export function predictedTable(
  rw: Functions,
  model: RotaryModel,
  sequence: Sequence,
  role: 'query' | 'key',
): PredictedTable {
  const change = role === 'query' ? model.queryPositions : model.keyPositions;
  let positions = changed(sequence, change);
  let { axes } = sequence;
  const { sections } = model;
  if (axes > 1 && !sections) {
    positions = positions.slice(0, positions.length / axes);
    axes = 1;
  } else if (axes === 1 && sections) {
    const count = sections.pairs.length;
    positions = Float64Array.from(
      { length: count * positions.length },
      (_, i) => positions[i % positions.length]!,
    );
    axes = count;
  }
  if (sections) positions = reordered(positions, sections.axes);
  const table = model.lengthPerRow
    ? tablePerRow(rw, model, positions)
    : tableAt(rw, model, positions, axes);
  if (role === 'key' && model.cached) {
    const { recipe, rows } = model.cached;
    const older = tableAt(rw, { ...model, recipe }, positions, axes);
    replaceRows(table, older, rows, sequence);
  }
  const { cos, sin } = table;
  const turned = model.inverted ? sin.map((x) => -x) : sin;
  return model.swapped ? { ...table, cos: turned, sin: cos } : { ...table, sin: turned };
}

/** Where the rotated channels begin in vectors that are whole heads, or their part alone. */
export const startOf = (
  { headDim, part }: Pick<RotaryModel, 'headDim' | 'part'>,
  width: number,
  pairs: number,
): number => (part === 'trailing' && width === headDim ? headDim - 2 * pairs : 0);

/**
 * Rotates q or k of [batch, heads, rows, width]: a whole head, or its rotated part alone.
 * @returns undefined where the table is wider than the head
 */
export function rotatedBy(
  rw: Functions,
  model: RotaryModel,
  x: Tensor,
  table: PredictedTable,
  role: 'query' | 'key',
): Tensor | undefined {
  const width = x.shape.at(-1)!;
  if (2 * table.pairs > width) return undefined;
  let rotated = x;
  for (let time = model.rotates ? model.times[role] : 0; time > 0; time--)
    rotated = rotatedOnce(rw, model, rotated, table);
  return rotated;
}

function rotatedOnce(rw: Functions, model: RotaryModel, x: Tensor, table: PredictedTable): Tensor {
  const width = x.shape.at(-1)!;
  const { layout, outputLayout } = model;
  const { cos, sin, rows, pairs } = table;
  const [batch = 1, , length = 1] = x.shape;
  const by = { cos, sin, shape: [rows, pairs] };
  const positions = Float64Array.from({ length: batch * length }, (_, at) => at % rows);
  const options = { layout, outputLayout, positions };
  const from = startOf(model, width, pairs);
  if (from === 0) return rw.rotate(x, by, options);
  const part = columns(x, from, from + 2 * pairs);
  const rotated = rw.rotate(part, by, options);
  const data = x.data.slice();
  for (let row = 0; row < data.length / width; row++)
    data.set(rotated.data.subarray(row * 2 * pairs, (row + 1) * 2 * pairs), row * width + from);
  return { data, shape: x.shape };
}

/** Some columns of the last axis. */
export function columns({ data, shape }: Tensor, from: number, to: number): Tensor {
  const width = shape.at(-1)!;
  const rows = data.length / width;
  const result = new Float32Array(rows * (to - from));
  for (let row = 0; row < rows; row++)
    result.set(data.subarray(row * width + from, row * width + to), row * (to - from));
  return { data: result, shape: [...shape.slice(0, -1), to - from] };
}
