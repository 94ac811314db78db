/** What attention's options mean for the core: shapes, visible keys, biases. */
import {
  described,
  fitting,
  membersOf,
  oneOf,
  options,
  tensor,
  wholeNumber,
} from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { ResidentTensor } from '../runtime/resident.js';
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
  true: 'attend' | 'ignore';
}

/**
 * A sliding window, by one of two conventions: `size` keys, the query's own included (Hugging
 * Face's sliding_window), or `lookback` keys before it and `lookahead` after it (FlashAttention,
 * ONNX 25).
 */
export type Window =
  | { size: number; align?: Alignment }
  | { lookback?: number; lookahead?: number; align?: Alignment };

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

export const alignments = ['top-left', 'bottom-right', 'after-past'] as const;

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
    const given = options(
      'window',
      window as { size?: number; lookback?: number; lookahead?: number; align?: Alignment },
      ['size', 'lookback', 'lookahead', 'align'],
    );
    band.alignment = oneOf('window.align', given.align ?? band.alignment, alignments);
    if (causal && band.alignment !== causal) {
      throw new RangeError(
        `window.align must agree with causal, got '${band.alignment}' and '${causal}'`,
      );
    }
    if (given.size !== undefined) {
      if (given.lookback !== undefined || given.lookahead !== undefined) {
        throw new TypeError('window must have either size or lookback and lookahead, got both');
      }
      band.lookback = wholeNumber('window.size', given.size) - 1;
      band.lookahead = 0;
    }
    if (given.lookback !== undefined)
      band.lookback = wholeNumber('window.lookback', given.lookback, 0);
    if (given.lookahead !== undefined)
      band.lookahead = wholeNumber('window.lookahead', given.lookahead, 0);
  }
  const { alignment, lookback, lookahead } = band;
  return {
    offset: alignment === 'after-past' ? pastKeys : 0,
    alignsLast: alignment === 'bottom-right',
    lookback,
    lookahead: causal ? 0 : lookahead,
  };
}

/** A boolean mask as a bias: 0 where a query may attend, −Infinity where not. */
export function maskAsBias(mask: BooleanMask): Tensor {
  const given = options('mask', mask, ['data', 'shape', 'true']);
  const attends = oneOf('mask.true', given.true, ['attend', 'ignore'] as const) === 'attend';
  if (!(given.data instanceof Uint8Array) && !Array.isArray(given.data)) {
    throw new TypeError(
      `mask.data must be a Uint8Array or an array of booleans, got ${described(given.data)}`,
    );
  }
  const bits = new Uint8Array(
    given.data instanceof Uint8Array ? given.data : membersOf(given.data, bitOf),
  );
  const data = Float32Array.from(bits, (bit) => ((bit !== 0) === attends ? 0 : -Infinity));
  return tensor('mask', { data, shape: given.shape });
}

function bitOf(value: unknown, i: number): number {
  if (typeof value === 'boolean') return Number(value);
  throw new TypeError(`mask.data[${i}] must be true or false, got ${described(value)}`);
}

/** A bias where a mask allows it, −Infinity elsewhere; both of any broadcastable shape. */
export function sumOfBiases(mask: Tensor, bias: Tensor, sizes: Sizes): Tensor {
  const [left, right] = [biasOperand('mask', mask, sizes), biasOperand('bias', bias, sizes)];
  const shape = left.shape.map((extent, axis) => Math.max(extent, right.shape[axis]!));
  const data = new Float32Array(fitting('the mask with the bias', elementCount(shape)));
  const [batches, heads, queries, keys] = shape as [number, number, number, number];
  let at = 0;
  for (let batch = 0; batch < batches; batch++) {
    for (let head = 0; head < heads; head++) {
      for (let query = 0; query < queries; query++) {
        const row = (side: BiasOperand) =>
          batch * side.biasBatchStep + head * side.biasHeadStep + query * side.biasRowStep;
        const [l, r] = [row(left), row(right)];
        for (let key = 0; key < keys; key++)
          data[at++] = left.data[l + key] === 0 ? right.data[r + key]! : -Infinity;
      }
    }
  }
  return { data, shape };
}

export type BiasOperand = ReturnType<typeof biasOperand>;

/** A bias of any broadcastable shape, with its steps per batch, head and query (0 repeats). */
export function biasOperand(name: string, bias: Tensor, sizes: Sizes) {
  let { data, shape: own } = tensor(name, bias);
  let shape = padded(`${name}`, own, 1);
  const full = [sizes.batch, sizes.heads, sizes.queries, sizes.keys];
  if (!shape.every((extent, axis) => extent === full[axis] || extent === 1)) {
    throw new RangeError(
      `${name}.shape must broadcast to ${shapeText(full)}, got ${shapeText(own)}`,
    );
  }
  if (shape[3] !== sizes.keys) {
    const one = data;
    data = new Float32Array(one.length * sizes.keys);
    one.forEach((value, row) => data.fill(value, row * sizes.keys, (row + 1) * sizes.keys));
    shape = [shape[0], shape[1], shape[2], sizes.keys];
  }
  const step = (axis: number) => (shape[axis] === 1 ? 0 : elementCount(shape.slice(axis + 1)));
  return {
    data,
    shape,
    biasSize: data.length,
    biasBatchStep: step(0),
    biasHeadStep: step(1),
    biasRowStep: step(2),
  };
}

export const noBias = { biasSize: 0, biasBatchStep: 0, biasHeadStep: 0, biasRowStep: 0 };
