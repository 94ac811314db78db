/** The schemes of the long text, for one head of many and for some of the queries at a time. */
import type { AttentionPosition, Ropewalk, Tensor } from 'ropewalk';
import { normal, stream } from '../../toy/hash_random.ts';
import { modelWidth, type Model } from '../../toy/toy_model.ts';

export interface LongModel extends Model {
  /** The head on show, from 0. */
  head: number;
  causal: boolean;
}

export interface LongScheme {
  /** Added to the token vectors, [tokens, C]. */
  input?(rw: Ropewalk, positions: readonly number[]): Tensor;
  /** Passed to attention for one head; the past gives the positions of the queries. */
  position?(rw: Ropewalk, model: LongModel): AttentionPosition;
  /** Keys that are this far away or farther are hidden. */
  window?: number;
}

export const longSchemeNames = ['none', 'sinusoidal', 'rope', 'alibi', 't5', 'window'] as const;
export type LongSchemeName = (typeof longSchemeNames)[number];

/** As T5 has them; its authors train the biases, here they are drawn. */
const buckets = 32;

function drawnBiases({ seed, head }: LongModel): Tensor {
  const draws = stream(seed, head, buckets);
  const data = Float32Array.from({ length: buckets }, (_, bucket) => 2 * normal(draws, bucket));
  return { data, shape: [buckets, 1] };
}

export const longSchemes: Record<LongSchemeName, LongScheme> = {
  none: {},
  sinusoidal: {
    input: (rw, positions) => rw.sinusoidal({ positions: [...positions], dim: modelWidth }),
  },
  rope: {
    position: (rw, { headDim }) => ({
      type: 'rope',
      frequencies: rw.rotaryFrequencies({ dim: headDim }),
      layout: 'half-split',
    }),
  },
  alibi: {
    position: (_, { heads, head }) => ({
      type: 'alibi',
      direction: 'symmetric',
      headOffset: head,
      totalHeads: heads,
    }),
  },
  t5: {
    position: (_, model) => ({
      type: 't5',
      table: drawnBiases(model),
      direction: model.causal ? 'causal' : 'bidirectional',
    }),
  },
  window: { window: 256 },
};
