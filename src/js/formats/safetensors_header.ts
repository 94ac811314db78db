/** The header of a .safetensors file of any size, and slices of its tensors. */
import { wrongValue } from '../runtime/errors.js';
import { readInto, type ByteSource, type Room } from './byte_source.js';
import { bytesOf, decoded, formats, textOf, type FileFormat } from './file_tensor.js';
import { longestHeader, placesOf, type Place } from './safetensors.js';

/** Headers of the largest models have some megabytes. */
const mostHeader = Math.min(longestHeader, 2 ** 25);

/** A tensor of a file that is read in parts. */
export interface StoredTensor {
  source: ByteSource;
  name: string;
  /** As the file has it, in small letters. */
  format: string;
  shape: number[];
  /** Place of its first byte in the file. */
  offset: number;
}

/**
 * Reads the header of a .safetensors file.
 * @returns its tensors by name
 * @throws RangeError for an invalid file, naming the file, the rule and the value
 * @see Hugging Face, safetensors, the text of the format
 */
export async function readSafetensorsHeader(
  source: ByteSource,
): Promise<Map<string, StoredTensor>> {
  const { name, size } = source;
  if (size < 8) throw wrongValue(name, 'must have at least 8 bytes', size);
  const first = await source.read(0, 8);
  const length = new DataView(first.buffer, first.byteOffset, 8).getBigUint64(0, true);
  const most = Math.min(size - 8, mostHeader);
  if (length > BigInt(most))
    throw wrongValue(`${name}: the header`, `must have at most ${most} bytes`, length, `${length}`);
  const bytes = await source.read(8, Number(length));
  const start = 8 + bytes.length;
  const text = textOf(`${name}: the header`, bytes, 0, bytes.length);
  const stored = (place: Place): StoredTensor => ({
    source,
    name: place.name,
    format: place.dtype.toLowerCase(),
    shape: place.shape,
    offset: start + place.begin,
  });
  try {
    const places = placesOf(text, size - start);
    return new Map(places.map((place) => [place.name, stored(place)]));
  } catch (error) {
    const { message } = error as Error;
    throw wrongValue(name, `must be a whole safetensors file: ${message}`, message, '');
  }
}

function knownFormat({ source, name, format }: StoredTensor): FileFormat {
  const known = formats.find((each) => each === format);
  if (!known) throw wrongValue(`${source.name}: ${name}`, 'must have floats', format);
  return known;
}

/**
 * Reads rows of a tensor as the file has them; a row is along the last axis.
 * @throws RangeError when the format cannot be read
 */
export async function readStoredBytes(
  tensor: StoredTensor,
  start: number,
  count: number,
  room?: Room,
): Promise<Uint8Array> {
  const each = (tensor.shape.at(-1) ?? 1) * bytesOf(knownFormat(tensor));
  return readInto(tensor.source, tensor.offset + start * each, count * each, room);
}

/** The same as numbers. */
export async function readStoredRows(
  tensor: StoredTensor,
  start: number,
  count: number,
): Promise<Float32Array> {
  const format = knownFormat(tensor);
  const bytes = await readStoredBytes(tensor, start, count);
  const shape = [count * (tensor.shape.at(-1) ?? 1)];
  const { data } = decoded(bytes, 0, bytes.length, { format, shape });
  return data instanceof Float32Array ? data : Float32Array.from(data as never, Number);
}
