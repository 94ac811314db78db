/** Converts attention's options for the core: shapes, visible keys, biases. */
import { arrayKind, isFloats, operandTensor, shapeOf, tensor, truth } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind, wrongShape, wrongValue } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { ResidentTensor } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import {
  elementCount,
  gathered,
  shapeText,
  viewOf,
  type Tensor,
  type TensorInput,
} from '../runtime/tensor.js';

/**
 * How queries align with keys. 'top-left': query i with key i. 'bottom-right': the last query with
 * the last key. 'after-past': query i with the i-th key after `past` (ONNX with a cache). All three
 * agree when there are as many queries as keys and no past.
 */
export type Alignment = 'top-left' | 'bottom-right' | 'after-past';

/** A mask of booleans: any non-zero byte is true; `whenTrue` says what true means. */
export interface BooleanMask {
  /** One value per place of the shape; 0 is false. */
  data: Uint8Array | readonly boolean[];
  /** Broadcast to [batch, heads, queries, keys]. */
  shape: readonly number[];
  /** 'attend': PyTorch's scaled_dot_product_attention, ONNX. 'ignore': nn.MultiheadAttention. */
  whenTrue: 'attend' | 'ignore';
}

export const maskSchema = {
  data: option.given('data'),
  shape: option.given('shape'),
  whenTrue: option.oneOf('attend', 'ignore'),
} satisfies Schema<BooleanMask>;

/**
 * A sliding window in one of two conventions: `size` keys including the query's own (Hugging
 * Face's sliding_window), or `lookback` keys before it and `lookahead` after it (FlashAttention,
 * ONNX 25).
 */
export type Window =
  | { size: number; align?: Alignment }
  | { lookback?: number; lookahead?: number; align?: Alignment };

/** The options of both conventions; a window has those of one. */
interface WindowOptions {
  size?: number;
  lookback?: number;
  lookahead?: number;
  align?: Alignment;
}

export const alignments = ['top-left', 'bottom-right', 'after-past'] as const;

export const windowSchema = {
  size: option.whole.optional(),
  lookback: option.wholeFrom(0).optional(),
  lookahead: option.wholeFrom(0).optional(),
  align: option.oneOf(...alignments).optional(),
} satisfies Schema<WindowOptions>;

/** A tensor of a scheme, by which axes a call is split into parts. */
export interface TextTensor {
  data: Float32Array;
  axes: readonly string[];
}

/** What a scheme adds to a call: its number in the core, three of its own, and its tensors. */
export interface TextOperand {
  scheme: number;
  own: readonly number[];
  tensors: readonly TextTensor[];
  /** Whether it reads keys or values, which must then be floats. */
  readsKeys: boolean;
  readsValues: boolean;
}

export interface Sizes {
  batch: number;
  heads: number;
  keyHeads: number;
  queries: number;
  keys: number;
  dim: number;
  valueDim: number;
}

/** An operand with its values, or with the address of a resident tensor. */
export interface FourAxes {
  data: Float32Array;
  shape: [number, number, number, number];
  /** The caller's axes before the last two; results have the same. */
  leading: number[];
  address: number;
}

/** In place of values that the core has already. */
export const elsewhere = new Float32Array(0);

/**
 * Returns [length, dim], [heads, length, dim] or [batch, heads, length, dim] with all four axes.
 */
export function fourAxes(name: string, value: TensorInput): FourAxes {
  const { data, shape } = operandTensor(name, value);
  return { data, shape: padded(name, shape, 2), leading: shape.slice(0, -2), address: 0 };
}

/** The same for a tensor that may be resident in the core. */
export function operandOf(
  core: Core,
  name: string,
  value: TensorInput | ResidentTensor,
  heads: number | undefined,
): FourAxes {
  if (heads !== undefined) return unpacked(name, value, heads);
  if (!(value instanceof ResidentTensor)) return fourAxes(name, value);
  const shape = padded(name, value.shape, 2);
  const address = name === 'q' ? value.floatsIn(core, name) : value.addressIn(core, name);
  return { data: elsewhere, shape, leading: value.shape.slice(0, -2), address };
}

