/**
 * Rotary frequencies in double, written from the published formulas: nothing here is imported from
 * the package.
 */
import { Invalid } from './reading.mjs';

const trained = (dim, base) =>
  Float64Array.from({ length: dim / 2 }, (_, i) => base ** ((-2 * i) / dim));

const mean = (a, b, share) => a * (1 - share) + b * share;
const clamp = (x) => Math.min(Math.max(x, 0), 1);

/** bloc97: the base grows so that the last pair is divided by the factor. */
function bloc97({ dim, base }, factor) {
  if (dim === 2) throw new Invalid('NTK needs at least four rotated values');
  return trained(dim, base * factor ** (dim / (dim - 2)));
}

/** The shares of the trained frequencies by the index of the pair, as shipped code has them. */
function codedShares({ dim, base }, length, fast, slow, truncate) {
  const index = (turns) => (dim * Math.log(length / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  let [from, to] = [index(fast), index(slow)];
  if (truncate) [from, to] = [Math.floor(from), Math.ceil(to)];
  from = Math.max(from, 0);
  to = Math.min(to, dim - 1);
  if (from === to) to += 0.001;
  return Float64Array.from({ length: dim / 2 }, (_, i) => 1 - clamp((i - from) / (to - from)));
}

/** The same, linear in the turns within the training length, as YaRN's paper has them. */
const publishedShares = ({ dim, base }, length, fast, slow) =>
  trained(dim, base).map((f) => clamp(((length * f) / (2 * Math.PI) - slow) / (fast - slow)));

function byParts(width, options, factor) {
  const { originalLength, betaFast = 32, betaSlow = 1, ramp = 'coded' } = options;
  const { truncate = true, blend = 'frequencies' } = options;
  if (betaFast < betaSlow || (betaFast === betaSlow && ramp === 'published'))
    throw new Invalid('betaFast must not be below betaSlow');
  const shares =
    ramp === 'coded'
      ? codedShares(width, originalLength, betaFast, betaSlow, truncate)
      : publishedShares(width, originalLength, betaFast, betaSlow);
  return trained(width.dim, width.base).map((f, i) =>
    blend === 'frequencies'
      ? mean(f / factor, f, shares[i])
      : f / ((1 - shares[i]) * factor + shares[i]),
  );
}

const mscale = (factor, weight = 1) => (factor <= 1 ? 1 : 0.1 * weight * Math.log(factor) + 1);

function yarn(width, options, factor) {
  const { attentionFactor, mscale: weight = 0, mscaleAllDim = 0, scalesSoftmax = true } = options;
  const { temperature = 'cos-sin' } = options;
  const inverse = byParts(width, options, factor);
  if (temperature === 'none') return { inverse };
  const quotient = weight > 0 && mscaleAllDim > 0;
  const ofCosSin =
    attentionFactor ??
    (quotient ? mscale(factor, weight) / mscale(factor, mscaleAllDim) : mscale(factor));
  const ofSoftmax = mscaleAllDim > 0 && scalesSoftmax ? mscale(factor, mscaleAllDim) ** 2 : 1;
  return temperature === 'cos-sin'
    ? { inverse, attentionFactor: ofCosSin, softmaxScale: ofSoftmax }
    : { inverse, softmaxScale: ofSoftmax * ofCosSin ** 2 };
}

function dynamicFactor({ factor, originalLength, length = originalLength, form = 'current' }) {
  const ratio = Math.max(length, originalLength) / originalLength;
  if (form === 'vllm-constant') return Math.max(factor * factor - (factor - 1), 1);
  if (form === 'rounded') return Math.max(2 ** Math.ceil(Math.log2(ratio) + 1) - 1, 1);
  return factor * ratio - (factor - 1);
}

/**
 * Each gives the frequencies, and the factors that are not 1.
 * @type {Record<string, (width: any, options?: any) => any>}
 */
export const scalings = {
  none: ({ dim, base }) => ({ inverse: trained(dim, base) }),
  linear: ({ dim, base }, { factor }) => ({ inverse: trained(dim, base).map((f) => f / factor) }),
  ntk(width, { factor, form = 'bloc97', exponent }) {
    const { dim, base } = width;
    if (exponent !== undefined && form !== 'su-mixed')
      throw new Invalid('exponent belongs to su-mixed');
    if (form === 'bloc97') return { inverse: bloc97(width, factor) };
    if (form === 'su-old') return { inverse: trained(dim, base * factor) };
    const power = form === 'su-fixed' ? 1 : (exponent ?? 0.625);
    const a = Math.log(factor) / (dim / 2) ** power;
    return { inverse: trained(dim, base).map((f, i) => f * Math.exp(-a * (i + 1) ** power)) };
  },
  'ntk-alpha': (width, { alpha }) => ({ inverse: bloc97(width, alpha) }),
  'dynamic-ntk': (width, options) => ({ inverse: bloc97(width, dynamicFactor(options)) }),
  'ntk-by-parts': (width, options) => ({ inverse: byParts(width, options, options.factor) }),
  'part-ntk'(width, options) {
    const { factor, originalLength, ntkFactor = 1, extrapolationFactor = 1 } = options;
    const { beta0 = 1.25, beta1 = 0.75, gamma0 = 16, gamma1 = 2 } = options;
    const inner = codedShares(width, originalLength, beta0, beta1, true);
    const outer = codedShares(width, originalLength, gamma0, gamma1, true);
    const ntk = bloc97(width, factor);
    return {
      inverse: trained(width.dim, width.base).map((f, i) => {
        const mixed = mean(f / factor, ntk[i], inner[i] * ntkFactor);
        return mean(mixed, f, outer[i] * extrapolationFactor);
      }),
    };
  },
  yarn: (width, options) => yarn(width, options, options.factor),
  'dynamic-yarn': (width, options) =>
    yarn(width, options, Math.max(1, options.length / options.originalLength)),
  longrope({ dim, base }, options) {
    const { shortFactor, longFactor, originalLength, maxLength = originalLength } = options;
    const { length = originalLength, decideBy = 'length', factor } = options;
    if (decideBy === 'max-length' && options.maxLength === undefined)
      throw new Invalid('maxLength must be given');
    const deciding = decideBy === 'length' ? length : maxLength;
    const divisors = deciding > originalLength ? longFactor : shortFactor;
    const s = factor ?? maxLength / originalLength;
    const computed = s <= 1 ? 1 : Math.sqrt(1 + Math.log(s) / Math.log(originalLength));
    return {
      inverse: trained(dim, base).map((f, i) => f / divisors[i]),
      attentionFactor: options.attentionFactor ?? computed,
    };
  },
  llama3({ dim, base }, { factor, originalLength, lowFreqFactor: low = 1, highFreqFactor = 4 }) {
    if (low > highFreqFactor) throw new Invalid('lowFreqFactor must be at most highFreqFactor');
    return {
      inverse: trained(dim, base).map((f) => {
        const wavelength = (2 * Math.PI) / f;
        if (wavelength < originalLength / highFreqFactor) return f;
        if (wavelength > originalLength / low) return f / factor;
        if (low === highFreqFactor) return f;
        const share = (originalLength / wavelength - low) / (highFreqFactor - low);
        return mean(f / factor, f, share);
      }),
    };
  },
  proportional({ dim, base, rotaryFraction }, { factor = 1 }) {
    const rotated = Math.floor((rotaryFraction * dim) / 2);
    if (rotated < 1) throw new Invalid('at least one pair must be rotated');
    return { inverse: trained(dim, base).map((f, i) => (i < rotated ? f / factor : 0)) };
  },
};

/** The frequencies of a rotary scheme for heads of `dim` values. */
export function frequenciesOf(position, dim) {
  const { frequencies, base = 10000, rotaryFraction = 1, scaling = { type: 'none' } } = position;
  if (frequencies) {
    for (const name of ['base', 'rotaryFraction', 'scaling'])
      if (position[name] !== undefined) throw new Invalid(`${name} must come without frequencies`);
    if (2 * frequencies.inverseFrequencies.length > dim)
      throw new Invalid('frequencies must not be wider than a head');
    const { inverseFrequencies: inverse, attentionFactor = 1, softmaxScale = 1 } = frequencies;
    return { inverse, attentionFactor, softmaxScale };
  }
  if (dim % 2 !== 0) throw new Invalid('dim must be even');
  const isWhole = scaling.type === 'proportional';
  const rotated = isWhole ? dim : Math.floor(dim * rotaryFraction);
  if (rotated < 2 || rotated % 2 !== 0)
    throw new Invalid('rotaryFraction must give an even number of values');
  const made = scalings[scaling.type]({ dim: rotated, base, rotaryFraction }, scaling);
  return { attentionFactor: 1, softmaxScale: 1, ...made };
}
