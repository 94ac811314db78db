/** What the figures of longer contexts must show, in double. */
import { scalings } from '../fuzz/js/combinations/frequencies.mjs';

const frequencies = (dim, base) => scalings.none({ dim, base }).inverse;

/** Pairs below one turn in training that now turn further: the first position past the arc. */
export function coverage({ dim, base, trained, length }) {
  const theta = frequencies(dim, base);
  const first = Array.from(theta, (frequency) =>
    trained * frequency < 2 * Math.PI && length > trained ? trained : -1,
  );
  const unseen = first.flatMap((position, i) => (position < 0 ? [] : [i]));
  return {
    first,
    unseen,
    turns: Array.from(theta, (frequency) => (length * frequency) / (2 * Math.PI)),
  };
}

/** Each method of the figure, with its options besides the factor and the lengths. */
const methodOptions = {
  direct: { type: 'none' },
  linear: { type: 'linear' },
  ntk: { type: 'ntk' },
  'ntk-old': { type: 'ntk', form: 'su-old' },
  'ntk-fixed': { type: 'ntk', form: 'su-fixed' },
  'ntk-mixed': { type: 'ntk', form: 'su-mixed' },
  'dynamic-ntk': { type: 'dynamic-ntk' },
  'by-parts': { type: 'ntk-by-parts', ramp: 'published' },
  'yarn-paper': { type: 'yarn', ramp: 'published' },
  yarn: { type: 'yarn' },
  longrope: { type: 'longrope' },
  llama3: { type: 'llama3' },
};

export const methods = Object.keys(methodOptions);

/** New over trained frequency of every pair, per method. */
export function ratios({ dim, base, trained, length, factor }) {
  const pairs = dim / 2;
  const theta = frequencies(dim, base);
  const longFactor = theta.map((_, i) => 1 + ((factor - 1) * i) / (pairs - 1));
  const common = { factor, originalLength: trained, length, longFactor };
  const ratiosOf = ({ type, ...own }) => {
    const { inverse } = scalings[type]({ dim, base }, { ...common, ...own });
    return inverse.map((frequency, i) => frequency / theta[i]);
  };
  return Object.fromEntries(methods.map((name) => [name, ratiosOf(methodOptions[name])]));
}

/** Frequencies of a dynamic NTK when a text has `seen` positions, in Hugging Face's form. */
export const dynamicNtk = ({ dim, base, trained, factor, seen }) =>
  scalings['dynamic-ntk']({ dim, base }, { factor, originalLength: trained, length: seen }).inverse;

/** The nearest number with so many significant bits, ties to even. */
export function rounded(value, bits) {
  if (value === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) + 1 - bits);
  const whole = Math.floor(value / unit);
  const rest = value / unit - whole;
  const up = rest > 0.5 || (rest === 0.5 && whole % 2 === 1);
  return (whole + (up ? 1 : 0)) * unit;
}

/** The score of equal query and key, of length 1 in all, at a distance. */
export function meanCosine(dim, distance, base = 10000) {
  const cosines = frequencies(dim, base).map((frequency) => Math.cos(distance * frequency));
  return cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
}
