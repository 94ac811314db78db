/** What lies below the package's face: its core by itself, and memory to copy and read in. */

/** Where the package keeps a module that is not an entry. */
export const inBuild = (file) => `dist/package/${file}`;

/** A core of its own, for work on data that is already in wasm. */
export async function bareCore({ load, binary }, kind) {
  const [{ default: start }, { Core }, bytes] = await Promise.all([
    load('ropewalk', 'runtime/glue.js'),
    load('ropewalk', 'runtime/core.js'),
    binary(kind),
  ]);
  const raw = await start({
    instantiateWasm(imports, received) {
      WebAssembly.instantiate(bytes, imports).then(({ instance }) => received(instance));
      return {};
    },
  });
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
