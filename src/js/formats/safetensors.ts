/**
 * .safetensors: the length of a header as 64 bits, a header in JSON that names every tensor with
 * its format, shape and place, and the values of all, without gaps. See Hugging Face's format text.
 */

import {
  bytesGiven,
  bytesOf,
  checkedFileTensor,
  decoded,
  encoded,
  fileShape,
  formats,
  isMap,
  requireBytes,
  textOf,
  type FileFormat,
  type FileTensor,
  type WritableTensor,
} from './file_tensor.js';
import { described, wrongKind, wrongValue } from '../runtime/errors.js';

/** What a .safetensors file holds. */
export interface SafetensorsFile {
  /**
   * By name, in the order of the file. A Map, since any text may be a name. `data` is decoded when
   * it is read first; until then the tensor needs the bytes of the file as they are. Tensors of
   * other formats, such as F8_E4M3, are listed: their `format` is that name in small letters, and
   * reading their `data` throws a RangeError.
   */
  tensors: Map<string, FileTensor>;
  /** The texts of `__metadata__`, by name. */
  metadata: Map<string, string>;
}

/** The same limit as in Hugging Face's reader. */
export const longestHeader = 100_000_000;

function headerEnd(bytes: Uint8Array): number {
  if (bytes.length < 8)
    throw wrongValue('safetensors file', 'must have at least 8 bytes', bytes.length);
  const length = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
  const most = Math.min(bytes.length - 8, longestHeader);
  if (length > BigInt(most))
    throw wrongValue('safetensors header', `must have at most ${most} bytes here`, length);
  return 8 + Number(length);
}

/** JSON.parse keeps the last of equal names and says nothing. `json` is known to be JSON. */
function requireUniqueNames(json: string): void {
  const open: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '{') open.push(new Set());
    else if (json[at] === '}') open.pop();
    if (json[at] !== '"') continue;
    const start = at;
    // Step by step, since a pattern would need as much stack as the text is long.
    while (json[++at] !== '"') if (json[at] === '\\') at++;
    colon.lastIndex = at + 1;
    if (!colon.test(json)) continue;
    const key = JSON.parse(json.slice(start, at + 1)) as string;
    if (open.at(-1)!.has(key)) {
      throw wrongValue(
        'safetensors header',
        'must name each thing once',
        key,
        `${described(key)} twice`,
      );
    }
    open.at(-1)!.add(key);
  }
}

function objectOf(name: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw wrongValue(name, 'must be a JSON object', value);
}

function headerOf(text: string): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw wrongValue('safetensors header', 'must be JSON', text);
  }
  requireUniqueNames(text);
  const object = objectOf('safetensors header', header);
  if (!text.startsWith('{')) throw wrongValue('safetensors header', 'must begin with {', text);
  return object;
}

function metadataOf(value: unknown): Map<string, string> {
  const entries = Object.entries(objectOf('safetensors __metadata__', value ?? {}));
  for (const [key, text] of entries) {
    if (typeof text !== 'string')
      throw wrongValue(
        'safetensors __metadata__',
        'must hold texts',
        text,
        `${described(text)} as ${described(key)}`,
      );
  }
  return new Map(entries as [string, string][]);
}

export interface Place {
  title: string;
  name: string;
  /** As the file has it. */
  dtype: string;
  /** Absent where there is no array for it. */
  format: FileFormat | undefined;
  shape: number[];
  begin: number;
  end: number;
}

const wrongFormat = (title: string, dtype: unknown) =>
  wrongValue(
    `${title}.dtype`,
    `must be one of ${formats.map((known) => known.toUpperCase()).join(', ')}`,
    dtype,
  );

function placeOf(name: string, value: unknown): Place {
  const title = `safetensors ${described(name)}`;
  const entry = objectOf(title, value);
  for (const key of Object.keys(entry)) {
    if (!['dtype', 'shape', 'data_offsets'].includes(key)) {
      throw wrongValue(title, 'must have dtype, shape and data_offsets only', key);
    }
  }
  const { dtype } = entry;
  if (typeof dtype !== 'string') throw wrongFormat(title, dtype);
  const format = formats.find((known) => known.toUpperCase() === dtype);
  const shape = fileShape(`${title}.shape`, entry.shape);
  const offsets = entry.data_offsets;
  const isPair =
    Array.isArray(offsets) &&
    offsets.length === 2 &&
    offsets.every((at) => Number.isSafeInteger(at) && at >= 0);
  if (!isPair || offsets[0] > offsets[1]) {
    const got = Array.isArray(offsets)
      ? `[${offsets.slice(0, 3).map(described).join(', ')}]`
      : described(offsets);
    throw wrongValue(
      `${title}.data_offsets`,
      'must be [begin, end] with 0 ≤ begin ≤ end',
      offsets,
      got,
    );
  }
  return { title, name, dtype, format, shape, begin: offsets[0], end: offsets[1] };
}

/**
 * Each begins where the one before ends, and the last ends with the file: no overlap and no hole.
 */
