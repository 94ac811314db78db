/** Laws of numbers: what a float cannot hold is refused by name, and nothing else becomes NaN. */
import { boundOf, difference } from '../compare.mjs';
import { changed, drawnProblem, sizesOf } from '../problem.mjs';

const huge = [3.5e38, 1e39, 1e300, Number.MAX_VALUE];
const tiny = [1e-46, 1e-50, 1e-300, Number.MIN_VALUE];
const subnormal = [1e-39, 1e-42, 1e-45];

/** For each number of attention: its option, with a value in one place. */
const holding = {
  scale: (value) => value,
  softcap: (value) => Math.abs(value),
  rowScale: (value, draws, { queries }) => oneOf(draws, queries, value),
  sinks: (value, draws, { heads }) => oneOf(draws, heads, value),
};

function oneOf(draws, count, value) {
  const list = Array.from(draws.floats(count));
  list[draws.below(count)] = value;
  return list;
}

const isNamed = (error, name) => error instanceof RangeError && error.message.includes(name);

function drawnOption(draws, most, values) {
  const problem = drawnProblem(draws, most, { never: Object.keys(holding) });
  const name = draws.pick(Object.keys(holding));
  const value = draws.pick(values) * draws.pick([1, -1]);
  const option = holding[name](value, draws, sizesOf(problem));
  return { problem, name, value, one: changed(problem, { [name]: option }) };
}

/** The result, or undefined where the call is refused by the name of the option. */
function answered(attend, one, name) {
  try {
    return attend(one);
  } catch (error) {
    if (isNamed(error, name)) return undefined;
    throw error;
  }
}

/** What nearly nothing amounts to: a cap of 0 leaves no score. */
const asNothing = (one, name) =>
  name === 'softcap'
    ? { scale: 0, softcap: undefined }
    : {
        [name]:
          typeof one.settings[name] === 'number'
            ? 0
            : one.settings[name].map((value) => (Math.abs(value) < 1e-30 ? 0 : value)),
      };

export const numbers = {
  'what is too large for a float is refused by name': ({ draws, most, attend, again }) => {
    const { problem, name, value, one } = drawnOption(draws, most, huge);
    attend(problem);
    return answered(again, one, name) && `${name} with ${value} was accepted`;
  },

  'what is too small for a float is refused by name, or counts as zero': ({
    draws,
    most,
    attend,
    again,
  }) => {
    const { problem, name, value, one } = drawnOption(draws, most, tiny);
    attend(problem);
    const result = answered(again, changed(one, { intermediates: undefined }), name);
    if (!result) return undefined;
    const zero = changed(one, { ...asNothing(one, name), intermediates: undefined });
    const fault = difference(result, again(zero), boundOf(zero));
    return fault && `${name} with ${value}: ${fault}`;
  },

  'the smallest floats are refused by name, or count': ({ draws, most, attend, again }) => {
    const { problem, name, value, one } = drawnOption(draws, most, subnormal);
    attend(problem);
    const result = answered(again, changed(one, { intermediates: undefined }), name);
    if (!result) return undefined;
    const zero = changed(one, { ...asNothing(one, name), intermediates: undefined });
    const fault = difference(result, again(zero), boundOf(zero));
    return fault && `${name} with ${value}: ${fault}`;
  },
};
