// Emscripten looks a function up in the table at each of its calls where addresses may exceed 2 GiB;
// once is enough, since the table never changes.
addToLibrary({
  $getDynCaller__deps: ['$getWasmTableEntry'],
  $getDynCaller: (signature, address) => {
    const call = getWasmTableEntry(address);
    return signature[0] === 'p' ? (...values) => call(...values) >>> 0 : call;
  },
});
