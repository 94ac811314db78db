/**
 * Reads the arguments of a call of attention as its documentation describes them, into plain lists of
 * doubles. It shares nothing with the package.
 */

import { ofConfig } from './configured.mjs';

/** The call breaks a documented rule, and must be refused. */
export class Invalid extends Error {}

export const product = (list) => list.reduce((a, b) => a * b, 1);

function halfFloat(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return (
    sign *
    (exponent === 0 ? fraction / 1024 : 1 + fraction / 1024) *
    2 ** Math.max(exponent - 15, -14)
  );
}

const one = new Uint32Array(1);
const asFloat = new Float32Array(one.buffer);

function upperHalf(bits) {
  one[0] = bits * 65536;
  return asFloat[0];
}

/** A tensor in any of its forms, dense and in double. */
export function readTensor(value) {
  const shape = value.shape ?? value.dims;
  const format = value.format ?? (value.type === 'float16' ? 'f16' : undefined);
  const number = { f16: halfFloat, bf16: upperHalf }[format] ?? Number;
  const strides = value.strides ?? shape.map((_, axis) => product(shape.slice(axis + 1)));
  if (!value.strides) return { data: Float64Array.from(value.data, number), shape: [...shape] };
  const data = new Float64Array(product(shape));
  const last = shape.length - 1;
  for (let at = 0; at < data.length; at++) {
    let [rest, from] = [at, 0];
    for (let axis = last; axis >= 0; axis--) {
      from += (rest % shape[axis]) * strides[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    data[at] = number(value.data[from]);
  }
  return { data, shape: [...shape] };
}

/** The same with four axes, the heads taken apart where they lie side by side. */
function operand(value, heads) {
  const { data, shape } = readTensor(value);
  if (heads === undefined)
    return {
      data,
      shape: [...Array(4 - shape.length).fill(1), ...shape],
      leading: shape.slice(0, -2),
    };
  const [length, width] = shape.slice(-2);
  const batch = shape.length === 3 ? shape[0] : 1;
  const dim = width / heads;
  const apart = new Float64Array(data.length);
  for (let at = 0; at < data.length; at++) {
    const [b, i] = [Math.floor(at / (length * width)), Math.floor(at / width) % length];
    const [h, c] = [Math.floor((at % width) / dim), at % dim];
    apart[((b * heads + h) * length + i) * dim + c] = data[at];
  }
  const leading = shape.length === 3 ? [batch, heads] : [heads];
  return { data: apart, shape: [batch, heads, length, dim], leading };
}

/** Rows of `first` before those of `second`, for every batch and head. */
function joined(first, second) {
  const [batch, heads, more, dim] = second.shape;
  const before = first.shape[2];
  const data = new Float64Array(batch * heads * (before + more) * dim);
  for (let h = 0; h < batch * heads; h++) {
    const at = h * (before + more) * dim;
    data.set(first.data.subarray(h * before * dim, (h + 1) * before * dim), at);
    data.set(second.data.subarray(h * more * dim, (h + 1) * more * dim), at + before * dim);
  }
  return { data, shape: [batch, heads, before + more, dim], leading: second.leading };
}

/** Values that broadcast to [batch, heads, queries, keys]: the index of each. */
function broadcast({ data, shape }) {
  const [b, h, q, k] = [...Array(4 - shape.length).fill(1), ...shape];
  const at = (batch, head, query, key) =>
    (((b === 1 ? 0 : batch) * h + (h === 1 ? 0 : head)) * q + (q === 1 ? 0 : query)) * k +
    (k === 1 ? 0 : key);
  return { data, at };
}

const isTyped = (value) => ArrayBuffer.isView(value);

/** Values alone are [queries, keys]. */
const withShape = (value, sizes) =>
  isTyped(value) || Array.isArray(value)
    ? { data: value, shape: [sizes.queries, sizes.keys] }
    : value;

/** Every array of numbers within plain data as doubles. */
function inDoubles(value) {
  if (isTyped(value)) return Float64Array.from(/** @type {Float32Array} */ (value), Number);
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'number')
      ? Float64Array.from(value)
      : value.map(inDoubles);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'shape' ? member : inDoubles(member),
  ]);
  return Object.fromEntries(members);
}

/** Which keys a query may see, from `causal` and `window`. */
function bandOf({ causal = false, window }, sizes, past) {
  let alignment = causal === true ? 'top-left' : causal;
  if (causal === true && (sizes.queries !== sizes.keys || past > 0 || sizes.hasKeyLengths))
    throw new Invalid('causal true must be unambiguous');
  const { align, size, lookback, lookahead } = window ?? {};
  if (alignment && align && align !== alignment)
    throw new Invalid('window.align must agree with causal');
  if (size !== undefined && (lookback ?? lookahead) !== undefined)
    throw new Invalid('a window has one convention');
  alignment ||= align ?? (window ? 'bottom-right' : 'after-past');
  const back = size === undefined ? (lookback ?? Infinity) : size - 1;
  const ahead = causal ? 0 : size === undefined ? (lookahead ?? Infinity) : 0;
  return { alignment, back, ahead };
}

