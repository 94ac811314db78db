/** Where finite arguments have a result that is not finite, number by number. */

/** @typedef {{ frequency?: string, angle?: string, position?: string, vectors?: string, table?: string }} Formats */

import { rounded } from '../../support/longer_contexts_reference.mjs';

/** Significant bits, and the largest number. Of f32 and bf16 no argument that is judged comes near it. */
const narrow = { f16: [11, 65504], bf16: [8, 2 ** 128 - 2 ** 120], f32: [24, 2 ** 128 - 2 ** 104] };

function held(format, value) {
  if (format === undefined || format === 'f64' || !Number.isFinite(value)) return value;
  const [bits, largest] = narrow[format];
  const near = rounded(value, bits);
  return Math.abs(near) > largest ? near * Infinity : near;
}

/** By length and index, as the package reads lists: their own iterators are not used. */
const list = (given) =>
  typeof given === 'number'
    ? Array.from({ length: given }, (_, i) => i)
    : Array.from({ length: given.length }, (_, i) => Number(given[i]));

function anglesOf(positions, frequencies, /** @type {Formats} */ formats = {}) {
  const inverseFrequencies = list(frequencies.inverseFrequencies).map((frequency) =>
    held(formats.frequency, frequency),
  );
  return list(positions).flatMap((position) =>
    inverseFrequencies.map((frequency) =>
      held(formats.angle, held(formats.position, position) * frequency),
    ),
  );
}

function scoresOf({
  query,
  key,
  positions,
  distance,
  frequencies,
  layout,
  formats = /** @type {Formats} */ ({}),
}) {
  const rotated = (vector, at) => {
    const values = list(vector).map((value) => held(formats.vectors, value));
    return anglesOf([at], frequencies, formats).flatMap((angle, i, { length: pairs }) => {
      const [a, b] =
        layout === 'interleaved'
          ? [values[2 * i], values[2 * i + 1]]
          : [values[i], values[i + pairs]];
      const [cos, sin] = [
        held(formats.table, Math.cos(angle)),
        held(formats.table, Math.sin(angle)),
      ];
      return [held(formats.vectors, a * cos - b * sin), held(formats.vectors, a * sin + b * cos)];
    });
  };
  return list(positions).map((at) => {
    const k = rotated(key, at - distance);
    return rotated(query, at).reduce((sum, value, i) => sum + value * k[i], 0);
  });
}

const where = (numbers) => (i) => !Number.isFinite(numbers[i]);

const functions = {
  /** Infinite for a pair that is not rotated. */
  rotaryWavelengths: ([{ inverseFrequencies }]) =>
    where(list(inverseFrequencies).map((frequency) => 1 / frequency)),
  roundTo: ([values, format]) => where(list(values).map((value) => held(format, value))),
  roundedRotaryTable: ([{ positions, frequencies, formats }]) =>
    where(anglesOf(positions, frequencies, formats)),
  roundedRotaryScores: ([settings]) => where(scoresOf(settings)),
};

const never = () => false;

/** Returns index → whether the number there in a function's result must be infinite or NaN. */
export const overflowOf = (name, args) => functions[name]?.(args) ?? never;
