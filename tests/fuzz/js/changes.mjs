/**
 * Changes that a fuzzer makes to the arguments of a valid call. A change is { path, kind, seed }
 * and is deterministic, so a failing case can be reduced by leaving changes out.
 */
import { readFileSync } from 'node:fs';
import { schemas } from './combinations/instances.mjs';
import { drawOptions, extentsOf } from './combinations/schema_draws.mjs';
import { isArray } from './kinds.mjs';
import { Draws } from './random.mjs';

const isNode = (value) => typeof value === 'object' && value !== null;

/** Returns [path, value] of each member that can be replaced: the first 4 elements of a list. */
export function placesIn(value, path = []) {
  if (!isNode(value) || isArray(value) || path.length > 6) return [[path, value]];
  const members = Object.keys(value).slice(0, Array.isArray(value) ? 4 : 32);
  const inner = members.flatMap((key) => placesIn(value[key], [...path, key]));
  return path.length === 0 ? inner : [[path, value], ...inner];
}

const numbers = [
  0,
  -0,
  1,
  2,
  3,
  4,
  5,
  6,
  8,
  16,
  40,
  -1,
  -2,
  0.5,
  1.5,
  -0.1,
  1e-3,
  1e3,
  NaN,
  Infinity,
  -Infinity,
  2 ** 31,
  2 ** 31 - 1,
  2 ** 31 + 2,
  2 ** 32,
  2 ** 32 + 1,
  2 ** 53,
  1e12,
  1e20,
  65504,
  65520,
  2 ** 24 + 1,
  1e300,
  -1e300,
  Number.MIN_VALUE,
  Number.EPSILON,
  -(2 ** 31),
  65537,
  1e-50,
  1e-40,
  1e39,
];
/** Sizes that exceed memory or are close to a limit of 32-bit numbers. */
const hugeSizes = [
  2 ** 28,
  2 ** 28 - 1,
  2 ** 29,
  2 ** 29 + 2,
  2 ** 30,
  2 ** 30 - 1,
  2 ** 31,
  2 ** 31 - 2,
  2 ** 31 - 1,
];
/** Each list holds the choices of one option, which may replace each other; a few are in no schema. */
const listed = readFileSync(new URL('../../package/schemas.txt', import.meta.url), 'utf8');
const choices = [
  ...Array.from(new Set(listed.match(/(?<=choice )\(.*?\)/g)), (list) =>
    list.match(/"[^"]*"|[\w.-]+/g).map((one) => JSON.parse(one)),
  ),
  Object.keys(schemas.positions),
  Object.keys(schemas.scalings),
  ['rope', 'rerope', 'leaky-rerope', 'self-extend', 'dual-chunk'],
  ['log-n', 'llama4'],
  ['attend', 'ignore'],
  ['scores', 'capped', 'biased', 'weights', 'entropy', 'logSumExp'],
];
const extremes = [NaN, Infinity, -Infinity, 3.4e38, -3.4e38, 1e-45, 1e-38, -0, 1e30];

/** Values of wrong kinds. */
const wrongKinds = [
  () => undefined,
  () => null,
  () => true,
  () => false,
  () => '',
  () => 'x',
  () => '3',
  () => '\0',
  () => '__proto__',
  () => 'constructor',
  () => 5n,
  () => 2n ** 70n,
  () => Symbol('s'),
  () => () => 1,
  () => [],
  () => ({}),
  () => [[]],
  () => [undefined],
  () => new Date(0),
  () => /x/,
  () => new Map(),
  () => new Error('e'),
  () => Promise.resolve(1),
  () => new Number(3),
  () => new String('x'),
  () => new Boolean(true),
  () => Object.create(null),
  () => ({ valueOf: () => 3 }),
  () => ({ toString: () => 'half-split' }),
  () => ({ [Symbol.toPrimitive]: () => 3 }),
  () => ({ length: 2 }),
  () => ({ length: -1 }),
  () => ({ length: NaN }),
  () => ({ length: 2 ** 53 }),
  () => ({ length: '2', 0: 1, 1: 2 }),
  () => ({ data: new Float32Array(2), shape: [2] }),
  () => ({ data: [1, 2], shape: [2] }),
  () => ({ data: new Float32Array(0), shape: [0] }),
  () => new Float32Array(0),
  () => new Float32Array(3),
  () => new Float64Array(4),
  () => new Int32Array(4),
  () => new BigInt64Array(2),
  () => new Uint8Array(4),
  () => new DataView(new ArrayBuffer(8)),
  () => new ArrayBuffer(8),
  () => new SharedArrayBuffer(8),
  () => new Array(5),
  () => Object.assign([1, 2], { length: 4 }),
  () => [NaN],
  () => [1, 'x'],
  () => [1n, 2n],
  () => [2 ** 31, 2 ** 31],
  () => Array(40).fill(1),
  () => Object.create(Float32Array.prototype),
  () => Object.setPrototypeOf(new Float64Array(4), Float32Array.prototype),
  () => new (class extends Float32Array {})(4),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => new Proxy([1, 2, 3], {}),
  () => new Proxy(new Float32Array(3), {}),
  () => new Proxy(() => 1, {}),
  () => {
    const cyclic = {};
    return Object.assign(cyclic, { cyclic, data: cyclic, shape: cyclic, length: 1, 0: cyclic });
  },
  () => {
    /** @type {unknown[]} */
    const list = [1, 2];
    list.push(list);
    return list;
  },
  () =>
    new Proxy(
      {},
      {
        has: () => true,
        get: (_, key) => (key === 'length' ? 3 : 1),
        ownKeys: () => ['a'],
        getOwnPropertyDescriptor: () => undefined,
      },
    ),
];

