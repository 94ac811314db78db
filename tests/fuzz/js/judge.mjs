/** What may become of a call: finite results, or an error that says which argument it is about. */
import { isDeepStrictEqual } from 'node:util';
import { elements, isArray } from './kinds.mjs';

/** [path, value] of everything within plain data; a cycle ends. */
function* parts(value, path = [], seen = new Set()) {
  yield [path, value];
  if (
    typeof value !== 'object' ||
    value === null ||
    isArray(value) ||
    seen.has(value) ||
    path.length > 6
  )
    return;
  seen.add(value);
  for (const [key, { value: member }] of Object.entries(membersOf(value)))
    yield* parts(member, [...path, key], seen);
}

/** Its own and those it inherits from other data; none that a proxy hides. */
function membersOf(value) {
  let members = {};
  try {
    for (
      let of = value;
      of !== null && (of === value || !Object.hasOwn(of, 'constructor'));
      of = Object.getPrototypeOf(of)
    ) {
      members = { ...Object.getOwnPropertyDescriptors(of), ...members };
    }
  } catch {
    // What is known by now.
  }
  return members;
}

const isFinite = (number) => typeof number === 'bigint' || Number.isFinite(number);

/** Beyond these, products and quotients leave what floats hold. */
const isModerate = (number) =>
  Number(number) === 0 ||
  (Math.abs(Number(number)) <= 2 ** 40 && Math.abs(Number(number)) >= 2 ** -40);

/** Whether every number is finite, and far enough from the ends of what floats hold. */
export function areFinite(args) {
  for (const [, value] of parts(args)) {
    if (typeof value === 'number' && !isModerate(value)) return false;
    if (isArray(value) && !elements(value).every(isModerate)) return false;
  }
  return true;
}

/** Where minus infinity says "hidden". */
const mayBeInfinite = (path) => ['biased', 'logSumExp'].includes(path[0]);

/** The same of keys after the query, of which products of the text have no scores. */
const isOfCausalProduct = (path) => ['scores', 'capped'].includes(path[0]);

/** The array that the caller wants the result in. */
export function destinationOf(args) {
  for (const argument of args) {
    try {
      if (argument?.into) return argument.into;
    } catch {
      // Nothing can be read from it, by the package neither.
    }
  }
  return undefined;
}

/**
 * Returns what is wrong with a result, or undefined.
 * @param {unknown} result
 * @param {unknown[]} args
 * @param {(index: number) => boolean} [overflows] whether the number at an index of an array must
 * be
 *   infinite or NaN
 */
export function resultFault(result, args, overflows = () => false) {
  for (const [path, value] of parts(result)) {
    if (mayBeInfinite(path)) continue;
    if (typeof value === 'number' && !isFinite(value))
      return `finite arguments gave ${value} at ${path.join('.')}`;
    if (!isArray(value)) continue;
    // In place: an array may be larger than any list.
    for (let i = 0, length = value.length; i < length; i++) {
      if (value[i] === -Infinity && isOfCausalProduct(path)) continue;
      if (isFinite(value[i]) === overflows(i))
        return `finite arguments gave ${value[i]} at ${[...path, i].join('.')}`;
    }
  }
  for (const [path, value] of parts(result)) {
    if (!isArray(value?.data) || !Array.isArray(value.shape)) continue;
    const [count, held] = [value.shape.reduce((a, b) => a * b, 1), value.data.length];
    if (count !== held)
      return `${[...path, 'data'].join('.')} has ${held} values for shape [${value.shape}]`;
  }
  const given = new Set(Array.from(parts(args), ([, value]) => value?.buffer).filter(Boolean));
  const into = destinationOf(args);
  for (const [path, value] of parts(result)) {
    if (isArray(value) && value !== into && given.has(value.buffer))
      return `the result's ${path.join('.')} is the caller's memory`;
  }
  return undefined;
}

/**
 * Errors that the engine throws for detached arrays, revoked proxies and objects without a number.
 */
const ofTheEngine =
  /detached|revoked|proxy|out[- ]of[- ]bounds|circular|incompatible receiver|not a typed array/i;

/** The names of options at every depth. */
export function namesIn(args) {
  return Array.from(parts(args), ([path]) => path.at(-1)).filter(
    (key) => typeof key === 'string' && !/^\d+$/.test(key),
  );
}

/** The parameters together need too much memory; no single one is wrong. */
const tooLarge = /would take [\d.e+]+ bytes|not enough memory/;

/** The core writes max_distance where the package has maxDistance. */
const plain = (name) => name.replaceAll('_', '').toLowerCase();

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Returns what is wrong with an error: its message must contain one of `names`, the options and
 * parameters.
 */
export function errorFault(error, names) {
  if (![TypeError, RangeError].includes(error?.constructor))
    return `threw a ${error?.constructor?.name}: ${error?.message}`;
  if (ofTheEngine.test(error.message) || tooLarge.test(error.message)) return undefined;
  const text = plain(error.message);
  const isNamed = names.some((name) =>
    new RegExp(`(^|[^\\w])${escaped(plain(name))}($|[^\\w])`).test(text),
  );
  return isNamed ? undefined : `the error names no parameter: ${error.message}`;
}

/** A copy to compare with; arrays whose memory is gone or shared count by their length. */
export function snapshot(args) {
  return Array.from(parts(args), ([path, value]) => [
    path.join('.'),
    isArray(value)
      ? elements(value)
      : typeof value === 'object'
        ? Object.keys(membersOf(value ?? {}))
        : value,
  ]);
}

/** How many numbers there are within plain data, and the longest axis of a shape in it. */
function sizeOf(data) {
  let [count, axis] = [0, 1];
  for (const [path, value] of parts(data)) {
    if (isArray(value)) count += value.length;
    if (typeof value !== 'number') continue;
    count++;
    if (path.at(-2) === 'shape') axis = Math.max(axis, Math.min(value, 2 ** 20) || 1);
  }
  return { count, axis };
}

const listsByCount = ['positions', 'queries', 'keys', 'offsets'];

/**
 * How many numbers the lists have that arguments give by their count alone: an argument itself, or
 * an option.
 */
function countedBy(args) {
  const most = 2 ** 28;
  let count = 0;
  for (const [path, value] of parts(args)) {
    const isCount = path.length === 1 || listsByCount.includes(path.at(-1));
    if (isCount && value > 0 && value <= most) count += value;
  }
  return count;
}

/** Seconds of processor time that any call may take, however little it has to do. */
const least = 2;

/**
 * What a call took too long for. For each number that goes in or comes out it may multiply as many
 * as the longest axis of an argument has, in ten times what the slowest needs.
 */
export function timeFault(seconds, args, result) {
  if (seconds <= least) return undefined;
  const [given, made] = [sizeOf(args), sizeOf(result)];
  const allowed = least + 2e-7 * (given.count + countedBy(args) + made.count) * given.axis;
  if (seconds <= allowed) return undefined;
  return `took ${seconds.toFixed(1)} s of processor time, at most ${allowed.toFixed(1)} s for its size`;
}

export function changeFault(before, args) {
  return isDeepStrictEqual(before, snapshot(args)) ? undefined : 'an argument was changed';
}
