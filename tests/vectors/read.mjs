// Reads a folder of vectors: per suite a .json of cases and a .bin of little-endian numbers.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const arrays = {
  f64: Float64Array,
  f32: Float32Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  i64: BigInt64Array,
  i32: Int32Array,
  u8: Uint8Array,
  bool: Uint8Array,
};

/** The bits of 32-bit floats as those floats; `bits` are unsigned 32-bit numbers. */
const floats = (bits) => new Float32Array(Uint32Array.from(bits).buffer);

/**
 * A half is a 32-bit float whose exponent is 112 too small once its bits are moved up; that holds
 * for subnormals too. Infinities and NaN have no exponent to correct.
 */
function fromHalf(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const rest = half & 0x7fff;
  if (rest >= 0x7c00) return rest === 0x7c00 ? sign * Infinity : NaN;
  return sign * floats([rest << 13])[0] * 2 ** 112;
}

const decoders = {
  f16: (data) => Float64Array.from(data, fromHalf),
  bf16: (data) => Float64Array.from(floats(Array.from(data, (bits) => (bits << 16) >>> 0))),
  i64: (data) => Float64Array.from(data, Number),
};

/**
 * The generator's 32-bit words as fractions in [0, 1).
 * @returns {Generator<number, never>}
 */
function* mulberry32(seed) {
  for (let state = seed >>> 0; ;) {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    yield ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }
}

function generated(name, { dtype, shape, gen, check }) {
  if (gen.kind !== 'mulberry32-uniform' || dtype !== 'f32') {
    throw new Error(`${name}: no recipe is known for ${gen.kind} of ${dtype}`);
  }
  const random = mulberry32(gen.seed);
  const data = new Float32Array(shape.reduce((product, extent) => product * extent, 1));
  for (let i = 0; i < data.length; i++) data[i] = gen.lo + (gen.hi - gen.lo) * random.next().value;
  const agrees = check.first.every((value, i) => data[i] === value) && data.at(-1) === check.last;
  if (!agrees) throw new Error(`${name}: the recipe does not give the numbers it is checked with`);
  return data;
}

function stored(name, { dtype, shape, off, len }, bytes) {
  const Numbers = arrays[dtype];
  if (!Numbers) throw new Error(`${name}: unknown dtype ${dtype}`);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (len !== count * Numbers.BYTES_PER_ELEMENT || off + len > bytes.length) {
    throw new Error(`${name}: ${len} bytes at ${off} do not hold [${shape}] of ${dtype}`);
  }
  return new Numbers(bytes.buffer, off, count);
}

/** { dtype, shape, data: typed array as stored, num: plain numbers }, decoded on first use. */
function array(name, entry, bytes) {
  let data, num;
  return {
    dtype: entry.dtype,
    shape: entry.shape,
    get data() {
      return (data ??= entry.gen ? generated(name, entry) : stored(name, entry, bytes));
    },
    get num() {
      return (num ??= decoders[entry.dtype]?.(this.data) ?? this.data);
    },
  };
}

const arraysOf = (id, entries, bytes) =>
  Object.fromEntries(
    Object.entries(entries).map(([key, entry]) => [key, array(`${id} ${key}`, entry, bytes)]),
  );

/** JSON has no infinities and no NaN: attributes spell them as strings. */
const spelled = { Infinity, '-Infinity': -Infinity, NaN };
const revived = (_, value) =>
  typeof value === 'string' && Object.hasOwn(spelled, value) ? spelled[value] : value;

export function suiteNames(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** The manifest as stored, and its numbers, which must be those that the manifest was made with. */
export function readFiles(folder, suite) {
  const manifest = JSON.parse(readFileSync(path.join(folder, `${suite}.json`), 'utf8'));
  const bytes = new Uint8Array(readFileSync(path.join(folder, manifest.bin))); // a copy: aligned
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== manifest.bin_sha256)
    throw new Error(`${suite}: ${manifest.bin} is not the file its manifest names`);
  return { manifest, bytes };
}

/** A suite: its manifest, and each case with `inputs` and `expected` as arrays. */
export function readSuite(folder, suite) {
  const { manifest, bytes } = readFiles(folder, suite);
  const cases = manifest.cases.map((one) => ({
    ...one,
    attrs: JSON.parse(JSON.stringify(one.attrs), revived),
    inputs: arraysOf(one.id, one.inputs, bytes),
    expected: arraysOf(one.id, one.outputs, bytes),
  }));
  return { ...manifest, cases };
}
