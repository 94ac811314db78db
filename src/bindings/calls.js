// If addresses may exceed 2 GiB, Emscripten looks a function up in the table at each call. The table
// never changes, so one lookup is enough.
addToLibrary({
  $getDynCaller__deps: ['$getWasmTableEntry'],
  $getDynCaller: (signature, address) => {
    const call = getWasmTableEntry(address);
    return signature[0] === 'p' ? (...values) => call(...values) >>> 0 : call;
  },
});