function requireNoGaps(places: Place[], room: number): void {
  let at = 0;
  for (const { name, begin, end } of places) {
    if (begin !== at || end > room) {
      throw wrongValue(
        `safetensors ${described(name)}.data_offsets`,
        `must begin at ${at} and end by ${room}`,
        [begin, end],
        `[${begin}, ${end}]`,
      );
    }
    at = end;
  }
  if (at !== room) throw wrongValue('safetensors data', `must have ${at} bytes`, room);
}

/** The places of all tensors, in the order of the file. */
function sortedPlaces(entries: Record<string, unknown>, room: number): Place[] {
  const places = Object.entries(entries).map(([name, entry]) => placeOf(name, entry));
  places.sort((a, b) => a.begin - b.begin || a.end - b.end);
  requireNoGaps(places, room);
  return places;
}

/** The places of all tensors, from a header as text. `room` is how many bytes follow it. */
export function placesOf(header: string, room: number): Place[] {
  const { __metadata__, ...entries } = headerOf(header);
  metadataOf(__metadata__);
  const places = sortedPlaces(entries, room);
  for (const { title, begin, end, format, shape } of places)
    if (format) requireBytes(title, end - begin, { format, shape });
  return places;
}

/** @param bytes the values of all tensors */
function tensorAt(bytes: Uint8Array, place: Place): FileTensor {
  const { title, dtype, format, shape, begin, end } = place;
  if (format) requireBytes(title, end - begin, { format, shape });
  let data: FileTensor['data'] | undefined;
  return {
    get data() {
      if (!format) throw wrongFormat(title, dtype);
      return (data ??= decoded(bytes, begin, end, { format, shape }).data);
    },
    set data(given) {
      data = given;
    },
    shape,
    format: format ?? (dtype.toLowerCase() as FileFormat),
  };
}

/**
 * Reads a .safetensors file: F16, BF16, F32, F64, whole numbers and BOOL.
 * @param bytes the whole file
 * @returns the tensors and the metadata
 * @throws TypeError when bytes are no Uint8Array; RangeError for an invalid file, naming the field
 * @see Hugging Face, safetensors, the text of the format
 */
export function readSafetensors(bytes: Uint8Array | ArrayBuffer): SafetensorsFile {
  const given = bytesGiven(bytes);
  const end = headerEnd(given);
  const { __metadata__, ...entries } = headerOf(textOf('safetensors header', given, 8, end));
  const metadata = metadataOf(__metadata__);
  const values = given.subarray(end);
  const places = sortedPlaces(entries, values.length);
  const tensors = new Map(places.map((place) => [place.name, tensorAt(values, place)]));
  return { tensors, metadata };
}

/** What a Map or an object holds by name. */
function entriesOf<Value>(
  title: string,
  given: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>,
): [string, Value][] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrongKind(title, 'must be a Map or an object', given);
  const entries: [string, Value][] = isMap(given) ? [...given] : Object.entries(given);
  const [wrong] = entries.find(([name]) => typeof name !== 'string') ?? [];
  if (wrong === undefined) return entries;
  throw wrongKind(title, 'must have texts as names', wrong);
}

/**
 * A .safetensors file. Wider formats come first, so that all are aligned.
 * @returns the whole file
 * @throws TypeError, RangeError naming the tensor and its member
 * @see Hugging Face, safetensors, the text of the format
 */
export function writeSafetensors(
  tensors: ReadonlyMap<string, WritableTensor> | Readonly<Record<string, WritableTensor>>,
  metadata: ReadonlyMap<string, string> | Readonly<Record<string, string>> = {},
): Uint8Array {
  const parts = entriesOf('tensors', tensors).map(([name, tensor]) => {
    if (name === '__metadata__')
      throw wrongValue('a tensor', "must not be called '__metadata__'", name, '');
    const checked = checkedFileTensor(name, tensor);
    return { name, ...checked, bytes: encoded(checked) };
  });
  parts.sort((a, b) => bytesOf(b.format) - bytesOf(a.format));
  const texts = metadataOf(Object.fromEntries(entriesOf('metadata', metadata)));
  let at = 0;
  const entries = parts.map(({ name, format, shape, bytes }): [string, object] => [
    name,
    { dtype: format.toUpperCase(), shape, data_offsets: [at, (at += bytes.length)] },
  ]);
  const all = Object.fromEntries([
    ...(texts.size ? [['__metadata__', Object.fromEntries(texts)] as const] : []),
    ...entries,
  ]);
  const json = new TextEncoder().encode(JSON.stringify(all));
  const header = Math.ceil(json.length / 8) * 8;
  const file = new Uint8Array(8 + header + at).fill(0x20, 8, 8 + header);
  new DataView(file.buffer).setBigUint64(0, BigInt(header), true);
  file.set(json, 8);
  let end = 8 + header;
  for (const { bytes } of parts) {
    file.set(bytes, end);
    end += bytes.length;
  }
  return file;
}