/** [length, heads · dim] or [batch, length, heads · dim] with the heads as an axis of their own. */
function unpacked(name: string, value: TensorInput | ResidentTensor, heads: number): FourAxes {
  if (value instanceof ResidentTensor)
    throw wrongKind(name, 'must be no resident tensor where heads is given', value, '');
  const { data, shape } = operandTensor(name, value);
  const [width, length, batch = 1] = shape.toReversed() as [number, number, number?];
  if (shape.length < 2 || shape.length > 3 || width % heads !== 0) {
    throw wrongValue(
      `${name}.shape`,
      `must be [batch, length, heads · dim] or [length, heads · dim] with ${heads} heads`,
      shape,
      `${shapeText(shape)}; leave heads out for [batch, heads, length, dim]`,
    );
  }
  const dim = width / heads;
  const axes: FourAxes['shape'] = [batch, heads, length, dim];
  return {
    data:
      length === 1 || heads === 1 ? data : gathered(data, axes, [length * width, dim, width, 1]),
    shape: axes,
    leading: shape.length === 3 ? [batch, heads] : [heads],
    address: 0,
  };
}

/** The reverse for an output of […, heads, length, dim]; `into` has room for it. */
export function packed({ data, shape }: Tensor, into?: Float32Array): Tensor {
  const [dim, length, heads, batch = 1] = shape.toReversed() as [number, number, number, number?];
  const rows = [batch, length, heads, dim];
  return {
    data: gathered(data, rows, [heads * length * dim, dim, length * dim, 1], into),
    shape: [...shape.slice(0, -3), length, heads * dim],
  };
}

function padded(name: string, shape: readonly number[], least: number): FourAxes['shape'] {
  if (shape.length < least || shape.length > 4) {
    throw wrongShape(name, `must have ${least} to 4 axes`, shape);
  }
  const missing = 4 - shape.length; // a negative index would be a property name
  const axis = (at: number) => (at < missing ? 1 : shape[at - missing]!);
  return [axis(0), axis(1), axis(2), axis(3)];
}

export function equal(what: string, a: number, b: number): void {
  if (a !== b) throw wrongValue(what, 'must be equal', [a, b], `${a} and ${b}`);
}

export function sizesOf(q: FourAxes, k: FourAxes, v: FourAxes): Sizes {
  const [batch, heads, queries, dim] = q.shape;
  const [keyBatch, keyHeads, keys, keyDim] = k.shape;
  const [valueBatch, valueHeads, values, valueDim] = v.shape;
  equal('dim of q and k', dim, keyDim);
  equal('length of k and v', keys, values);
  equal('heads of k and v', keyHeads, valueHeads);
  equal('batch of q and k', batch, keyBatch);
  equal('batch of k and v', keyBatch, valueBatch);
  if (heads % keyHeads !== 0) {
    throw wrongValue(
      'heads of q',
      'must be a multiple of the heads of k',
      heads,
      `${heads} and ${keyHeads}`,
    );
  }
  return { batch, heads, keyHeads, queries, keys, dim, valueDim };
}

/** Joins the rows of the cache and the new rows, for every batch and head. */
export function joined(name: string, past: TensorInput, next: FourAxes): FourAxes {
  if (next.address !== 0) throw wrongKind(name, 'needs new rows that are not resident', past, '');
  const before = fourAxes(name, past);
  const [batch, heads, rows, dim] = next.shape;
  const [pastBatch, pastHeads, pastRows, pastDim] = before.shape;
  equal(`batch of ${name} and its successor`, pastBatch, batch);
  equal(`heads of ${name} and its successor`, pastHeads, heads);
  equal(`dim of ${name} and its successor`, pastDim, dim);
  const data = new Float32Array(before.data.length + next.data.length);
  for (let head = 0, at = 0; head < batch * heads; head++) {
    data.set(viewOf(before.data, head * pastRows * dim, (head + 1) * pastRows * dim), at);
    at += pastRows * dim;
    data.set(viewOf(next.data, head * rows * dim, (head + 1) * rows * dim), at);
    at += rows * dim;
  }
  return { data, shape: [batch, heads, pastRows + rows, dim], leading: next.leading, address: 0 };
}

/**
 * Causal mask and window as one band: how many keys a query sees before and after the key it is
 * aligned with. Without either, query 0 is aligned with the first key after `past`.
 */
export function bandOf(causal: false | Alignment, window: Window | undefined, pastKeys: number) {
  const band = {
    alignment: causal || ((window ? 'bottom-right' : 'after-past') as Alignment),
    lookback: Infinity,
    lookahead: Infinity,
  };
  if (window !== undefined) {
    const given = read('window', window as WindowOptions, windowSchema, 'window.');
    band.alignment = given.align ?? band.alignment;
    if (causal && band.alignment !== causal) {
      throw wrongValue(
        'window.align',
        'must agree with causal',
        band.alignment,
        `'${band.alignment}' and '${causal}'`,
      );
    }
    if (given.size !== undefined) {
      if (given.lookback !== undefined || given.lookahead !== undefined) {
        throw wrongKind('window', 'must have either size or lookback and lookahead', given, 'both');
      }
      band.lookback = given.size - 1;
      band.lookahead = 0;
    }
    if (given.lookback !== undefined) band.lookback = given.lookback;
    if (given.lookahead !== undefined) band.lookahead = given.lookahead;
  }
  const { alignment, lookback, lookahead } = band;
  return {
    offset: alignment === 'after-past' ? pastKeys : 0,
    alignsLast: alignment === 'bottom-right',
    lookback,
    lookahead: causal ? 0 : lookahead,
  };
}

