/**
 * The common parts of array files: number formats, byte order, and shapes that fit the bytes.
 */
import { arrayKind, isFloats, oneOf, wholeNumber } from '../runtime/checks.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import { widened, type HalfFormat } from '../runtime/half.js';
import { elementCount, shapeText, type Tensor } from '../runtime/tensor.js';

const arrays = {
  bool: Uint8Array,
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  u64: BigUint64Array,
  i64: BigInt64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/**
 * How a file stores a number. JavaScript has no array for f16 and bf16: as floats they are exact.
 */
export type FileFormat = keyof typeof arrays | 'f16' | 'bf16';

/** An array as wide as the file's numbers. */
export type FileData =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/**
 * An array of a file, row-major. f16, bf16 and f32 come as Float32Array, so that the tensor is a
 * Tensor.
 */
export interface FileTensor {
  /** The values, row-major; of 16-bit floats their bits. */
  data: FileData;
  /** Extent of each axis. */
  shape: number[];
  /** How the file stores a value. */
  format: FileFormat;
}

/** What can be written; without a format, that of the array. */
export interface WritableTensor {
  /** The values, row-major; of 16-bit floats their bits. */
  data: FileData;
  /** Extent of each axis. */
  shape: readonly number[];
  /** How the file stores a value. */
  format?: FileFormat;
}

export const formats = [...Object.keys(arrays), 'f16', 'bf16'] as FileFormat[];
const isNarrow = (format: FileFormat): format is HalfFormat =>
  format === 'f16' || format === 'bf16';
const storage = (format: FileFormat) =>
  format === 'f16' || format === 'bf16' ? Uint16Array : arrays[format];
export const bytesOf = (format: FileFormat) => storage(format).BYTES_PER_ELEMENT;

/** As many axes as NumPy allows. Extents of at most 2^31 then have a finite product. */
const mostAxes = 32;

export function bytesGiven(value: unknown): Uint8Array {
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]')
    return new Uint8Array(value as ArrayBuffer);
  if (arrayKind(value) === 'Uint8Array') {
    const { buffer, byteOffset, byteLength } = value as Uint8Array;
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
  throw wrongKind('bytes', 'must be a Uint8Array or an ArrayBuffer', value);
}

/** Decodes a part of the bytes as text; throws if it is not UTF-8. */
export function textOf(name: string, bytes: Uint8Array, start: number, end: number): string {
  try {
    // A copy, since decoders do not take shared memory.
    return new TextDecoder('utf-8', { fatal: true }).decode(
      new Uint8Array(bytes.subarray(start, end)),
    );
  } catch {
    throw wrongValue(name, 'must be text in UTF-8', bytes, 'other bytes');
  }
}

export function fileShape(name: string, value: unknown): number[] {
  if (!Array.isArray(value)) {
    throw wrongKind(name, 'must be an array of whole numbers', value);
  }
  if (value.length > mostAxes) {
    throw wrongValue(name, `must have at most ${mostAxes} axes`, value.length);
  }
  return Array.from(value, (extent, axis) => wholeNumber(`${name}[${axis}]`, extent, 0));
}

const hostIsLittle = () => new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Reverses the bytes of every number, in place. */
function swapBytes(bytes: Uint8Array, each: number): void {
  for (let at = 0; at < bytes.length; at += each) bytes.subarray(at, at + each).reverse();
}

/** Column-major values in row-major order. */
function rowMajor<Data extends FileData>(data: Data, shape: readonly number[]): Data {
  const result = data.slice() as Data;
  const place = shape.map(() => 0);
  for (let to = 0; to < data.length; to++) {
    const from = place.reduceRight((sum, index, axis) => sum * shape[axis]! + index, 0);
    result[to] = data[from]!;
    let axis = shape.length - 1;
    for (; axis >= 0 && ++place[axis]! === shape[axis]; axis--) place[axis] = 0;
  }
  return result;
}

/** The nearest half, ties to even. */
function halfOfFloat(value: number, bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return sign | 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(((bits >>> 23) & 255) - 127, -14);
  // Steps of the format at this exponent; adding 2^52 rounds a double to whole numbers.
  const steps = size * 2 ** (10 - exponent) + 2 ** 52 - 2 ** 52;
  return sign | (((exponent + 14) << 10) + steps);
}

/** A bfloat16 is the upper half of a float. */
function bfloatOfFloat(value: number, bits: number): number {
  if (Number.isNaN(value)) return ((bits >>> 16) & 0x8000) | 0x7fc0;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

function narrowed(given: Float32Array, format: FileFormat): Uint16Array {
  const floats = new Float32Array(given);
  const bits = new Uint32Array(floats.buffer);
  const rounded = format === 'f16' ? halfOfFloat : bfloatOfFloat;
  return Uint16Array.from(floats, (value, i) => rounded(value, bits[i]!));
}

/** The layout of the numbers in a file. */
export interface Stored {
  format: FileFormat;
  shape: number[];
  littleEndian?: boolean;
  columnMajor?: boolean;
}

/** Throws unless so many bytes hold such an array. */
export function requireBytes(name: string, count: number, { format, shape }: Stored): void {
  const needed = elementCount(shape) * bytesOf(format);
  if (needed === count) return;
  const rule = `must have ${needed} bytes for ${format} of shape ${shapeText(shape)}`;
  throw wrongValue(name, rule, count);
}

/** The array that fills the bytes from `start` to `end`, whose number is checked. */
export function decoded(bytes: Uint8Array, start: number, end: number, stored: Stored): FileTensor {
  const { format, shape, littleEndian = true, columnMajor = false } = stored;
  const copy = new Uint8Array(bytes.subarray(start, end));
  if (littleEndian !== hostIsLittle()) swapBytes(copy, bytesOf(format));
  const raw = new (storage(format))(copy.buffer) as FileData;
  const data = isNarrow(format) ? widened(raw as Uint16Array, format) : raw;
  return { data: columnMajor ? rowMajor(data, shape) : data, shape, format };
}

/** Whether it is a Map, also one of another realm: only maps have this getter of `size`. */
export function isMap<Value>(value: object): value is ReadonlyMap<string, Value> {
  try {
    Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get!.call(value);
    return true;
  } catch {
    return false;
  }
}

/** The tensor to write after its checks. */
export function checkedFileTensor(name: string, value: WritableTensor): FileTensor {
  if (typeof value !== 'object' || value === null) {
    throw wrongKind(name, 'must be { data, shape }', value);
  }
  const { data, shape: given, format: wanted } = value;
  const own = formats.find(
    (format) => format !== 'bool' && !isNarrow(format) && arrayKind(data) === storage(format).name,
  );
  if (own === undefined) throw wrongKind(`${name}.data`, 'must be a typed array of numbers', data);
  const format = oneOf(`${name}.format`, wanted ?? own, formats);
  const holder = isNarrow(format) ? 'f32' : format === 'bool' ? 'u8' : format;
  if (holder !== own)
    throw wrongKind(`${name}.format`, `${format} is written from ${holder} data`, format, own);
  const shape = fileShape(`${name}.shape`, given);
  if (elementCount(shape) !== data.length) {
    throw wrongValue(
      `${name}.data`,
      `must have ${elementCount(shape)} values for shape ${shapeText(shape)}`,
      data.length,
    );
  }
  return { data, shape, format };
}

/** Little-endian bytes of a checked tensor. */
export function encoded({ data, format }: FileTensor): Uint8Array {
  // Plain copies: a subclass may make other arrays of itself, and hide its bytes.
  const values = isNarrow(format)
    ? narrowed(data as Float32Array, format)
    : new (storage(format) as Float32ArrayConstructor)(data as Float32Array);
  const bytes = new Uint8Array(values.buffer);
  if (!hostIsLittle()) swapBytes(bytes, bytesOf(format));
  return bytes;
}

/**
 * Returns the values as 32-bit floats, rounded if the file has more digits.
 * @returns a tensor of the same shape
 * @throws TypeError, RangeError when it is not such a tensor
 * @see IEEE 754, rounding to nearest, ties to even
 */
export function toFloats(tensor: WritableTensor): Tensor {
  const { data, shape } = checkedFileTensor('tensor', tensor);
  if (isFloats(data)) return { data, shape };
  const floats = new Float32Array(data.length);
  for (let at = 0; at < floats.length; at++) floats[at] = Number(data[at]);
  return { data: floats, shape };
}
