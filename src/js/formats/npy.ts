/**
 * NumPy's .npy: a magic text, a version, the length of a header, a header that is a Python dict of
 * three entries, and the values. The header is read by its grammar, never evaluated.
 * See NEP 1 and numpy.lib.format.
 */

import {
  bytesGiven,
  bytesOf,
  checkedFileTensor,
  decoded,
  requireBytes,
  encoded,
  fileShape,
  textOf,
  type FileFormat,
  type FileTensor,
  type WritableTensor,
} from './file_tensor.js';
import { wrongValue } from '../runtime/errors.js';

/** 0x93, then the name. */
const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const codes: Partial<Record<FileFormat, string>> = {
  bool: 'b1',
  u8: 'u1',
  i8: 'i1',
  u16: 'u2',
  i16: 'i2',
  u32: 'u4',
  i32: 'i4',
  u64: 'u8',
  i64: 'i8',
  f16: 'f2',
  f32: 'f4',
  f64: 'f8',
};

/** Headers of plain arrays take about a hundred bytes; NumPy itself stops at 10000. */
const longestHeader = 2 ** 16;

/** One entry of the dict: its name, then a text, a truth or a tuple. */
const entry =
  /\s*(['"])(\w+)\1\s*:\s*(?:(['"])([^'"]*)\3|(True|False)|\(([\dL,\s]*)\))\s*(,|(?=\}))/y;

function entriesOf(header: string): Map<string, string> {
  const text = header.trim();
  const invalid = () =>
    wrongValue('npy header', 'must be a dict of descr, fortran_order and shape', text);
  if (!text.startsWith('{') || !text.endsWith('}')) throw invalid();
  const entries = new Map<string, string>();
  let at = 1;
  while (text.slice(at, -1).trim() !== '') {
    entry.lastIndex = at;
    const found = entry.exec(text);
    if (!found || entries.has(found[2]!)) throw invalid();
    const kind =
      found[4] !== undefined ? 'descr' : found[5] !== undefined ? 'fortran_order' : 'shape';
    if (found[2] !== kind) throw invalid();
    entries.set(kind, found[4] ?? found[5] ?? found[6]!);
    at = entry.lastIndex;
  }
  if (entries.size !== 3) throw invalid();
  return entries;
}

function formatOf(descr: string): { format: FileFormat; littleEndian: boolean } {
  const [format] = Object.entries(codes).find(([, code]) => code === descr.slice(1)) ?? [];
  const order = descr[0]!;
  const known = format && (bytesOf(format as FileFormat) === 1 ? /[<>|]/ : /[<>]/).test(order);
  if (!known) {
    const list = Object.values(codes).join(', ');
    throw wrongValue('npy descr', `must be '<' or '>' and one of ${list}`, descr);
  }
  return { format: format as FileFormat, littleEndian: order !== '>' };
}

/** A Python tuple of whole numbers: (), (3,), (3, 4); the L of Python 2 is passed over. */
function shapeOfTuple(tuple: string): number[] {
  const extents = tuple.trim() === '' ? [] : tuple.split(',').map((extent) => extent.trim());
  if (extents.length > 1 && extents.at(-1) === '') extents.pop();
  else if (extents.length === 1) extents.push('');
  if (extents.some((extent) => !/^\d+L?$/.test(extent))) {
    throw wrongValue('npy shape', 'must be a tuple of whole numbers', `(${tuple})`);
  }
  return fileShape(
    'npy shape',
    extents.map((extent) => Number(extent.replace('L', ''))),
  );
}

/** Returns the start and end of the header, which depend on the version. */
function headerPlace(bytes: Uint8Array): { start: number; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (count: number) => {
    if (bytes.length < count)
      throw wrongValue('npy file', `must have at least ${count} bytes`, bytes.length);
  };
  has(10);
  if (magic.some((byte, i) => bytes[i] !== byte)) {
    const start = Array.from(bytes.subarray(0, 6), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join(' ');
    throw wrongValue('npy file', 'must begin with 93 4e 55 4d 50 59', start, start);
  }
  const [major, minor] = [bytes[6]!, bytes[7]!];
  if (major < 1 || major > 3 || minor !== 0) {
    throw wrongValue(
      'npy version',
      'must be 1.0, 2.0 or 3.0',
      `${major}.${minor}`,
      `${major}.${minor}`,
    );
  }
  const start = major === 1 ? 10 : 12;
  has(start);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > longestHeader)
    throw wrongValue('npy header', `must have at most ${longestHeader} bytes`, length);
  has(start + length);
  return { start, end: start + length };
}

/**
 * Reads a .npy file of NumPy, versions 1 to 3: numbers and booleans, either byte order, rows or
 * columns first.
 * @param bytes the whole file
 * @returns the array, row-major
 * @throws TypeError when bytes are no Uint8Array; RangeError for an invalid file, naming the field
 * @see NumPy, numpy.lib.format
 */
export function readNpy(bytes: Uint8Array | ArrayBuffer): FileTensor {
  const given = bytesGiven(bytes);
  const { start, end } = headerPlace(given);
  const entries = entriesOf(textOf('npy header', given, start, end));
  const { format, littleEndian } = formatOf(entries.get('descr')!);
  const shape = shapeOfTuple(entries.get('shape')!);
  const columnMajor = entries.get('fortran_order') === 'True';
  const stored = { format, shape, littleEndian, columnMajor };
  requireBytes('npy data', given.length - end, stored);
  return decoded(given, end, given.length, stored);
}

/**
 * A .npy file, version 1, that numpy.load reads: little-endian, rows first.
 * @returns the whole file
 * @throws TypeError, RangeError naming the member; bfloat16 does not exist there
 * @see NumPy, numpy.lib.format
 */
export function writeNpy(tensor: WritableTensor): Uint8Array {
  const checked = checkedFileTensor('tensor', tensor);
  const { shape, format } = checked;
  const code = codes[format];
  if (!code) throw wrongValue('tensor.format', 'must be one that NumPy has', format, `'${format}'`);
  const order = bytesOf(format) === 1 ? '|' : '<';
  const tuple = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const dict = `{'descr': '${order}${code}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // Values begin at a multiple of 64, so that they can be mapped.
  const header = `${dict.padEnd(Math.ceil((dict.length + 11) / 64) * 64 - 11)}\n`;
  const values = encoded(checked);
  const file = new Uint8Array(10 + header.length + values.length);
  file.set([...magic, 1, 0, header.length & 255, header.length >>> 8]);
  file.set(new TextEncoder().encode(header), 10);
  file.set(values, 10 + header.length);
  return file;
}
