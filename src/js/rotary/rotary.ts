/** Rotary positions: queries and keys are rotated, each by its own position. */
import {
  destination,
  evenNumber,
  operandTensor,
  rowPositions,
  type CheckedPositions,
  tensor,
  wholeNumber,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { ResidentTensor } from '../runtime/resident.js';
import { read, type Checked, type Schema } from '../runtime/schema.js';
import { checkedFrequencies, requireWidth, type RotaryFrequencies } from './frequencies.js';
import { sentTable, type RotaryTable } from './table.js';
import {
  elementCount,
  shapeText,
  viewOf,
  type Positions,
  type Tensor,
  type TensorInput,
} from '../runtime/tensor.js';

/**
 * Interleaved pairs (2i, 2i+1): the paper, GPT-J, Meta. Half-split (i, i+dim/2): GPT-NeoX, Hugging
 * Face.
 */
export type RotaryLayout = 'interleaved' | 'half-split';

export const rotaryLayout = option.oneOf('interleaved', 'half-split');
/** With the layout of most models in use. */
export const layoutOrHalves = rotaryLayout.default('half-split');

/** Positions and form of a rotation, and where its result goes. */
export interface RotateOptions {
  /**
   * Position of each row; default 0 … length − 1. As many as x has rows, or [batch, length] of them
   * in one list when each batch (x's first axis) has its own, or [batch, heads, length] when each
   * head has its own (x with 4 axes). Frequencies with several axes take a
   * list per axis, one after the other: [axes, length] or [axes, batch, length].
   * With a table: the row of the table for each position, whole numbers; default each its own.
   */
  positions?: Positions;
  /**
   * In place of `positions`: that of the first row; those of later rows count up. With a table,
   * which may then have more rows than x: the row of the table, a whole number.
   */
  start?: number;
  /** Which values of a head are a pair. Default 'half-split'. */
  layout?: RotaryLayout;
  /** The layout to leave behind, if another: DeepSeek-V3 reads interleaved, leaves half-split. */
  outputLayout?: RotaryLayout;
  /** When given, x is [batch, length, heads · dim] or [length, heads · dim], as ONNX's 3-D form. */
  heads?: number;
  /** Takes the result in place of a new array: as long as x.data, which it may be. */
  into?: Float32Array;
}

/** Options of `rotate` for a resident tensor, which is rotated in place. */
export interface RotateResidentOptions extends Omit<RotateOptions, 'into'> {
  /** The tensor itself. */
  into: ResidentTensor;
}

/** `rotate` of an instance, for a tensor that is resident in it. */
export interface RotateResident {
  /**
   * Rotates a resident tensor in place, by the same formula.
   * @returns the tensor
   * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
   * @see Su et al. 2021, RoFormer, equation 34
   */
  (
    x: ResidentTensor,
    by: RotaryFrequencies | RotaryTable | ResidentTensor,
    settings: RotateResidentOptions,
  ): ResidentTensor;
}

const rotateSchema = {
  positions: option.positions.optional(),
  start: option.finite.optional(),
  layout: layoutOrHalves,
  outputLayout: rotaryLayout.optional(),
  heads: option.whole.optional(),
  into: option.floats.optional(),
} satisfies Schema<RotateOptions>;

export interface ConvertRotaryLayoutOptions {
  /** The layout of x. */
  from: RotaryLayout;
  /** The layout of the result. */
  to: RotaryLayout;
  /** The axis with the heads' values. Default −1; 0 for weights [heads · dim, inputs]. */
  axis?: number;
  /** Number of heads along that axis. Default 1. */
  heads?: number;
  /** How many values of a head are pairs; the rest stay. Default all. */
  rotaryDim?: number;
}

const convertSchema = {
  from: rotaryLayout,
  to: rotaryLayout,
  axis: option.finite.default(-1),
  heads: option.whole.default(1),
  rotaryDim: option.even.optional(),
} satisfies Schema<ConvertRotaryLayoutOptions>;

interface HeadShape {
  batches: number;
  heads: number;
  length: number;
  dim: number;
  isHeadMajor: boolean;
}

function headShape(shape: readonly number[], heads: number | undefined): HeadShape {
  if (heads === undefined) {
    if (shape.length < 2) {
      throw wrongShape('x', 'must be [..., length, dim]', shape);
    }
    const [length, dim] = shape.slice(-2) as [number, number];
    const batches = shape.length > 2 ? shape[0]! : 1;
    return { batches, heads: elementCount(shape.slice(1, -2)), length, dim, isHeadMajor: true };
  }
  const [length, width] = shape.slice(-2) as [number, number];
  if (shape.length < 2 || shape.length > 3 || width % heads !== 0) {
    throw wrongShape(
      'x',
      `must be [batch, length, heads · dim] or [length, heads · dim] with ${heads} heads`,
      shape,
    );
  }
  const batches = shape.length === 3 ? shape[0]! : 1;
  return { batches, heads, length, dim: width / heads, isHeadMajor: false };
}

/** One list for all batches or one for each, of every axis. Returns it with its length per axis. */
function headPositions(
  { positions: given, start }: { positions?: CheckedPositions; start?: number },
  shape: HeadShape,
  axes: number,
) {
  const { batches, heads, length, isHeadMajor } = shape;
  if (given !== undefined && start !== undefined)
    throw wrongKind('start', 'must be left out with positions', start);
  if (axes > 1 && (given === undefined || typeof given === 'number')) {
    throw wrongKind('positions', `must be a list for frequencies of ${axes} axes`, given);
  }
  const list = rowPositions(
    'positions',
    given ?? length,
    length,
    batches,
    axes,
    isHeadMajor ? heads : 1,
  );
  return { list: start ? list.map((row) => start + row) : list, rows: list.length / axes };
}

function isTable(
  value: RotaryFrequencies | RotaryTable | ResidentTensor,
): value is RotaryTable | ResidentTensor {
  return (
    value instanceof ResidentTensor ||
    (typeof value === 'object' && value !== null && 'cos' in value)
  );
}

type Given = Checked<RotateOptions, typeof rotateSchema>;

/**
 * Values that are rotated at a time: copied in, rotated and copied out, they stay in the level-2
 * cache.
 */
const floatsPerPart = 65536;

/** Fewest heads of a part, for which the core reads a row of the table once or twice. */
const headsPerPart = 8;

/** Rows of some heads, and where they lie in x: [first, past the last]. */
interface Part {
  heads: HeadShape;
  firstRow: number;
  ranges: [number, number][];
}

function partsOf(all: HeadShape): Part[] {
  const { batches, heads, length, dim, isHeadMajor } = all;
  const [places, width] = isHeadMajor ? [batches * heads, dim] : [batches, heads * dim];
  const wholePlaces = Math.floor(floatsPerPart / (length * width));
  const mostPlaces = Math.min(places, Math.max(headsPerPart, wholePlaces));
  const mostRows = Math.min(length, Math.ceil(floatsPerPart / (mostPlaces * width)));
  const parts: Part[] = [];
  for (let place = 0; place < places; place += mostPlaces) {
    const count = Math.min(mostPlaces, places - place);
    const own = isHeadMajor ? { batches: 1, heads: count } : { batches: count };
    for (let firstRow = 0; firstRow < length; firstRow += mostRows) {
      const rows = Math.min(mostRows, length - firstRow);
      const range = (at: number, values: number): [number, number] => [at, at + values];
      const ranges =
        rows === length
          ? [range(place * length * width, count * length * width)]
          : Array.from({ length: count }, (_, i) =>
              range(((place + i) * length + firstRow) * width, rows * width),
            );
      parts.push({ heads: { ...all, ...own, length: rows }, firstRow, ranges });
    }
  }
  return parts;
}

/** A rotation after its checks. */
interface Rotation {
  /** Whether a part of the heads can be rotated by itself. */
  hasParts: boolean;
  /** Rotates values, sent or resident at an address. Returns the address of the result. */
  run(sent: Float32Array[], address: number, heads: HeadShape, firstRow: number): number;
}

export const rotary = (core: Core) => {
  const rotationByTable = (
    all: HeadShape,
    by: RotaryTable | ResidentTensor,
    given: Given,
  ): Rotation => {
    const { layout: from, outputLayout: to = from, positions, start } = given;
    const table = sentTable(core, 'table', by);
    requireWidth('table', { dim: 2 * table.pairs }, all.dim);
    const isInOrder = positions === undefined;
    const rowOf = isInOrder ? [] : headPositions(given, all, 1).list;
    rowOf.forEach((row, i) => wholeNumber(`positions[${i}]`, row, 0));
    if (start !== undefined && wholeNumber('start', start, 0) + all.length > table.rows)
      throw wrongValue('start', `must leave ${all.length} of ${table.rows} rows`, start);
    // Otherwise each batch, or each head, has rows of its own.
    const isShared = isInOrder && (start !== undefined || table.rows === all.length);
    return {
      hasParts: isShared && table.address !== 0,
      run(sent, address, heads, firstRow) {
        core.send([...sent, ...table.sent]);
        core.sendDoubles([rowOf]);
        const rows = isShared ? heads.length : table.rows;
        const call = { ...heads, ...{ address, from, to, rows, pairs: table.pairs } };
        const first = (start ?? 0) + firstRow;
        return core.raw.rotateByTable(call, table.address, table.rows, first, rowOf.length);
      },
    };
  };

  const rotationByFrequencies = (all: HeadShape, by: RotaryFrequencies, given: Given): Rotation => {
    const { layout: from, outputLayout: to = from } = given;
    const { inverseFrequencies, axes, axisOfPair, attentionFactor, dim } = checkedFrequencies(
      'frequencies',
      by,
    );
    requireWidth('frequencies', { dim }, all.dim);
    const { list, rows } = headPositions(given, all, axes);
    return {
      hasParts: false,
      run(sent, address, heads) {
        core.send(sent);
        core.sendDoubles([list, inverseFrequencies, axisOfPair]);
        const call = { ...heads, ...{ address, from, to, rows, pairs: inverseFrequencies.length } };
        return core.raw.rotate(call, axes, attentionFactor);
      },
    };
  };

  /** Checks a rotation of all heads. */
  const rotationOf = (
    all: HeadShape,
    by: RotaryFrequencies | RotaryTable | ResidentTensor,
    given: Given,
  ): Rotation =>
    isTable(by) ? rotationByTable(all, by, given) : rotationByFrequencies(all, by, given);

  /** Rotates a resident tensor. Returns it. */
  const rotatedInPlace: RotateResident = (x, by, settings) => {
    const { into, ...others } = Object(settings) as RotateResidentOptions;
    if (into !== x) throw wrongKind('into', 'must be x, a resident tensor', into);
    const given = read('rotate options', others as RotateOptions, rotateSchema);
    const heads = headShape(x.shape, given.heads);
    const address = x.floatsIn(core, 'x');
    core.address(rotationOf(heads, by, given).run([], address, heads, 0));
    return x;
  };

  return {
    /**
     * Rotary position embedding: each pair (a, b) of a row at position m becomes
     * (a cos mf − b sin mf, a sin mf + b cos mf), f the pair's frequency. Angles are formed in
     * double. Values of a head beyond `frequencies.dim` pass through (partial rotary).
     * @param x a tensor [batch, …, length, dim] or [length, dim], 16-bit floats or a view
     * @param by frequencies (rotaryFrequencies, axialFrequencies, sectionedFrequencies, …), or a
     * table of cos and sin (rotaryTable, xposTable, or another program's, as ONNX RotaryEmbedding
     * takes them); for many calls, a table that `resident` keeps
     * @returns a new tensor of the same shape, or `into` as one
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see Su et al. 2021, RoFormer, equations 14, 15 and 34; ONNX RotaryEmbedding-23
     */
    rotate(
      x: TensorInput,
      by: RotaryFrequencies | RotaryTable | ResidentTensor,
      settings?: RotateOptions,
    ): Tensor {
      if (x instanceof ResidentTensor)
        return rotatedInPlace(x, by, settings as never) as unknown as Tensor;
      const { data, shape } = operandTensor('x', x);
      const given = read('rotate options', settings, rotateSchema);
      const heads = headShape(shape, given.heads);
      const into = destination(given.into, data.length);
      const { hasParts, run } = rotationOf(heads, by, given);
      // A new array would be cleared before its parts are written, and a part's result must not
      // overwrite what a later part reads.
      const isShifted = into?.buffer === data.buffer && into.byteOffset !== data.byteOffset;
      if (!into || isShifted || !hasParts || data.length <= floatsPerPart)
        return { data: core.floats(run([data], 0, heads, 0), into), shape: [...shape] };
      for (const { heads: own, firstRow, ranges } of partsOf(heads)) {
        const sent = ranges.map(([first, last]) => viewOf(data, first, last));
        const rotated = core.view(run(sent, 0, own, firstRow));
        let at = 0;
        for (const [first, last] of ranges)
          into.set(viewOf(rotated, at, (at += last - first)), first);
      }
      return { data: into, shape: [...shape] };
    },

    /**
     * Reorders the values of queries and keys, or the rows of the weights and biases that make
     * them, from one layout of pairs to the other. Queries and keys reordered alike have the same
     * products, so converted weights give a kernel of the other layout the scores of the original.
     * @param x values [..., dim], or with axis 0 weights [heads · dim, inputs]; any axes around
     * @returns a new tensor of the same shape
     * @throws TypeError, RangeError on a wrong kind, value or shape, naming the parameter
     * @see huggingface/transformers, convert_llama_weights_to_hf.py (permute)
     */
    convertRotaryLayout(x: Tensor, settings: ConvertRotaryLayoutOptions): Tensor {
      const { data, shape } = tensor('x', x);
      const given = read('convertRotaryLayout options', settings, convertSchema);
      const { from, to, heads, axis } = given;
      const at = axis < 0 ? axis + shape.length : axis;
      const extent = shape[at];
      if (extent === undefined || extent % heads !== 0) {
        throw wrongValue(
          'axis',
          `must name an axis of ${heads} equal heads in ${shapeText(shape)}`,
          axis,
        );
      }
      const dim = extent / heads;
      const rotaryDim = given.rotaryDim ?? evenNumber('rotaryDim', dim);
      if (rotaryDim > dim) {
        throw wrongValue(
          'rotaryDim',
          `must be at most ${dim}, the width of a head in x.shape ${shapeText(shape)}`,
          rotaryDim,
        );
      }
      const inner = elementCount(shape.slice(at + 1));
      core.send([data]);
      const outer = data.length / (dim * inner);
      const converted = core.raw.convertRotaryLayout(outer, dim, inner, rotaryDim, from, to);
      return { data: core.floats(converted), shape: [...shape] };
    },
  };
};