/** The extents of [batch, heads, queries, keys]. */
export type Extents = FourAxes['shape'];

/** A tensor that broadcasts to [batch, heads, queries, keys]. */
export interface BroadcastOperand<Data> {
  data: Data;
  extents: Extents;
}

function checkedExtents(name: string, shape: readonly number[], sizes: Sizes): Extents {
  const extents = padded(name, shape, 1);
  const full = [sizes.batch, sizes.heads, sizes.queries, sizes.keys];
  if (extents.every((extent, axis) => extent === full[axis] || extent === 1)) return extents;
  throw wrongShape(name, `must broadcast to ${shapeText(full)}`, shape);
}

/** A tensor of [queries, keys] from its values alone. */
function plain(name: string, count: number, { queries, keys }: Sizes): [number, number] {
  if (count === queries * keys) return [queries, keys];
  throw wrongValue(
    name,
    `must have queries × keys values, ${queries} × ${keys}`,
    count,
    `${count}; give { data, shape } where it is to be broadcast`,
  );
}

/** Numbers that are added to the scores: with their shape, or the values alone, [queries, keys]. */
export type BiasInput = Tensor | Float32Array;

export function biasOperand(
  bias: BiasInput,
  sizes: Sizes,
  name = 'bias',
): BroadcastOperand<Float32Array> {
  const given = isFloats(bias) ? { data: bias, shape: plain(name, bias.length, sizes) } : bias;
  const { data, shape } = tensor(name, given);
  return { data, extents: checkedExtents(name, shape, sizes) };
}

export interface MaskOperand extends BroadcastOperand<Uint8Array> {
  trueAttends: boolean;
}

/** With its shape, or the values alone: booleans, of which true attends, or numbers to be added. */
export type MaskInput = BooleanMask | Uint8Array | readonly boolean[] | Float32Array;

export function maskOperand(mask: Exclude<MaskInput, Float32Array>, sizes: Sizes): MaskOperand {
  const kind = arrayKind(mask);
  const bare = Array.isArray(mask) || kind === 'Uint8Array';
  if (kind && !bare) {
    throw wrongKind(
      'mask',
      'must be a Uint8Array of booleans or a Float32Array to be added',
      mask,
      `a ${kind}`,
    );
  }
  const given = bare
    ? { data: mask as Uint8Array, shape: [], whenTrue: 'attend' as const }
    : read('mask', mask as BooleanMask, maskSchema, 'mask.');
  const trueAttends = given.whenTrue === 'attend';
  const data = bytesOf(bare ? 'mask' : 'mask.data', given.data);
  const shape = bare ? plain('mask', data.length, sizes) : shapeOf('mask', given.shape);
  if (elementCount(shape) !== data.length) {
    throw wrongValue(
      'mask.data',
      `must have ${elementCount(shape)} values for shape ${shapeText(shape)}`,
      data.length,
    );
  }
  return { data, extents: checkedExtents('mask', shape, sizes), trueAttends };
}

/** A mask of numbers, as a float attn_mask of PyTorch: 0 attends, −Infinity hides. */
export function additiveMask(mask: Float32Array, sizes: Sizes): BroadcastOperand<Float32Array> {
  if (mask.includes(1) && mask.every((value) => value === 0 || value === 1)) {
    throw wrongValue(
      'mask',
      'of 32-bit floats must hold what is added to the scores (0 attends, −Infinity hides)',
      mask,
      'only 0 and 1; give a Uint8Array of them, where 1 attends',
    );
  }
  return biasOperand(mask, sizes, 'mask');
}

/** A copy, so that no property of the caller's array has a say in its length. */
function bytesOf(name: string, data: unknown): Uint8Array {
  if (arrayKind(data) === 'Uint8Array') return new Uint8Array(data as Uint8Array);
  if (!Array.isArray(data)) {
    throw wrongKind(name, 'must be a Uint8Array or an array of booleans', data);
  }
  const bits = Array.from<unknown, number>(data, (value, i) =>
    Number(truth(`${name}[${i}]`, value)),
  );
  return new Uint8Array(bits);
}
