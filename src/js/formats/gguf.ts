/**
 * The header of a .gguf file: keys, and the places of tensors. Lists of tokens are passed over
 * where only the model is read, so that any header takes some megabytes at most. See GGUF's text
 * of the format.
 */
import { described, wrongValue } from '../runtime/errors.js';
import { ByteCursor } from './byte_cursor.js';
import { readInto, type ByteSource, type Room } from './byte_source.js';
import { decoded, textOf } from './file_tensor.js';

/** A list that was passed over. */
export interface SkippedList {
  type: string;
  count: number;
}

export type GgufValue = number | bigint | boolean | string | readonly GgufValue[] | SkippedList;

export interface GgufTensor {
  /** As GGUF has it: the fastest axis first. */
  shape: number[];
  /** 'F32', 'Q4_K', …; a number where the type is not known. */
  type: string;
  /** Place of its first byte in the file. */
  offset: number;
}

export interface GgufFile {
  source: ByteSource;
  version: number;
  littleEndian: boolean;
  keys: Map<string, GgufValue>;
  tensors: Map<string, GgufTensor>;
}

/** Types of tensors by number: name, values in a block, bytes of a block. See ggml.h. */
const tensorTypes = `0 F32 1 4;1 F16 1 2;2 Q4_0 32 18;3 Q4_1 32 20;6 Q5_0 32 22;7 Q5_1 32 24;
8 Q8_0 32 34;9 Q8_1 32 36;10 Q2_K 256 84;11 Q3_K 256 110;12 Q4_K 256 144;13 Q5_K 256 176;
14 Q6_K 256 210;15 Q8_K 256 292;16 IQ2_XXS 256 66;17 IQ2_XS 256 74;18 IQ3_XXS 256 98;
19 IQ1_S 256 50;20 IQ4_NL 32 18;21 IQ3_S 256 110;22 IQ2_S 256 82;23 IQ4_XS 256 136;24 I8 1 1;
25 I16 1 2;26 I32 1 4;27 I64 1 8;28 F64 1 8;29 IQ1_M 256 56;30 BF16 1 2;34 TQ1_0 256 54;
35 TQ2_0 256 66;39 MXFP4 32 17`;

const typesByNumber = new Map(
  tensorTypes.split(/;\s*/).map((line) => {
    const [number, name, values, bytes] = line.split(' ');
    return [Number(number), { name: name!, values: Number(values), bytes: Number(bytes) }];
  }),
);
const typesByName = new Map([...typesByNumber.values()].map((type) => [type.name, type]));

type Scalar = readonly [
  name: string,
  size: number,
  take: (view: DataView, at: number, little: boolean) => number | bigint | boolean,
];

/** Types of values by number; 8 is a text and 9 a list. */
const scalars: Record<number, Scalar> = {
  0: ['u8', 1, (view, at) => view.getUint8(at)],
  1: ['i8', 1, (view, at) => view.getInt8(at)],
  2: ['u16', 2, (view, at, little) => view.getUint16(at, little)],
  3: ['i16', 2, (view, at, little) => view.getInt16(at, little)],
  4: ['u32', 4, (view, at, little) => view.getUint32(at, little)],
  5: ['i32', 4, (view, at, little) => view.getInt32(at, little)],
  6: ['f32', 4, (view, at, little) => view.getFloat32(at, little)],
  7: ['bool', 1, (view, at) => view.getUint8(at) !== 0],
  10: ['u64', 8, (view, at, little) => plain(view.getBigUint64(at, little))],
  11: ['i64', 8, (view, at, little) => plain(view.getBigInt64(at, little))],
  12: ['f64', 8, (view, at, little) => view.getFloat64(at, little)],
};
const textType = 8;
const listType = 9;

