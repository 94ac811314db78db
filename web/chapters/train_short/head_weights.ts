/** Weights of the heads of the trained models: what the figure `trained-heads` has recorded. */

/** A block of different symbols, repeated to the length. */
export const symbolsOf = (period: number, length: number) =>
  Array.from({ length }, (_, place) => (11 * (place % period) + 5) % 32);

/** The period of the recorded weights, and their length; shorter texts are its beginning. */
export const recordedPeriod = 10;
export const recordedLength = 128;

/** web/trained/recorded/trained_heads_<scheme>.json, see tests/experiments/trained_heads.mjs. */
export interface RecordedHeads {
  /** In thousandths, by layer, head and query: the weights of keys 0 to the query. */
  layers: number[][][][];
}

/** Weights of a layer, [heads, length, length]. */
export interface HeadWeights {
  data: Float32Array;
  heads: number;
}

/** The recorded weights of the first `length` symbols: causal models do not look ahead. */
export const unpacked = ({ layers }: RecordedHeads, length: number): HeadWeights[] =>
  layers.map((heads) => {
    const data = new Float32Array(heads.length * length ** 2);
    heads.forEach((rows, head) =>
      rows.slice(0, length).forEach((row, query) => {
        const weights = row.map((weight) => weight / 1000);
        data.set(weights, (head * length + query) * length);
      }),
    );
    return { data, heads: heads.length };
  });
