/** The jobs of the chapter. They run in the worker. */
import type { AngleCoverage } from 'ropewalk';
import type { Encodings } from '#in-parts';
import { scalingOf, type Method, type Reach } from './methods.ts';

/** A trained model's frequencies, and the lengths to compare them over. */
export interface CoverageRequest extends Reach {
  dim: number;
  base: number;
  method: Method;
}

export function unseenAngles(rw: Encodings, request: CoverageRequest): AngleCoverage {
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

export function frequencyScalings(rw: Encodings, request: ScalingsRequest): Scalings {
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

export interface RelativeMapRequest {
  length: number;
  window: number;
  factor: number;
}

/** The relative position that the last query gives a key at distance 0, 1, 2, … */
export interface RelativeMap {
  rope: number[];
  leaky: number[];
  rerope: number[];
}

export function relativeMap(rw: Encodings, request: RelativeMapRequest): RelativeMap {
  const { length, window, factor } = request;
  const last = { queries: [length - 1], keys: length };
  const row = (tensor: { data: Float32Array }) => [...tensor.data].reverse();
  return {
    rope: row(rw.relativePositions({ type: 'rope', ...last })),
    leaky: row(rw.relativePositions({ type: 'leaky-rerope', ...last, window, factor })),
    rerope: row(rw.relativePositions({ type: 'rerope', ...last, window })),
  };
}
