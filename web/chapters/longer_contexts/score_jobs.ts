/** The jobs about scores and number formats. They run in the worker. */
import type { NumberFormat, RotaryFormats, Ropewalk } from 'ropewalk';
import { normal, stream } from '../../toy/hash_random.ts';

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

export function relativeMap(rw: Ropewalk, request: RelativeMapRequest): RelativeMap {
  const { length, window, factor } = request;
  const last = { queries: [length - 1], keys: length };
  const row = (tensor: { data: Float32Array }) => [...tensor.data].reverse();
  return {
    rope: row(rw.relativePositions({ type: 'rope', ...last })),
    leaky: row(rw.relativePositions({ type: 'leaky-rerope', ...last, window, factor })),
    rerope: row(rw.relativePositions({ type: 'rerope', ...last, window })),
  };
}

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
const dim = 16;
const entropyLengths = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/**
 * Independent normal numbers as queries and keys: no text, no training, only more and more keys.
 */
export function logNEntropy(rw: Ropewalk, request: EntropyRequest): Entropies {
  const { sharpness, originalLength, seed } = request;
  const matrix = (rows: number, name: number) => {
    const draws = stream(seed, name);
    return {
      data: Float32Array.from({ length: rows * dim }, (_, k) => normal(draws, k)),
      shape: [rows, dim],
    };
  };
  const q = matrix(queryCount, 1);
  const all = matrix(entropyLengths.at(-1)!, 2);
  const scale = sharpness / Math.sqrt(dim);
  const mean = (values: Float32Array) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const entropyOf = (length: number, factor: number) => {
    const k = { data: all.data.subarray(0, length * dim), shape: [length, dim] };
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
export const positionsShown = 96;
export const firstPositions = 4096;

export function rotaryRounding(rw: Ropewalk, request: RoundingRequest): Rounding {
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
