/**
 * Records every wasm memory that an instance imports or exports, from this call on.
 * @returns a function that returns the size of all of them, in bytes
 */
export function watchedMemory() {
  const memories = new Set();
  const note = (instance) => {
    for (const value of Object.values(instance.exports)) {
      if (value instanceof WebAssembly.Memory) memories.add(value);
    }
    return instance;
  };
  const { instantiate, Memory } = WebAssembly;
  const counting = async (source, imports) => {
    for (const fields of Object.values(imports ?? {})) {
      for (const value of Object.values(fields)) if (value instanceof Memory) memories.add(value);
    }
    const result = await instantiate(source, imports);
    note(result.instance ?? result);
    return result;
  };
  WebAssembly.instantiate = /** @type {typeof instantiate} */ (counting);
  // Streaming calls use the function above too.
  WebAssembly.instantiateStreaming = async (response, imports) =>
    WebAssembly.instantiate(await (await response).arrayBuffer(), imports);
  return () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
