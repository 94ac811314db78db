/** The methods of longer contexts in plain double, written from their papers. */

const frequencies = (dim, base) =>
  Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));

/** Pairs below one turn in training that now turn further: the first position past the arc. */
export function coverage({ dim, base, trained, length }) {
  const theta = frequencies(dim, base);
  const first = theta.map((frequency) =>
    trained * frequency < 2 * Math.PI && length > trained ? trained : -1,
  );
  const unseen = first.flatMap((position, i) => (position < 0 ? [] : [i]));
  return { first, unseen, turns: theta.map((frequency) => (length * frequency) / (2 * Math.PI)) };
}

export const methods = [
  'direct',
  'linear',
  'ntk',
  'ntk-old',
  'ntk-fixed',
  'ntk-mixed',
  'dynamic-ntk',
  'by-parts',
  'yarn-paper',
  'yarn',
  'longrope',
  'llama3',
];

const clamped = (x) => Math.min(1, Math.max(0, x));

/** New over trained frequency of every pair, per method. */
export function ratios({ dim, base, trained, length, factor }) {
  const pairs = dim / 2;
  const theta = frequencies(dim, base);
  const turns = theta.map((frequency) => (trained * frequency) / (2 * Math.PI));
  const rebased = (k) => theta.map((_, i) => k ** ((dim / (dim - 2)) * ((-2 * i) / dim)));
  const blended = (kept) => kept.map((share) => share + (1 - share) / factor);
  const published = blended(turns.map((turn) => clamped((turn - 1) / 31)));
  const pairOf = (turn) => (dim * Math.log(trained / (2 * Math.PI * turn))) / (2 * Math.log(base));
  const from = Math.max(0, Math.floor(pairOf(32)));
  const to = Math.min(dim - 1, Math.ceil(pairOf(1)));
  const mixed = Math.log(factor) / pairs ** 0.625;
  return {
    direct: theta.map(() => 1),
    linear: theta.map(() => 1 / factor),
    ntk: rebased(factor),
    'ntk-old': theta.map((_, i) => factor ** ((-2 * i) / dim)),
    'ntk-fixed': theta.map((_, i) => factor ** ((-2 * (i + 1)) / dim)),
    'ntk-mixed': theta.map((_, i) => Math.exp(-mixed * (i + 1) ** 0.625)),
    'dynamic-ntk': rebased((factor * length) / trained - (factor - 1)),
    'by-parts': published,
    'yarn-paper': published,
    yarn: blended(theta.map((_, i) => 1 - clamped((i - from) / (to - from)))),
    longrope: theta.map((_, i) => 1 / (1 + ((factor - 1) * i) / (pairs - 1))),
    llama3: blended(turns.map((turn) => clamped((turn - 1) / 3))),
  };
}

/** Frequencies of a dynamic NTK when a text has `seen` positions, in Hugging Face's form. */
export function dynamicNtk({ dim, base, trained, factor, seen }) {
  const stretch = (factor * Math.max(seen, trained)) / trained - (factor - 1);
  return frequencies(dim, base * stretch ** (dim / (dim - 2)));
}

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
