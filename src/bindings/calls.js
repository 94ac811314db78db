// Replaces parts of Emscripten's library.
addToLibrary({
  // If addresses may exceed 2 GiB, Emscripten looks a function up in the table at each call. The table
  // never changes, so one lookup is enough.
  $getDynCaller__deps: ['$getWasmTableEntry'],
  $getDynCaller: (signature, address) => {
    const call = getWasmTableEntry(address);
    return signature[0] === 'p' ? (...values) => call(...values) >>> 0 : call;
  },
});

// Not for what lists the functions with their types at build time.
if (!EMBIND_GEN_MODE)
  addToLibrary({
    // Types are looked up at the first call of a function, when all are registered: nothing waits for
    // another, and an instance starts without making functions that it may never call.
    $registerType__deps: ['$registeredTypes'],
    $registerType: (type, instance) => {
      registeredTypes[type] = instance;
    },
    _embind_register_function__deps: [
      '$AsciiToString',
      '$embind__requireFunction',
      '$getFunctionName',
      '$heap32VectorToArray',
      '$registeredTypes',
    ],
    _embind_register_function: (
      name,
      count,
      typesAt,
      signature,
      invoker,
      at,
      isAsync,
      isNonnull,
    ) => {
      const [own, ...types] = heap32VectorToArray(count, typesAt);
      const title = getFunctionName(AsciiToString(name));
      const call = embind__requireFunction(signature, invoker);
      const made = () => {
        const { fromWireType = (result) => result } = registeredTypes[own];
        const [first, ...others] = types.map((type) => registeredTypes[type]);
        if (!first) return () => fromWireType(call(at));
        if (others.length === 0 && !first.destructorFunction)
          return (value) => fromWireType(call(at, first.toWireType(null, value)));
        const all = [first, ...others];
        return (...values) => {
          const wires = all.map((type, i) => type.toWireType(null, values[i]));
          const result = call(at, ...wires);
          all.forEach((type, i) => type.destructorFunction?.(wires[i]));
          return fromWireType(result);
        };
      };
      const get = () => {
        const value = made();
        Object.defineProperty(Module, title, { value });
        return value;
      };
      Object.defineProperty(Module, title, { get, configurable: true });
    },
    // Objects are arguments only: their fields are written, never read.
    _embind_register_value_object__deps: ['$embind__requireFunction', '$structRegistrations'],
    _embind_register_value_object: (type, name, makeSignature, make, endSignature, end) => {
      structRegistrations[type] = {
        make: embind__requireFunction(makeSignature, make),
        end: embind__requireFunction(endSignature, end),
        fields: [],
      };
    },
    _embind_register_value_object_field__deps: [
      '$AsciiToString',
      '$embind__requireFunction',
      '$structRegistrations',
    ],
    _embind_register_value_object_field: (
      type,
      name,
      readType,
      readSignature,
      read,
      readContext,
      valueType,
      signature,
      write,
      context,
    ) => {
      const call = embind__requireFunction(signature, write);
      structRegistrations[type].fields.push([AsciiToString(name), valueType, call, context]);
    },
    _embind_finalize_value_object__deps: [
      '$registerType',
      '$registeredTypes',
      '$structRegistrations',
    ],
    _embind_finalize_value_object: (type) => {
      const { make, end, fields } = structRegistrations[type];
      const toWireType = (_, given) => {
        const object = make();
        for (const [name, valueType, write, context] of fields)
          write(context, object, registeredTypes[valueType].toWireType(null, given[name]));
        return object;
      };
      registerType(type, { toWireType, destructorFunction: end });
    },
    // Enumerations cross by the names of their values, as arguments; an unknown name throws, where
    // Embind's own code would make it the first value.
    _embind_register_enum__deps: ['$AsciiToString', '$registerType'],
    _embind_register_enum: (type, nameAt, size, isSigned, valueType) => {
      const name = AsciiToString(nameAt),
        values = {};
      const toWireType = (_, value) => {
        if (!Object.hasOwn(values, value)) throw new RangeError(`${name} has no value ${value}`);
        return values[value];
      };
      registerType(type, { name, values, toWireType, destructorFunction: null });
      Module[name] = values;
    },
    _embind_register_enum_value__deps: ['$AsciiToString', '$registeredTypes'],
    _embind_register_enum_value: (type, name, value) => {
      registeredTypes[type].values[AsciiToString(name)] = value;
    },
    // Texts are only returned.
    _embind_register_std_string__deps: ['$AsciiToString', '$registerType', 'free'],
    _embind_register_std_string: (type, name) => {
      const fromWireType = (at) => {
        const first = at + 4;
        const text = HEAPU8.slice(first, first + HEAPU32[at >> 2]);
        _free(at);
        return new TextDecoder().decode(text);
      };
      registerType(type, { name: AsciiToString(name), fromWireType });
    },
    // What no function takes or returns.
    _embind_register_bigint__deps: [],
    _embind_register_bigint: (type, name, size, least, most) => {},
    _embind_register_emval__deps: [],
    _embind_register_emval: (type) => {},
    _embind_register_memory_view__deps: [],
    _embind_register_memory_view: (type, index, name) => {},
    _embind_register_std_wstring__deps: [],
    _embind_register_std_wstring: (type, size, name) => {},
    // Nothing sets a timer.
    _setitimer_js__deps: [],
    _setitimer_js: (which, time) => 0,
  });
