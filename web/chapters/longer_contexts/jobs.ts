/** The jobs of the chapter. They run in the worker. */
import type { AngleCoverage, RotaryScaling, Ropewalk } from 'ropewalk';
import { scalingOf, type Method, type Reach } from './methods.ts';

/** A trained model's frequencies, and the lengths to compare them over. */
export interface CoverageRequest extends Reach {
  dim: number;
  base: number;
  method: Method;
}

export function unseenAngles(rw: Ropewalk, request: CoverageRequest): AngleCoverage {
  const { dim, base, method, originalLength, length } = request;
  const scaling = scalingOf(method, { ...request, dim });
  const trained = rw.rotaryFrequencies({ dim, base });
  const used = rw.rotaryFrequencies({ dim, base, scaling });
  return rw.angleCoverage({ trained, used, originalLength, length });
}

export interface ScalingsRequest extends Reach {
  dim: number;
  base: number;
  methods: Method[];
}

/** What one method makes of the trained frequencies. */
export interface Scaling {
  method: Method;
  /** New frequency over trained frequency, per pair. */
  ratios: number[];
  inverseFrequencies: Float64Array;
  /** Score of equal query and key at each of `distances`, temperature included. */
  scores: number[];
  base: number;
  attentionFactor: number;
  /** What the logits are multiplied by in all. */
  logits: number;
}

export interface Scalings {
  distances: number[];
  made: Scaling[];
}

/** About as many whole distances as a screen has columns, in equal ratios from 1 to the length. */
const places = 320;

export function frequencyScalings(rw: Ropewalk, request: ScalingsRequest): Scalings {
  const { dim, base, length, methods } = request;
  const steps = Array.from({ length: places + 1 }, (_, k) => Math.round(length ** (k / places)));
  const distances = [...new Set(steps)];
  const made = methods.map((method): Scaling => {
    const scaling = scalingOf(method, { ...request, dim });
    const frequencies = rw.rotaryFrequencies({ dim, base, scaling });
    const { inverseFrequencies, attentionFactor, derivation } = frequencies;
    const logits = derivation.logits.rotated;
    const { meanCosine } = rw.rotaryDecay(frequencies, { offsets: distances });
    return {
      method,
      ratios: Array.from(inverseFrequencies, (frequency, i) => frequency / derivation.trained[i]!),
      inverseFrequencies,
      scores: Array.from(meanCosine, (cosine) => cosine * logits),
      base: derivation.base,
      attentionFactor,
      logits,
    };
  });
  return { distances, made };
}

export interface TemperatureRequest {
  factor: number;
  /** 0 stands for "not in the file", as it does in configurations. */
  attentionFactor: number;
  mscale: number;
  mscaleAllDim: number;
}

export interface Temperature {
  factors: number[];
  /** Factor of cos and sin that the factor alone gives: YaRN's rule and LongRoPE's. */
  yarn: number[];
  longrope: number[];
  /** For the requested factor. */
  cosSin: number;
  softmaxScale: number;
  logits: number;
  rule: string;
}

/** Of the rule for LongRoPE, which knows the training length; Phi-3's. */
const longropeLength = 4096;
export const largestFactor = 64;

export function attentionTemperature(rw: Ropewalk, request: TemperatureRequest): Temperature {
  const dim = 2;
  const factors = Array.from({ length: largestFactor }, (_, k) => k + 1);
  const cosSin = (scaling: RotaryScaling) => rw.rotaryFrequencies({ dim, scaling }).attentionFactor;
  const originalLength = longropeLength;
  const ones = { shortFactor: [1], longFactor: [1] };
  const { factor, attentionFactor, mscale, mscaleAllDim } = request;
  const given = rw.rotaryFrequencies({
    dim,
    scaling: {
      type: 'yarn',
      factor,
      originalLength,
      mscale,
      mscaleAllDim,
      ...(attentionFactor > 0 && { attentionFactor }),
    },
  });
  const { steps, logits } = given.derivation;
  return {
    factors,
    yarn: factors.map((factor) => cosSin({ type: 'yarn', factor, originalLength })),
    longrope: factors.map((factor) =>
      cosSin({ type: 'longrope', factor, originalLength, ...ones }),
    ),
    cosSin: given.attentionFactor,
    softmaxScale: given.softmaxScale,
    logits: logits.rotated,
    rule: steps.find(({ name }) => name === 'attentionFactor')!.rule,
  };
}

export interface CacheRequest extends Reach {
  dim: number;
  base: number;
}

export interface StaleCache {
  /** Positions of keys, up to the query's own. */
  keys: number[];
  /** Each key rotated with the query's base; and with the base at which it was cached. */
  consistent: number[];
  cached: number[];
  /** The base in force when each key was cached. */
  bases: number[];
}

/** Keys shown, in equal steps. */
const cachedKeys = 256;

/** One query at the last position against keys that a dynamic NTK rotated as they came. */
export function staleCache(rw: Ropewalk, request: CacheRequest): StaleCache {
  const { dim, base, length } = request;
  const last = length - 1;
  const spread = Array.from({ length: cachedKeys + 1 }, (_, k) =>
    Math.round((last * k) / cachedKeys),
  );
  const keys = [...new Set(spread)];
  const at = (now: number) =>
    rw.rotaryFrequencies({
      dim,
      base,
      scaling: scalingOf('dynamic-ntk', { ...request, length: now, dim }),
    });
  const now = at(length);
  const ones = (rows: number) => ({
    data: new Float32Array(rows * dim).fill(1 / Math.sqrt(dim)),
    shape: [rows, dim],
  });
  const layout = 'half-split';
  const query = rw.rotate(ones(1), now, { positions: [last], layout });
  const scores = (data: Float32Array) => {
    const k = { data, shape: [keys.length, dim] };
    return [...rw.attention(query, k, k, { scale: 1, intermediates: ['scores'] }).scores!.data];
  };
  const frequencies = keys.map((key) => at(key + 1));
  const old = new Float32Array(keys.length * dim);
  keys.forEach((key, row) => {
    const rotated = rw.rotate(ones(1), frequencies[row]!, { positions: [key], layout });
    old.set(rotated.data, row * dim);
  });
  return {
    keys,
    consistent: scores(rw.rotate(ones(keys.length), now, { positions: keys, layout }).data),
    cached: scores(old),
    bases: frequencies.map(({ derivation }) => derivation.base),
  };
}