const kindOf = (array) => /** @type {Float32ArrayConstructor} */ (array.constructor);

/** Each returns the same numbers in another array: shared, resizable, detached, of a subclass … */
const remakes = [
  (array) => {
    const wide = new array.constructor(array.length + 7);
    wide.set(array, 3);
    return wide.subarray(3, 3 + array.length);
  },
  (array) => {
    const same = new array.constructor(new SharedArrayBuffer(array.byteLength));
    same.set(array);
    return same;
  },
  (array) => {
    const same = new array.constructor(
      new ArrayBuffer(array.byteLength, { maxByteLength: 2 * array.byteLength + 8 }),
    );
    same.set(array);
    return same;
  },
  (array) => {
    const same = new array.constructor(
      new SharedArrayBuffer(array.byteLength, { maxByteLength: 2 * array.byteLength + 8 }),
    );
    same.set(array);
    return same;
  },
  (array) => {
    const same = array.slice();
    structuredClone(same.buffer, { transfer: [same.buffer] });
    return same;
  },
  (array) => {
    const same = new array.constructor(
      new ArrayBuffer(array.byteLength, { maxByteLength: array.byteLength + 8 }),
      0,
      array.length,
    );
    same.buffer.resize(array.byteLength >> 1);
    return same;
  },
  (array) => new Float64Array(Array.from(array, Number)),
  (array) => Array.from(array),
  (array) => array.subarray(1),
  (array) => array.subarray(0, 0),
  (array) =>
    new (class extends kindOf(array) {
      static get [Symbol.species]() {
        return Array;
      }
    })(array),
  (array) => new Proxy(array.slice(), {}),
];

/** Each returns an object with the same members: frozen, behind a proxy, with a member more … */
const wrappings = [
  (object) => Object.freeze(object),
  (object) => new Proxy(object, {}),
  (object) => (Array.isArray(object) ? object : Object.assign(Object.create(null), object)),
  (object) =>
    Array.isArray(object)
      ? Object.assign(Object.create({}), object, { length: object.length })
      : Object.create(object),
  (object) => Object.assign(object, { 'no such option': 1 }),
  (object) => Object.assign(object, { [Symbol('s')]: 1 }),
  (object) => Object.assign(object, { self: object }),
  (object) =>
    Object.defineProperty(object, '__proto__', { value: 1, enumerable: true, configurable: true }),
];

function parentOf(args, path) {
  return path.slice(0, -1).reduce((value, key) => value?.[key], args);
}

const replacing = (choose) => (args, path, draws) => {
  const parent = parentOf(args, path);
  if (!isNode(parent)) return;
  const key = path.at(-1);
  parent[key] = choose(parent[key], draws, args);
};

const arraysIn = (args) =>
  placesIn(args)
    .map(([, value]) => value)
    .filter(isArray);

