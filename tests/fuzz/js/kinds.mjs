const intrinsic = (name) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Float32Array.prototype), name).get;
const [kind, length] = [intrinsic(Symbol.toStringTag), intrinsic('length')];

/** A typed array, whatever its prototype says. */
export const isArray = (value) => kind.call(value) !== undefined;

/** How many numbers it has, whatever it says. */
export const lengthOf = (array) => length.call(array);

export const elements = (array) => Array.from({ length: lengthOf(array) }, (_, i) => array[i]);
