/** The memory and tables of an instance, which the package does not export. */

/** Runs `start` and gives what it gives, with the exports of the instance that was started meanwhile. */
export async function withExports(start) {
  const { instantiate } = WebAssembly;
  let exported;
  // The package passes a module, for which instantiate returns the instance.
  const noting = async (/** @type {WebAssembly.Module} */ module, imports) => {
    const instance = await instantiate(module, imports);
    exported = Object.values(instance.exports);
    return instance;
  };
  WebAssembly.instantiate = /** @type {typeof instantiate} */ (noting);
  try {
    return { started: await start(), exported };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

export const memoryIn = (exported) =>
  exported.find((member) => member instanceof WebAssembly.Memory);

// (module (func (export "t") unreachable))
const trapping = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0,
  0, 11,
];

/** Puts a trap in the place of every function that is called through a pointer. */
export function breakTables(exported) {
  const table = exported.find((member) => member instanceof WebAssembly.Table);
  const { t } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(trapping))).exports;
  for (let i = 0; i < table.length; i++) table.set(i, t);
}

/** How far up memory was ever written: fresh memory is zero, and the heap grows upwards. */
export function highWater(memory) {
  const words = new Uint32Array(memory.buffer);
  let top = words.length;
  while (top > 0 && words[top - 1] === 0) top--;
  return { top: 4 * top, bytes: memory.buffer.byteLength };
}