/** Where query 0 of a batch stands. */
function firstQuery(alignment, queries, past, keyLength) {
  if (alignment === 'bottom-right') return keyLength - queries;
  return alignment === 'after-past' ? past : 0;
}

/** How many values of a row scale belong to which row. */
function rowScaleAt(list, { batch, heads, queries }) {
  if (list === undefined) return undefined;
  const each = heads * queries;
  if (list.length === batch * each && batch > 1)
    return (b, h, i) => list[(b * heads + h) * queries + i];
  if (list.length === each && heads > 1) return (b, h, i) => list[h * queries + i];
  if (list.length !== queries && list.length !== each && list.length !== batch * each)
    throw new Invalid('rowScale must have a value per row');
  return (b, h, i) => list[(list.length === queries ? 0 : h * queries) + i];
}

/**
 * Returns a call in plain numbers.
 * @param {any} q
 * @param {any} k
 * @param {any} v
 * @param {any} settings
 * @param {ArrayLike<number>} [positions] of the keys of a cache, whose last ones are those of the queries
 * @returns {any}
 */
export function readCall(q, k, v, settings = {}, positions = undefined) {
  const { heads: packed, keyHeads: packedKeys = packed } = settings;
  const queries = operand(q, packed);
  let [keys, values] = [operand(k, packedKeys), operand(v, packedKeys)];
  const past = settings.past ? (settings.past.k.shape ?? settings.past.k.dims).at(-2) : 0;
  if (settings.past) {
    keys = joined(operand(settings.past.k), keys);
    values = joined(operand(settings.past.v), values);
  }
  const sizes = {
    batch: queries.shape[0],
    heads: queries.shape[1],
    queries: queries.shape[2],
    dim: queries.shape[3],
    keyHeads: keys.shape[1],
    keys: keys.shape[2],
    valueDim: values.shape[3],
  };
  const lengths = Array.from(settings.keyLengths ?? Array(sizes.batch).fill(sizes.keys), Number);
  if (lengths.some((length) => length > sizes.keys))
    throw new Invalid('keyLengths must not exceed the keys');
  const band = bandOf(
    settings,
    { ...sizes, hasKeyLengths: settings.keyLengths !== undefined },
    past,
  );
  if (positions) {
    const isGiven = settings.causal || settings.window;
    if (isGiven && band.alignment !== 'bottom-right')
      throw new Invalid('queries must be the last tokens of the cache');
    band.alignment = 'bottom-right';
  }
  if (positions && sizes.queries > sizes.keys)
    throw new Invalid('queries must be tokens of the cache');
  const { mask, bias } = settings;
  const isAdded = mask instanceof Float32Array;
  if (isAdded && bias) throw new Invalid('a mask of floats must come without bias');
  const added = bias ?? (isAdded ? mask : undefined);
  const boolean = mask && !isAdded ? broadcast(withShape(mask, sizes)) : undefined;
  const attends = mask?.whenTrue !== 'ignore';
  const given = settings.position ?? { type: 'none' };
  const at = firstQuery(band.alignment, sizes.queries, past, sizes.keys);
  if (given.scheme?.part) throw new Invalid('attention rotates the first values of a head');
  const { position, factors } = given.scheme
    ? ofConfig(given.scheme, sizes, at)
    : { position: given, factors: undefined };
  const scales = settings.rowScale ?? factors;
  const rowScale = scales && Float64Array.from(scales, Number);
  const call = {
    ...sizes,
    past,
    leading: queries.leading,
    keyLeading: keys.leading,
    valueLeading: values.leading,
    isPacked: packed !== undefined,
    q: queries.data,
    k: keys.data,
    v: values.data,
    scale: settings.scale ?? 1 / Math.sqrt(sizes.dim),
    softcap: settings.softcap,
    rowScale,
    rowScaleAt: rowScaleAt(rowScale, sizes),
    band,
    isCausal: band.ahead === 0,
    keyLengths: lengths,
    first: lengths.map((length) => firstQuery(band.alignment, sizes.queries, past, length)),
    bias: added && broadcast({ ...inDoubles(withShape(added, sizes)) }),
    mayAttend: boolean
      ? (b, h, i, n) => Boolean(boolean.data[boolean.at(b, h, i, n)]) === attends
      : () => true,
    sinks: settings.sinks && Float64Array.from(settings.sinks, Number),
    fullyMasked: settings.fullyMasked ?? 'zeros',
    intermediates: new Set(settings.intermediates ?? []),
    cachePositions: positions,
    position: inDoubles(typeof position === 'string' ? { type: position } : position),
  };
  return call;
}

/** The same call with other keys of the record, for instance changed numbers of one list. */
export const groupOf = ({ heads, keyHeads }, head) => Math.floor(head / (heads / keyHeads));
