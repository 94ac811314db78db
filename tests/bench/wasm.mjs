/** What lies below the package's face: its core by itself, and memory to copy and read in. */

/** A core of its own, for work on data that is already in wasm. */
export async function bareCore({ load }, kind) {
  const [{ load: loadCore }, { Core }, binaries] = await Promise.all(
    ['load.js', 'core.js', 'binaries.js'].map((file) => load('ropewalk', file)),
  );
  const bytes = Uint8Array.from(binaries[kind].match(/../g), (byte) => Number.parseInt(byte, 16));
  const { raw } = await loadCore({ simd: kind }, async () => bytes);
  return new Core(raw);
}

const firstFree = new WeakMap();

/** Bytes of the limits' own memory that nobody else uses. */
function reserved(limits, bytes) {
  const start = firstFree.get(limits) ?? limits.memory.buffer.byteLength;
  const missing = start + bytes - limits.memory.buffer.byteLength;
  if (missing > 0) limits.memory.grow(Math.ceil(missing / 65536));
  firstFree.set(limits, start + bytes);
  return start;
}

export function copyInWasm(limits, bytes) {
  const from = reserved(limits, bytes),
    to = reserved(limits, bytes);
  new Uint8Array(limits.memory.buffer, from, 2 * bytes).fill(1);
  return () => limits.copy(to, from, bytes);
}

/** Adds up `count` floats, a multiple of 32. */
export function readInWasm(limits, count) {
  const from = reserved(limits, 4 * count);
  new Float32Array(limits.memory.buffer, from, count).fill(1);
  return () => limits.read(from, count);
}
