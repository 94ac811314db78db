/**
 * Every number of every function: a size is refused, before anything is allocated or computed, from
 * the first value on that takes 2^31 bytes; any other number may be as large as it likes.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { distanceTypes, schemes, biasFunction, impliesHeads } from './distance_biases.mjs';
import { calls, watch } from './probes.mjs';
import { createRopewalk, simds } from './installed.mjs';

const most = 2 ** 31;

const even = (bytes) => ({ bytes, step: 2 });
const first = (value) => ({ value });

/** Of two heads, three queries and four keys, and of what the schema says that options cost. */
function sizesOfBias(type) {
  const own = Object.fromEntries(
    Object.entries(schemes[type].schema)
      .filter(([, { rule }]) => rule.bytesEach)
      .map(([name, { rule }]) => [`0.${name}`, { bytes: rule.bytesEach, step: rule.step }]),
  );
  const heads = impliesHeads(type) ? {} : { '0.heads': 48 };
  return { ...heads, '0.queries': 32, '0.keys': 24, ...own };
}

/**
 * Bytes for each of what a size counts, in the calls of probes.mjs; or the first value that is too
 * many, where they do not grow in proportion. A key is the place in the arguments.
 */
const sizes = {
  ...Object.fromEntries(distanceTypes.map((type) => [biasFunction(type), sizesOfBias(type)])),
  sinusoidal: { '0.positions': 16, '0.dim': 48 },
  sinusoidalShift: { '0.dim': first(23172) },
  rotaryFrequencies: { '0.dim': even(32) },
  rotate: { '2.positions': 8 },
  alibiSlopes: { '0.heads': 16 },
  integerPositions: { '0.positions': 8 },
  unitInterval: { '0.positions': 8 },
  binary: { '0.positions': 16, '0.bits': 12 },
  sineWaves: { '0.positions': 16, '0.dim': 32 },
  learnedTable: { '0.rows': 16, '0.dim': 12 },
  learnedRows: { '1.positions': 12 },
  recurrentWeights: { '0.dim': first(178956967), '0.hidden': first(23168) },
  sinusoidalGrid: { '0.rows': first(22369621), '0.columns': first(33554432), '0.dim': 28 },
  sinusoidalMask: { '0.dim': 36 },
  fourierFeatures: { '0.bands': 48 },
  alibiTranslated: { '0.heads': 32, '0.keys': 12 },
  t5Buckets: { 0: 8 },
  fire: { '0.queries': 24, '0.keys': 24 },
  swinIndices: { '0.window.0': first(7724), '0.window.1': first(11586) },
  swinV2Coordinates: { '0.window.0': first(11184811), '0.window.1': first(16777216) },
  beitIndices: { '0.window.0': first(11585), '0.window.1': first(11585) },
  shaw: { '2.queries': 8, '2.keys': 8 },
  shawValues: { '2.queries': 8, '2.keys': 8 },
  shawIndices: { '0.queries': 32, '0.keys': 24 },
  relativeKey: { '3.queries': 8, '3.keys': 8 },
  musicTransformer: { '2.queries': 8, '2.keys': 8 },
  transformerXl: { '3.queries': 8, '3.keys': 8 },
  debertaBuckets: { 0: 8 },
  debertaIndices: { '0.queries': 32, '0.keys': 24 },
  deberta: { '2.queries': 8, '2.keys': 8 },
  polar: { '1.positions': 8 },
  copePositions: { '1.queries': 8, '1.keys': 8 },
  cope: { '3.queries': 8, '3.keys': 8 },
  relativePositions: { '0.queries': 16, '0.keys': 12 },
  positionDigits: { '0.dim': even(20) },
  logitFactors: { 0: 16 },
  distinctPositions: { 0: 8 },
  roundedRotaryTable: { '0.positions': 96 },
  roundedRotaryScores: { '0.positions': 96 },
  rotaryAngleErrors: { '0.positions': 32 },
  accumulatedAngles: { '1.pairs': 160 },
  angleTemperatures: { '0.pairs': 32 },
  randomizedPositions: { '0.length': 16 },
  coupledPositions: {
    '0.digits.0': first(89478480),
    '0.digits.1': first(89478479),
    '0.digits.2': first(89478480),
  },
  rotaryAngles: { '1.positions': 16 },
  rotaryTable: { '1.positions': 32 },
  'rotaryTable of a base': { '0.dim': even(24), '1.positions': 32 },
  xposTable: { '1.positions': 32 },
  axialFrequencies: { '0.dim': even(20) },
  pixelFrequencies: { '0.dim': even(8) },
  gridPositions: {
    '0.frames': first(16777216),
    '0.height': first(16777216),
    '0.width': first(33554432),
    '0.before': first(134217710),
    '0.after': first(134217711),
  },
  visionRotary: {
    '0.dim': even(20),
    '0.frames': first(16777216),
    '0.height': first(16777216),
    '0.width': first(33554432),
  },
  rotaryDecay: { '1.offsets': 32 },
  rotaryScoreBound: { '3.offsets': 56 },
};

