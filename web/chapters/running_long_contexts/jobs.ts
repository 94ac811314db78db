/** The jobs of the chapter. They run in the worker. */
import type { NumberFormat, RotaryFormats, RotaryScaling, Ropewalk } from 'ropewalk';
import type { Encodings } from '#in-parts';
import { normal, stream } from '../../toy/hash_random.ts';

export interface EntropyRequest {
  /** Standard deviation of the logits. */
  sharpness: number;
  originalLength: number;
  seed: number;
}

export interface Entropies {
  lengths: number[];
  /** Mean entropy of a row, in nats, without and with the factor. */
  plain: number[];
  scaled: number[];
  factors: number[];
}

const queryCount = 32;
const entropyDim = 16;
const entropyLengths = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/**
 * Independent normal numbers as queries and keys: no text, no training, only more and more keys.
 */
export function logNEntropy(rw: Ropewalk, request: EntropyRequest): Entropies {
  const { sharpness, originalLength, seed } = request;
  const matrix = (rows: number, name: number) => {
    const draws = stream(seed, name);
    return {
      data: Float32Array.from({ length: rows * entropyDim }, (_, k) => normal(draws, k)),
      shape: [rows, entropyDim],
    };
  };
  const q = matrix(queryCount, 1);
  const all = matrix(entropyLengths.at(-1)!, 2);
  const scale = sharpness / Math.sqrt(entropyDim);
  const mean = (values: Float32Array) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const entropyOf = (length: number, factor: number) => {
    const data = all.data.subarray(0, length * entropyDim);
    const k = { data, shape: [length, entropyDim] };
    const rowScale = new Float64Array(queryCount).fill(factor);
    return mean(
      rw.attention(q, k, k, { scale, rowScale, intermediates: ['entropy'] }).entropy!.data,
    );
  };
  const factors = entropyLengths.map(
    (length) => rw.logitFactors(1, { type: 'log-n', form: 'length', originalLength, length })[0]!,
  );
  return {
    lengths: entropyLengths,
    plain: entropyLengths.map((length) => entropyOf(length, 1)),
    scaled: entropyLengths.map((length, k) => entropyOf(length, factors[k]!)),
    factors,
  };
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
  /** One row: in training; over `factor` times as many keys; and that with the factor. */
  rows: [trained: RowOfKeys, plain: RowOfKeys, scaled: RowOfKeys];
}

/** Attention weights of one query. */
export interface RowOfKeys {
  /** How many keys there are in all. */
  keys: number;
  /** Of the keys that training had, too. */
  weights: number[];
  /** Sum of the weights of all others. */
  rest: number;
}

/** Training length for LongRoPE's rule, which needs one: that of Phi-3. */
const longropeLength = 4096;
export const largestFactor = 64;

/** Keys of the row in training. */
export const trainedKeys = 64;
/** The one among them that fits the query, with its score; others are standard normal. */
export const fittingKey = 12;
export const fittingScore = 5;
export const rowSeed = 5;

function rowOfKeys(rw: Ropewalk, keys: number, scale: number): RowOfKeys {
  const draws = stream(rowSeed);
  const column = (data: Float32Array) => ({ data, shape: [data.length, 1] });
  const score = (_: unknown, k: number) => (k === fittingKey ? fittingScore : normal(draws, k));
  const k = column(Float32Array.from({ length: keys }, score));
  const q = column(Float32Array.of(1));
  const { weights } = rw.attention(q, k, k, { scale, intermediates: ['weights'] });
  const rest = weights!.data.slice(trainedKeys).reduce((sum, weight) => sum + weight, 0);
  return { keys, weights: [...weights!.data.slice(0, trainedKeys)], rest };
}

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
  const logits = given.derivation.logits.rotated;
  const keys = Math.round(trainedKeys * factor);
  return {
    factors,
    yarn: factors.map((factor) => cosSin({ type: 'yarn', factor, originalLength })),
    longrope: factors.map((factor) =>
      cosSin({ type: 'longrope', factor, originalLength, ...ones }),
    ),
    cosSin: given.attentionFactor,
    softmaxScale: given.softmaxScale,
    logits,
    rows: [rowOfKeys(rw, trainedKeys, 1), rowOfKeys(rw, keys, 1), rowOfKeys(rw, keys, logits)],
  };
}

export interface CacheRequest {
  dim: number;
  base: number;
  originalLength: number;
  /** The text up to and with the query. */
  length: number;
  factor: number;
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
  const { dim, base, originalLength, length, factor } = request;
  const last = length - 1;
  const spread = Array.from({ length: cachedKeys + 1 }, (_, k) =>
    Math.round((last * k) / cachedKeys),
  );
  const keys = [...new Set(spread)];
  const at = (now: number) =>
    rw.rotaryFrequencies({
      dim,
      base,
      scaling: { type: 'dynamic-ntk', factor, originalLength, length: now },
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

export interface RoundingRequest {
  format: NumberFormat;
  stage: keyof RotaryFormats | 'all';
  start: number;
  distance: number;
}

export interface Rounding {
  positions: number[];
  /** The positions as the format holds them; their own where positions are not rounded. */
  held: number[];
  /** How many different ones are left of these, and of the first 4096. */
  distinctHere: number;
  distinctOfFirst: number;
  /** The score at `distance`, the query at each of the positions; and the exact one. */
  scores: number[];
  exact: number;
}

const roundedWidth = 64;
export const positionsShown = 32;
export const firstPositions = 4096;

export function rotaryRounding(rw: Encodings, request: RoundingRequest): Rounding {
  const { format, stage, start, distance } = request;
  const positions = Array.from({ length: positionsShown }, (_, k) => start + k);
  const holding: NumberFormat = stage === 'all' || stage === 'position' ? format : 'f64';
  const formats: RotaryFormats =
    stage === 'all'
      ? { position: format, frequency: format, angle: format, table: format, vectors: format }
      : { [stage]: format };
  // 1/8 is exact in every format, and makes q . k the mean cosine over the pairs.
  const vector = new Float64Array(roundedWidth).fill(1 / Math.sqrt(roundedWidth));
  const frequencies = rw.rotaryFrequencies({ dim: roundedWidth });
  const { meanCosine } = rw.rotaryDecay(frequencies, { offsets: [distance] });
  const scores = rw.roundedRotaryScores({
    query: vector,
    key: vector,
    positions,
    distance,
    frequencies,
    layout: 'half-split',
    formats,
  });
  return {
    positions,
    held: [...rw.roundTo(positions, holding)],
    distinctHere: rw.distinctPositions(positions, holding),
    distinctOfFirst: rw.distinctPositions(firstPositions, holding),
    scores: [...scores],
    exact: meanCosine[0]!,
  };
}
