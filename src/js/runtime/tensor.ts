/** A dense array of 32-bit floats with its shape, row-major: the last axis is contiguous. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** Doubles with their shape, row-major. */
export interface DoubleTensor {
  data: Float64Array;
  shape: number[];
}

/** Table rows, bucket numbers: whole numbers with their shape, row-major. */
export interface IndexTensor {
  data: Int32Array;
  shape: number[];
}

/** A count (positions 0 … count − 1), or the positions themselves; fractions are allowed. */
export type Positions = number | ArrayLike<number> | BigInt64Array;

export function elementCount(shape: readonly number[]): number {
  let product = 1;
  for (const extent of shape) product *= extent;
  return product;
}

/** A view of the values from `first` to `last`: subarray() would let a subclass make it. */
export function viewOf(data: Float32Array, first: number, last: number): Float32Array {
  return new Float32Array(data.buffer, data.byteOffset + 4 * first, last - first);
}

export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`;
}

/** The index along each axis of the value at `at`. */
export function placeOf(at: number, shape: readonly number[]): number[] {
  const place: number[] = [];
  for (const extent of shape.toReversed()) {
    place.unshift(at % extent);
    at = Math.floor(at / extent);
  }
  return place;
}