/** Changes by kind. Each depends on the draws alone, and does nothing where it does not apply. */
export const kinds = {
  wrongKind: replacing((_, draws) => draws.pick(wrongKinds)()),
  number: replacing((value, draws) => (isNode(value) ? value : draws.pick(numbers))),
  /** A whole number, log-uniform below 2^20, or a huge one. */
  size: replacing((value, draws) => {
    if (isNode(value)) return value;
    return draws.chance(1, 4)
      ? draws.pick(hugeSizes)
      : Math.floor(2 ** (20 * (draws.bits() / 2 ** 32)));
  }),
  choice: replacing((value, draws) => {
    const offered = choices.filter((texts) => texts.includes(value)).flat();
    return offered.length > 0 ? draws.pick(offered) : value;
  }),
  nearby: replacing((value, draws) =>
    typeof value === 'number' ? value + draws.pick([-1, 1, 2, 0.5]) : value,
  ),
  another: replacing((_, draws, args) => draws.pick(placesIn(args))[1]),
  content: replacing((value, draws) => {
    if (!isArray(value) || typeof value[0] === 'bigint' || value.length === 0) return value;
    const same = value.slice();
    for (let i = 1 + draws.below(4); i > 0; i--)
      same[draws.below(same.length)] = draws.pick(draws.chance(1, 3) ? extremes : numbers);
    return same;
  }),
  remake: replacing((value, draws) => (isArray(value) ? draws.pick(remakes)(value) : value)),
  wrapping: replacing((value, draws) =>
    isNode(value) && !isArray(value) ? draws.pick(wrappings)(value) : value,
  ),
  /** A tensor with another axis or extent, and data that fits it. */
  reshaped: replacing((value, draws) => {
    if (!isArray(value?.data) || !Array.isArray(value.shape)) return value;
    const shape = value.shape.slice(draws.chance(1, 8) ? 1 : 0);
    if (draws.chance(1, 8)) shape.unshift(1 + draws.below(3));
    if (shape.length > 0) shape[draws.below(shape.length)] = 1 + draws.below(12);
    const count = shape.reduce((a, b) => a * b, 1);
    if (!(count <= 10_000)) return value;
    return {
      ...value,
      data: value.data.constructor.from({ length: count }, () => draws.float()),
      shape,
    };
  }),
  alias: replacing((value, draws, args) => (isArray(value) ? draws.pick(arraysIn(args)) : value)),
  absent(args, path) {
    const parent = parentOf(args, path);
    if (isNode(parent) && path.length > 1) delete parent[path.at(-1)];
  },
};

/** Values of options whose rules have no number of values. */
const loose = {
  floats: (draws) => draws.floats(1 + draws.below(draws.pick([4, 24, 64]))),
  function: () => () => {},
};

/** A change that sets an option of an object, whether the good call has it or leaves it out. */
function drawnOption(objects, draws) {
  const { place, schema } = draws.pick(objects);
  const name = draws.pick(Object.keys(schema));
  return { path: [...place, name], kind: 'option', option: schema[name], seed: draws.bits() };
}

/**
 * @param {any[]} args of a good call
 * @param {any} draws
 * @param {{ place: any[], schema: Record<string, any> }[]} objects of the call that have a schema
 * @returns {{ path: any[], kind: string, seed: number, option?: any }[]}
 */
export function drawnChanges(args, draws, objects) {
  const places = placesIn(args);
  if (places.length === 0) return [];
  return Array.from({ length: draws.pick([0, 1, 1, 1, 2, 2, 3, 5]) }, () =>
    objects.length > 0 && draws.chance(1, 12)
      ? drawnOption(objects, draws)
      : {
          path: draws.pick(places)[0],
          kind: draws.pick(Object.keys(kinds)),
          seed: draws.bits(),
        },
  );
}

/** Sets an option to a value that its rule allows, where a rule says what it is. */
function setOption(args, path, draws, option) {
  const name = path.at(-1);
  const drawer = loose[option.rule?.kind];
  const required = { ...option, isRequired: true };
  const drawn = drawOptions(draws, { [name]: required }, extentsOf(draws, {}), {
    ...(drawer && { [name]: drawer }),
  });
  Object.assign(parentOf(args, path), drawn);
}

/** Makes the change, unless an earlier one froze or replaced the member. */
export function apply(args, { path, kind, seed, option }) {
  const draws = new Draws(seed);
  try {
    if (option) setOption(args, path, draws, option);
    else kinds[kind](args, path, draws);
  } catch {
    // Proxies, frozen objects and arrays of big integers throw errors of their own.
  }
}
