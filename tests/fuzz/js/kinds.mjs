const intrinsic = (name) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Float32Array.prototype), name).get;
const [kindOf, lengthOf] = [intrinsic(Symbol.toStringTag), intrinsic('length')];

/** A typed array, whatever its prototype says. */
export const isArray = (value) => kindOf.call(value) !== undefined;

/** Its numbers, whatever it says of its length. */
export const elements = (array) => Array.from({ length: lengthOf.call(array) }, (_, i) => array[i]);