/** Calls that stand beside the one of probes.mjs. */
const variants = {
  ...calls,
  'rotaryTable of a base': () => [{ dim: 4, base: 100 }, { positions: [0, 1, 2.5] }],
};

const isOptions = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value) &&
  !value.data;
const replaced = (container, /** @type {(string | number)[]} */ [key, ...rest], value) => {
  const copy = Array.isArray(container) ? [...container] : { ...container };
  copy[key] = rest.length ? replaced(copy[key], rest, value) : value;
  return copy;
};

/** Places of numbers in a good call, and of whatever else may be a count of positions. */
function placesOf(args) {
  const within = (value, place) => {
    if (typeof value === 'number') return [place];
    if (isOptions(value))
      return Object.entries(value).flatMap(([key, member]) => within(member, `${place}.${key}`));
    return /(^|\.)(positions|queries|keys|offsets)$/.test(place) ? [place] : [];
  };
  return args.flatMap((argument, i) => within(argument, String(i)));
}

/** What else an argument may hold, by its own words. */
function unsaid(call, args) {
  return args.flatMap((argument, i) => {
    if (!isOptions(argument)) return [];
    try {
      call(...replaced(args, [i, 'unheardOf'], 1));
      return []; // a config may have any entries
    } catch ({ message }) {
      const known = /known names: (.*)$/.exec(message)[1].split(', ');
      return known.filter((name) => !(name in argument)).map((name) => `${i}.${name}`);
    }
  });
}

for (const simd of simds) {
  const rw = await createRopewalk({ simd });
  const assertUnchanged = watch(rw);

  describe(simd, () => {
    for (const [name, good] of Object.entries(variants)) {
      test(name, () => {
        const call = (...args) => rw[name.split(' ')[0]](...args);
        const with_ = (place, value) => call(...replaced(good(), place.split('.'), value));
        const own = sizes[name] ?? {};
        for (const [place, size] of Object.entries(own)) {
          const { bytes, step = 1, value } = typeof size === 'number' ? { bytes: size } : size;
          const least = value ?? Math.ceil(most / bytes / step) * step;
          for (const refused of [least, most]) {
            let taken;
            assert.throws(
              () => with_(place, refused),
              (/** @type {Error} */ error) => {
                taken = Number(
                  / would take (\d+) bytes; it must take fewer than 2147483648$/.exec(
                    error.message,
                  )?.[1],
                );
                return (
                  (error.constructor === RangeError && taken >= most) ||
                  assert.fail(`${place} = ${refused}: ${error}`)
                );
              },
            );
            if (refused === least && bytes)
              assert.equal(
                taken,
                least * bytes,
                `${place}: no more than it says, and less than 2^31 for ${least - step}`,
              );
          }
        }
        const others = [...placesOf(good()), ...unsaid(call, good())].filter(
          (place) => !(place in own),
        );
        for (const place of others) {
          try {
            with_(place, most);
          } catch (error) {
            assert.ok(
              [RangeError, TypeError].includes(error.constructor),
              `${place}: ${error.stack}`,
            );
            assert.doesNotMatch(
              error.message,
              /memory|would take/,
              `${place} is a size, and has no bound in this table`,
            );
          }
        }
        assertUnchanged(name);
      });
    }

    test('what small tensors multiply to has a bound as well', () => {
      const zeros = (...shape) => ({ data: new Float32Array(shape[0] * shape[1]), shape });
      const wide = zeros(1, 2 ** 20);
      const settings = { queryWeights: wide, keyWeights: wide };
      assert.throws(() => rw.fourTerms(zeros(5000, 1), zeros(5000, 1), settings), {
        name: 'RangeError',
        message:
          'four projections of length × width would take 83886080000 bytes; it must take fewer than 2147483648',
      });
      assertUnchanged('large products');
    });

    test('every function has its calls here, and every size is one of a function', () => {
      assert.deepEqual(
        Object.keys(sizes).filter((name) => !(name in variants)),
        [],
      );
    });
  });
}
