/** Rows of tensors: picked, joined, repeated. */

const product = (extents) => extents.reduce((a, b) => a * b, 1);

export const range = (first, past) => Array.from({ length: past - first }, (_, i) => first + i);

/** The largest magnitude. NaN and infinities, which a law may put into an input, do not count. */
export const largest = (values) =>
  Array.from(values ?? []).reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  );

/** The index along each axis of the value at `at`. */
export function placeOf(at, shape) {
  const place = [];
  for (const extent of shape.toReversed()) {
    place.unshift(at % extent);
    at = Math.floor(at / extent);
  }
  return place;
}

/** The entries at `indices` along an axis, in their order; each may occur more than once. */
export function picked({ data, shape }, axis, indices) {
  const [outer, extent, inner] = [
    product(shape.slice(0, axis)),
    shape[axis],
    product(shape.slice(axis + 1)),
  ];
  const result = new data.constructor(outer * indices.length * inner);
  for (let i = 0, at = 0; i < outer; i++) {
    for (const index of indices) {
      const first = (i * extent + index) * inner;
      for (let j = 0; j < inner; j++) result[at++] = data[first + j];
    }
  }
  return { data: result, shape: shape.with(axis, indices.length) };
}

/** All of `a`, then all of `b`, along an axis. */
export function joined(a, b, axis) {
  const [outer, left, right] = [
    product(a.shape.slice(0, axis)),
    product(a.shape.slice(axis)),
    product(b.shape.slice(axis)),
  ];
  const result = new a.data.constructor(a.data.length + b.data.length);
  for (let i = 0; i < outer; i++) {
    for (let j = 0; j < left; j++) result[i * (left + right) + j] = a.data[i * left + j];
    for (let j = 0; j < right; j++) result[i * (left + right) + left + j] = b.data[i * right + j];
  }
  return { data: result, shape: a.shape.with(axis, a.shape[axis] + b.shape[axis]) };
}

/** Broadcasts a tensor with fewer axes, or axes of 1, to the whole shape. */
export function broadcast({ data, shape, ...others }, whole) {
  let result = { data, shape: [...Array(whole.length - shape.length).fill(1), ...shape] };
  whole.forEach((extent, axis) => {
    if (result.shape[axis] !== extent) result = picked(result, axis, Array(extent).fill(0));
  });
  return { ...result, ...others };
}

/**
 * A tensor of one value.
 * @param {number[]} shape
 * @param {number} value
 * @param {Float32ArrayConstructor | Uint8ArrayConstructor} [Kind]
 */
export function filled(shape, value, Kind = Float32Array) {
  return { data: new Kind(product(shape)).fill(value), shape };
}
