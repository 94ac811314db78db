/** The fields of a Protocol Buffers message, without large values. See protobuf.dev, encoding. */
import { wrongValue } from '../runtime/errors.js';
import type { ByteCursor } from './byte_cursor.js';
import { textOf } from './file_tensor.js';

/** A field: a number, or the place of its bytes in the file. */
export interface ProtobufField {
  number: number;
  /** Whether it has bytes, and not a number. */
  isBytes: boolean;
  /** Of a varint or a fixed number; 0 for bytes. */
  value: number;
  start: number;
  end: number;
}

/** A varint; whole numbers beyond 2^53 come rounded. */
export async function varint(cursor: ByteCursor, end: number): Promise<number> {
  const { name } = cursor.source;
  let value = 0;
  for (let digit = 0; digit < 10; ++digit) {
    if (cursor.at >= end)
      throw wrongValue(name, `must have a whole message up to ${end}`, cursor.at);
    if (!cursor.has(1)) await cursor.need(1, 'a number');
    const byte = cursor.u8();
    value += (byte & 127) * 2 ** (7 * digit);
    if (byte < 128) return value;
  }
  throw wrongValue(name, `must have numbers of at most 10 bytes at ${cursor.at}`, value);
}

const fixedSizes: Record<number, number> = { 1: 8, 5: 4 };

/**
 * The fields of the message from where the cursor is up to `end`. The caller may read a field's
 * bytes; the cursor moves on to the next field by itself.
 * @throws RangeError for a message that ends within a field
 */
export async function* fieldsOf(cursor: ByteCursor, end: number): AsyncGenerator<ProtobufField> {
  const { name } = cursor.source;
  while (cursor.at < end) {
    const tag = await varint(cursor, end);
    const [number, wire] = [Math.floor(tag / 8), tag & 7];
    let value = 0;
    let length = fixedSizes[wire] ?? 0;
    if (wire === 0) value = await varint(cursor, end);
    else if (wire === 2) length = await varint(cursor, end);
    else if (length === 0)
      throw wrongValue(`${name}: field ${number}`, 'must have wire type 0, 1, 2 or 5', wire);
    const start = cursor.at;
    if (length > end - start) {
      const rule = `must have at most ${end - start} bytes at ${start}`;
      throw wrongValue(`${name}: field ${number}`, rule, length);
    }
    yield { number, isBytes: wire === 2, value, start, end: start + length };
    cursor.moveTo(start + length);
  }
}

const longestText = 2 ** 16;

/** The bytes of a field as text. */
export async function textAt(cursor: ByteCursor, { start, end }: ProtobufField): Promise<string> {
  const length = end - start;
  const { name } = cursor.source;
  if (length > longestText)
    throw wrongValue(`${name}: a text`, `must have at most ${longestText} bytes`, length);
  cursor.moveTo(start);
  await cursor.need(length, 'a text');
  return textOf(`${name}: a text`, cursor.bytes(length), 0, length);
}