/** A number where it is exact. */
function plain(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const mostKeys = 2 ** 16;
const mostTensors = 2 ** 17;
const longestName = 2 ** 16;
/** Longer lists are passed over: those about layers have one value per layer. */
const longestList = 4096;
/** Longer texts are cut off. */
const longestText = 2 ** 16;
/** Limits of keys that are read whole: the tokens of a model, and its template of chats. */
const longestWholeList = 2 ** 21;
const longestWholeText = 2 ** 22;
/** Bytes that may be read where keys are read whole. */
const mostReadWhole = 2 ** 27;
const deepestList = 4;
const mostAxes = 4;

/** A count or a length, which must be at most `most`. */
async function countOf(cursor: ByteCursor, what: string, most: number): Promise<number> {
  await cursor.need(8, what);
  const count = cursor.u64();
  if (count <= BigInt(Math.max(0, Math.floor(most)))) return Number(count);
  const place = `${cursor.source.name}: ${what}`;
  throw wrongValue(place, `must be at most ${Math.max(0, Math.floor(most))}`, count, `${count}`);
}

async function nameOf(cursor: ByteCursor, what: string): Promise<string> {
  const most = Math.min(longestName, cursor.left - 8);
  const length = await countOf(cursor, `the length of ${what}`, most);
  await cursor.need(length, what);
  const bytes = cursor.bytes(length);
  return textOf(`${cursor.source.name}: ${what}`, bytes, 0, length);
}

/** A text may be damaged where it is not needed, as a template cut within a character. */
async function textValue(cursor: ByteCursor, what: string, isWhole: boolean): Promise<string> {
  const most = isWhole ? Math.min(cursor.left - 8, longestWholeText) : cursor.left - 8;
  const length = await countOf(cursor, `the length of ${what}`, most);
  if (isWhole) {
    await cursor.need(length, what);
    return wholeText(cursor, length, what);
  }
  const kept = Math.min(length, longestText);
  await cursor.need(kept, what);
  const text = new TextDecoder().decode(cursor.bytes(kept).slice());
  cursor.skip(length - kept);
  return text;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of loaded bytes. A token may begin with U+FEFF, which is part of it. */
function wholeText(cursor: ByteCursor, length: number, what: string): string {
  // A copy, since decoders do not take shared memory.
  const bytes = cursor.bytes(length).slice();
  try {
    return utf8.decode(bytes);
  } catch {
    throw wrongValue(
      `${cursor.source.name}: ${what}`,
      'must be text in UTF-8',
      bytes,
      'other bytes',
    );
  }
}

/** The length of a text of a list, whose bytes are loaded. */
function lengthIn(cursor: ByteCursor, what: string, i: number, longest = Infinity): number {
  const length = Number(cursor.u64());
  const most = Math.min(cursor.left, longest);
  if (length <= most) return length;
  const place = `${cursor.source.name}: the length of ${what}[${i}]`;
  throw wrongValue(place, `must be at most ${most}`, length);
}

/** Lists are long: it waits only where bytes are not loaded. */
async function wholeTexts(cursor: ByteCursor, count: number, what: string): Promise<string[]> {
  const list: string[] = [];
  for (let i = 0; i < count; ++i) {
    if (!cursor.has(8)) await cursor.need(8, `${what}[${i}]`);
    const length = lengthIn(cursor, what, i, longestName);
    if (!cursor.has(length)) await cursor.need(length, `${what}[${i}]`);
    list.push(wholeText(cursor, length, `${what}[${i}]`));
  }
  return list;
}

async function wholeNumbers(
  cursor: ByteCursor,
  [, size, take]: Scalar,
  count: number,
  what: string,
) {
  const list: GgufValue[] = [];
  for (let i = 0; i < count; ++i) {
    if (!cursor.has(size)) await cursor.need(size, `${what}[${i}]`);
    list.push(cursor.number(size, take));
  }
  return list;
}

async function skipTexts(cursor: ByteCursor, count: number, what: string): Promise<void> {
  for (let i = 0; i < count; ++i) {
    if (!cursor.has(8)) await cursor.need(8, `${what}[${i}]`);
    cursor.skip(lengthIn(cursor, what, i));
  }
}

async function listValue(
  cursor: ByteCursor,
  what: string,
  depth: number,
  isWhole: boolean,
): Promise<GgufValue> {
  await cursor.need(4, what);
  const type = cursor.u32();
  const scalar = scalars[type];
  const least = scalar?.[1] ?? (type === textType ? 8 : 12);
  const fitting = (cursor.left - 8) / least;
  const most = isWhole ? Math.min(fitting, longestWholeList) : fitting;
  const count = await countOf(cursor, `the number of values of ${what}`, most);
  if (isWhole && type === textType) return wholeTexts(cursor, count, what);
  if (isWhole && scalar) return wholeNumbers(cursor, scalar, count, what);
  if (scalar && count > longestList) {
    cursor.skip(count * least);
    return { type: scalar[0], count };
  }
  if (type === textType) {
    await skipTexts(cursor, count, what);
    return { type: 'text', count };
  }
  const list: GgufValue[] = [];
  for (let i = 0; i < count; ++i)
    list.push(await valueOf(cursor, type, `${what}[${i}]`, depth + 1));
  return list;
}

async function valueOf(
  cursor: ByteCursor,
  type: number,
  what: string,
  depth = 0,
  isWhole = false,
): Promise<GgufValue> {
  const scalar = scalars[type];
  if (scalar) {
    const [, size, take] = scalar;
    await cursor.need(size, what);
    return cursor.number(size, take);
  }
  if (type === textType) return textValue(cursor, what, isWhole);
  const { name } = cursor.source;
  if (type !== listType) throw wrongValue(`${name}: the type of ${what}`, 'must be 0 to 12', type);
  if (depth >= deepestList)
    throw wrongValue(`${name}: ${what}`, `must have at most ${deepestList} levels`, depth, 'more');
  return listValue(cursor, what, depth, isWhole);
}

async function keysOf(
  cursor: ByteCursor,
  count: number,
  isWhole: (key: string) => boolean,
): Promise<Map<string, GgufValue>> {
  const keys = new Map<string, GgufValue>();
  for (let i = 0; i < count; ++i) {
    const key = await nameOf(cursor, `the name of key ${i}`);
    const what = `key ${described(key)}`;
    if (keys.has(key))
      throw wrongValue(`${cursor.source.name}: ${what}`, 'must be there once', key, 'it twice');
    await cursor.need(4, what);
    keys.set(key, await valueOf(cursor, cursor.u32(), what, 0, isWhole(key)));
  }
  return keys;
}

async function tensorOf(cursor: ByteCursor, what: string): Promise<GgufTensor> {
  const place = `${cursor.source.name}: ${what}`;
  await cursor.need(4, what);
  const axes = cursor.u32();
  if (axes > mostAxes) throw wrongValue(place, `must have at most ${mostAxes} axes`, axes);
  const shape: number[] = [];
  for (let axis = 0; axis < axes; ++axis)
    shape.push(await countOf(cursor, `an extent of ${what}`, 2 ** 40));
  await cursor.need(12, what);
  const type = cursor.u32();
  const offset = cursor.u64();
  if (offset > BigInt(Number.MAX_SAFE_INTEGER))
    throw wrongValue(`${place}.offset`, 'must be within the file', offset, `${offset}`);
  return { shape, type: typesByNumber.get(type)?.name ?? String(type), offset: Number(offset) };
}

/** How many bytes a tensor takes; undefined where its type is not known. */
function bytesOfTensor({ shape, type }: GgufTensor): number | undefined {
  const known = typesByName.get(type);
  const values = shape.reduce((product, extent) => product * extent, 1);
  return known && (values / known.values) * known.bytes;
}

async function tensorsOf(cursor: ByteCursor, count: number): Promise<Map<string, GgufTensor>> {
  const tensors = new Map<string, GgufTensor>();
  for (let i = 0; i < count; ++i) {
    const name = await nameOf(cursor, `the name of tensor ${i}`);
    const what = `tensor ${described(name)}`;
    if (tensors.has(name))
      throw wrongValue(`${cursor.source.name}: ${what}`, 'must be there once', name, 'it twice');
    tensors.set(name, await tensorOf(cursor, what));
  }
  return tensors;
}

function alignmentOf({ name }: ByteSource, keys: Map<string, GgufValue>): number {
  const alignment = keys.get('general.alignment') ?? 32;
  const isPower = typeof alignment === 'number' && (alignment & (alignment - 1)) === 0;
  if (isPower && alignment >= 1 && alignment <= 2 ** 20) return alignment;
  throw wrongValue(`${name}: general.alignment`, 'must be a power of two', alignment);
}

/** Makes offsets count from the start of the file, and checks that each tensor ends within it. */
function placed(cursor: ByteCursor, keys: GgufFile['keys'], tensors: GgufFile['tensors']): void {
  const alignment = alignmentOf(cursor.source, keys);
  const start = Math.ceil(cursor.at / alignment) * alignment;
  const { name, size } = cursor.source;
  for (const [tensor, place] of tensors) {
    place.offset += start;
    const end = place.offset + (bytesOfTensor(place) ?? 0);
    if (end <= size) continue;
    const rule = `must end within the file, at ${size} (is the file complete?)`;
    throw wrongValue(`${name}: tensor ${described(tensor)}`, rule, end);
  }
}

/**
 * Reads the header of a .gguf file, versions 2 and 3, in either byte order.
 * @param isWhole which keys are read whole, however long their lists and texts are
 * @throws RangeError for an invalid file, naming the file, the rule and the value
 * @see GGUF, the text of the format (ggml, docs/gguf.md)
 */
export async function readGgufHeader(
  source: ByteSource,
  isWhole?: (key: string) => boolean,
): Promise<GgufFile> {
  const start = new ByteCursor(source);
  await start.need(Math.min(24, source.size), 'the header');
  if (source.size < 24)
    throw wrongValue(`${source.name}: the header`, 'must have 24 bytes', source.size);
  const magic = new TextDecoder('latin1').decode(start.bytes(4));
  if (magic !== 'GGUF') throw wrongValue(source.name, "must begin with 'GGUF'", magic);
  const stored = start.u32();
  // Only the version tells the byte order: it is small.
  const littleEndian = (stored & 0xffff) !== 0;
  const version = littleEndian ? stored : stored >>> 24;
  if (version !== 2 && version !== 3)
    throw wrongValue(`${source.name}: the version`, 'must be 2 or 3', version);
  const mostRead = isWhole ? mostReadWhole : undefined;
  const cursor = new ByteCursor(source, 8, source.size, mostRead, littleEndian);
  const left = source.size - 24;
  const tensorCount = await countOf(
    cursor,
    'the number of tensors',
    Math.min(mostTensors, left / 24),
  );
  const keyCount = await countOf(cursor, 'the number of keys', Math.min(mostKeys, left / 13));
  const keys = await keysOf(cursor, keyCount, isWhole ?? (() => false));
  const tensors = await tensorsOf(cursor, tensorCount);
  placed(cursor, keys, tensors);
  return { source, version, littleEndian, keys, tensors };
}

/** Types whose values can be read. */
export const readableTypes = ['F32', 'F16', 'BF16', 'Q8_0'];

/** Blocks of 32 whole numbers with one scale, a half. */
function fromQ8(bytes: Uint8Array, littleEndian: boolean): Float32Array {
  const blocks = bytes.length / 34;
  const values = new Float32Array(32 * blocks);
  for (let block = 0; block < blocks; ++block) {
    const at = 34 * block;
    const stored = { format: 'f16' as const, shape: [1], littleEndian };
    const [scale] = decoded(bytes, at, at + 2, stored).data as Float32Array;
    for (let i = 0; i < 32; ++i)
      values[32 * block + i] = scale! * ((bytes[at + 2 + i]! << 24) >> 24);
  }
  return values;
}

/**
 * Reads rows of a tensor as the file has them; a row is along the first axis.
 * @throws RangeError when the type is not readable or the rows are not there
 */
export async function readGgufBytes(
  { source }: GgufFile,
  name: string,
  { offset, shape, type }: GgufTensor,
  start: number,
  count: number,
  room?: Room,
): Promise<Uint8Array> {
  const [width = 1] = shape;
  const place = `${source.name}: tensor ${described(name)}`;
  const known = typesByName.get(type);
  if (!known || !readableTypes.includes(type))
    throw wrongValue(place, `must be one of ${readableTypes.join(', ')}`, type);
  const rows = shape.slice(1).reduce((product, extent) => product * extent, 1);
  if (start + count > rows || width % known.values !== 0)
    throw wrongValue(place, `must have ${start + count} rows`, rows);
  const perRow = (width / known.values) * known.bytes;
  return readInto(source, offset + start * perRow, count * perRow, room);
}

/** The same as floats. */
export async function readGgufRows(
  file: GgufFile,
  name: string,
  tensor: GgufTensor,
  start: number,
  count: number,
): Promise<Float32Array> {
  const { littleEndian } = file;
  const bytes = await readGgufBytes(file, name, tensor, start, count);
  if (tensor.type === 'Q8_0') return fromQ8(bytes, littleEndian);
  const format = tensor.type.toLowerCase() as 'f32' | 'f16' | 'bf16';
  const stored = { format, shape: [count * (tensor.shape[0] ?? 1)], littleEndian };
  return decoded(bytes, 0, bytes.length, stored).data as Float32Array;
}
