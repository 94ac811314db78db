/** Compares what an instance returned with the reference. */
import { rounding } from './products.mjs';

const rowNames = new Set(['entropy', 'logSumExp', 'remainder']);

/** The axes of each part of a result. */
function shapeOf(call, name) {
  const { leading, queries, keys, valueDim } = call;
  if (name === 'output' && call.isPacked)
    return [...leading.slice(0, -1), queries, call.heads * valueDim];
  if (name === 'output') return [...leading, queries, valueDim];
  return rowNames.has(name) ? [...leading, queries] : [...leading, queries, keys];
}

/** Where the value of an output with heads side by side is in the reference. */
function placeOf(call, at) {
  if (!call.isPacked) return at;
  const { heads, queries, valueDim } = call;
  const width = heads * valueDim;
  const [row, column] = [Math.floor(at / width), at % width];
  const [b, i, h] = [Math.floor(row / queries), row % queries, Math.floor(column / valueDim)];
  return ((b * heads + h) * queries + i) * valueDim + (column % valueDim);
}

const agrees = (actual, expected, bound) =>
  bound === Infinity ||
  Object.is(actual, expected) ||
  actual === expected ||
  // A number of floats is off by its own rounding, and denormals may count as 0.
  Math.abs(actual - expected) <= bound + rounding * Math.abs(expected) + 1e-37;

/** The index along each axis of the value at `at`. */
function indexOf(at, shape) {
  const place = [];
  for (const extent of shape.toReversed()) {
    place.unshift(at % extent);
    at = Math.floor(at / extent);
  }
  return place.join(', ');
}

/** How one part differs, or undefined. */
export function partFault(name, actual, shape, expectedAt) {
  if (actual === undefined) return `${name} is missing`;
  if (String(actual.shape) !== String(shape))
    return `${name} has shape [${actual.shape}], expected [${shape}]`;
  for (let at = 0; at < actual.data.length; at++) {
    const [expected, bound] = expectedAt(at);
    if (agrees(actual.data[at], expected, bound)) continue;
    return `${name}[${indexOf(at, shape)}] is ${actual.data[at]}, expected ${expected} ± ${bound.toExponential(1)}`;
  }
  return undefined;
}

/** How a result of attention differs from the reference, or undefined. */
export function resultFault(problem, call, { results, scheme }, { result, into, progress }) {
  // The scores first: what is wrong with them is wrong with everything after them.
  const order = ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp'];
  const wanted = order.filter(
    (name) => call.intermediates.has(name) && !(scheme.sticks && name === 'logSumExp'),
  );
  if (scheme.sticks) wanted.push('remainder');
  for (const name of [...wanted, 'output']) {
    const { values, bounds } = results[name];
    const place = name === 'output' ? (at) => placeOf(call, at) : (at) => at;
    const fault = partFault(name, result[name], shapeOf(call, name), (at) => [
      values[place(at)],
      bounds[place(at)],
    ]);
    if (fault) return fault;
  }
  const asked = [...call.intermediates].filter((name) => result[name] === undefined);
  if (asked.length > 0) return `${asked[0]} is missing, and nothing says why`;
  if (into && result.output.data !== into) return 'into does not take the output';
  const { onProgress } = problem.settings;
  if (onProgress && (progress.length === 0 || progress.at(-1)[0] !== progress.at(-1)[1]))
    return `onProgress is not called up to the end: ${JSON.stringify(progress)}`;
  return problem.settings.past ? presentFault(call, result.present) : undefined;
}

function presentFault(call, present) {
  const { keyLeading, valueLeading, keys, dim, valueDim } = call;
  return (
    partFault('present.k', present?.k, [...keyLeading, keys, dim], (at) => [call.k[at], 0]) ??
    partFault('present.v', present?.v, [...valueLeading, keys, valueDim], (at) => [call.v[at], 0])
  );
}

/** Whether two results have the same bits, or where they differ. */
export function bitsFault(first, second) {
  for (const name of Object.keys(first)) {
    const [a, b] = [first[name], second[name]].map((part) => part?.data ?? part);
    if (ArrayBuffer.isView(a)) {
      const list = /** @type {any} */ (a);
      const at = list.findIndex((value, i) => !Object.is(value, b?.[i]));
      if (at >= 0) return `${name}: the value ${at} is ${list[at]}, and ${b?.[at]} the other time`;
    } else if (typeof a === 'object') {
      const fault = bitsFault(a, b);
      if (fault) return `${name}.${fault}`;
    }
  }
  return undefined;
}
