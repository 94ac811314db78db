/** A dense array of 32-bit floats with its shape, row-major: the last axis is contiguous. */
export interface Tensor {
  /** As many values as the shape has places. */
  data: Float32Array;
  /** Extent of each axis. */
  shape: readonly number[];
}

/** A Float16Array, where the engine has them. */
export interface HalfFloats extends ArrayLike<number> {
  readonly [Symbol.toStringTag]: 'Float16Array';
}

/**
 * What attention, `rotate` and `resident` take: a Tensor, 16-bit floats, or a view. What is no
 * Tensor is copied into one. A tensor of transformers.js or ONNX Runtime on the CPU is one.
 */
export type TensorInput = Tensor | TensorView;

/** Values with their shape, row-major unless `strides` say otherwise. */
export interface TensorView {
  /** The values; a Uint16Array holds 16-bit floats. */
  data: Float32Array | HalfFloats | Uint16Array;
  /** Extent of each axis. */
  shape: readonly number[];
  /** How far apart neighbors along each axis are, in values. Default: row-major. */
  strides?: readonly number[];
  /** What the bits of a Uint16Array are. */
  format?: 'f16' | 'bf16';
}

/** Doubles with their shape, row-major. */
export interface DoubleTensor {
  /** As many values as the shape has places. */
  data: Float64Array;
  /** Extent of each axis. */
  shape: readonly number[];
}

/** Whole numbers, such as table rows or buckets, with their shape, row-major. */
export interface IndexTensor {
  /** As many values as the shape has places. */
  data: Int32Array;
  /** Extent of each axis. */
  shape: readonly number[];
}

/** A count (positions 0 … count − 1), or the positions themselves; fractions are allowed. */
export type Positions = number | ArrayLike<number> | BigInt64Array;

export function elementCount(shape: readonly number[]): number {
  let product = 1;
  for (const extent of shape) product *= extent;
  return product;
}

/**
 * Returns a view of the values from `first` to `last`; subarray() would call a subclass's
 * constructor.
 */
export function viewOf(data: Float32Array, first: number, last: number): Float32Array {
  return new Float32Array(data.buffer, data.byteOffset + 4 * first, last - first);
}

export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`;
}

/**
 * A dense copy of a view: its value at [i, j, …] is data[i · strides[0] + j · strides[1] + …].
 * @param shape with at least one axis
 */
export function gathered(
  data: Float32Array,
  shape: readonly number[],
  strides: readonly number[],
  into: Float32Array = new Float32Array(elementCount(shape)),
): Float32Array {
  const last = shape.length - 1;
  const [width, step] = [shape[last]!, strides[last]!];
  const place = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < into.length; to += width) {
    for (let i = 0; i < width; i++) into[to + i] = data[from + i * step]!;
    for (let axis = last - 1; axis >= 0; axis--) {
      from += strides[axis]!;
      if (++place[axis]! < shape[axis]!) break;
      from -= shape[axis]! * strides[axis]!;
      place[axis] = 0;
    }
  }
  return into;
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
