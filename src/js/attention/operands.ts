/** What attention's options mean for the core: shapes, visible keys, biases. */
import { arrayKind, described, membersOf, shapeOf, tensor } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import { ResidentTensor } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import { elementCount, shapeText, viewOf, type Tensor } from '../runtime/tensor.js';

/**
 * Which key a query stands at. 'top-left': query i at key i. 'bottom-right': the last query at the
 * last key. 'after-past': query i at the i-th key after `past` (ONNX with a cache). All the same
 * with as many queries as keys and no past.
 */
export type Alignment = 'top-left' | 'bottom-right' | 'after-past';

/** A mask of booleans: any non-zero byte is true, and `true` says what that means. */
export interface BooleanMask {
  data: Uint8Array | readonly boolean[];
  /** Broadcast to [batch, heads, queries, keys]. */
  shape: number[];
  /** 'attend': PyTorch's scaled_dot_product_attention, ONNX. 'ignore': nn.MultiheadAttention. */
  whenTrue: 'attend' | 'ignore';
}

export const maskSchema = {
  data: option.asGiven,
  shape: option.asGiven,
  whenTrue: option.oneOf('attend', 'ignore'),
} satisfies Schema<BooleanMask>;

/**
 * A sliding window, by one of two conventions: `size` keys, the query's own included (Hugging
 * Face's sliding_window), or `lookback` keys before it and `lookahead` after it (FlashAttention,
 * ONNX 25).
 */
export type Window =
  | { size: number; align?: Alignment }
  | { lookback?: number; lookahead?: number; align?: Alignment };

/** Both conventions, of which a window has one. */
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

export interface Sizes {
  batch: number;
  heads: number;
  keyHeads: number;
  queries: number;
  keys: number;
  dim: number;
  valueDim: number;
}

/** An operand with its values, or with the address where they are resident. */
export interface FourAxes {
  data: Float32Array;
  shape: [number, number, number, number];
  /** The caller's axes before the last two, for results that have them too. */
  leading: number[];
  address: number;
}

const elsewhere = new Float32Array(0);

/** [length, dim], [heads, length, dim] and [batch, heads, length, dim] as the last of them. */
export function fourAxes(name: string, value: Tensor): FourAxes {
  const { data, shape } = tensor(name, value);
  return { data, shape: padded(name, shape, 2), leading: shape.slice(0, -2), address: 0 };
}

/** The same for a tensor that may be resident in the core. */
export function operandOf(core: Core, name: string, value: Tensor | ResidentTensor): FourAxes {
  if (!(value instanceof ResidentTensor)) return fourAxes(name, value);
  const shape = padded(name, value.shape, 2);
  return {
    data: elsewhere,
    shape,
    leading: value.shape.slice(0, -2),
    address: value.addressIn(core, name),
  };
}

function padded(name: string, shape: readonly number[], least: number): FourAxes['shape'] {
  if (shape.length < least || shape.length > 4) {
    throw new RangeError(`${name}.shape must have ${least} to 4 axes, got ${shapeText(shape)}`);
  }
  const missing = 4 - shape.length; // an index below 0 would be looked up as a name
  const axis = (at: number) => (at < missing ? 1 : shape[at - missing]!);
  return [axis(0), axis(1), axis(2), axis(3)];
}

export function equal(what: string, a: number, b: number): void {
  if (a !== b) throw new RangeError(`${what} must be equal, got ${a} and ${b}`);
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
    throw new RangeError(
      `heads of q must be a multiple of the heads of k, got ${heads} and ${keyHeads}`,
    );
  }
  return { batch, heads, keyHeads, queries, keys, dim, valueDim };
}

/** Past rows, then new ones, of every batch and head: a cache and what follows it. */
export function joined(name: string, past: Tensor, next: FourAxes): FourAxes {
  if (next.address !== 0) throw new TypeError(`${name} needs new rows that are not resident`);
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
 * Causal mask and window as one band: how far back and ahead a query sees, from where. Without
 * either, distances and positions still count from somewhere: from the first key after `past`.
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
      throw new RangeError(
        `window.align must agree with causal, got '${band.alignment}' and '${causal}'`,
      );
    }
    if (given.size !== undefined) {
      if (given.lookback !== undefined || given.lookahead !== undefined) {
        throw new TypeError('window must have either size or lookback and lookahead, got both');
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

/** Of [batch, heads, queries, keys]. */
export type Extents = FourAxes['shape'];

/** Values that serve whole axes of [batch, heads, queries, keys] where their extent is 1. */
export interface BroadcastOperand<Data> {
  data: Data;
  extents: Extents;
}

function checkedExtents(name: string, shape: readonly number[], sizes: Sizes): Extents {
  const extents = padded(name, shape, 1);
  const full = [sizes.batch, sizes.heads, sizes.queries, sizes.keys];
  if (extents.every((extent, axis) => extent === full[axis] || extent === 1)) return extents;
  throw new RangeError(
    `${name}.shape must broadcast to ${shapeText(full)}, got ${shapeText(shape)}`,
  );
}

export function biasOperand(bias: Tensor, sizes: Sizes): BroadcastOperand<Float32Array> {
  const { data, shape } = tensor('bias', bias);
  return { data, extents: checkedExtents('bias', shape, sizes) };
}

export interface MaskOperand extends BroadcastOperand<Uint8Array> {
  trueAttends: boolean;
}

export function maskOperand(mask: BooleanMask, sizes: Sizes): MaskOperand {
  const given = read('mask', mask, maskSchema, 'mask.');
  const trueAttends = given.whenTrue === 'attend';
  const data = bytesOf(given.data);
  const shape = shapeOf('mask', given.shape);
  if (elementCount(shape) !== data.length) {
    throw new RangeError(
      `mask.data must have ${elementCount(shape)} values for shape ${shapeText(shape)}, got ${data.length}`,
    );
  }
  return { data, extents: checkedExtents('mask', shape, sizes), trueAttends };
}

/** A copy, so that no property of the caller's array has a say in its length. */
function bytesOf(data: unknown): Uint8Array {
  if (arrayKind(data) === 'Uint8Array') return new Uint8Array(data as Uint8Array);
  if (Array.isArray(data)) return new Uint8Array(membersOf(data, bitOf));
  throw new TypeError(
    `mask.data must be a Uint8Array or an array of booleans, got ${described(data)}`,
  );
}

function bitOf(value: unknown, i: number): number {
  if (typeof value === 'boolean') return Number(value);
  throw new TypeError(`mask.data[${i}] must be true or false, got ${described(value)}`);
}
