/**
 * Where each scheme of the lab tells attention about position. A scheme that does not appear in a
 * place does nothing there; a new family is one more entry.
 */
import type { AttentionPosition, Ropewalk, Tensor } from 'ropewalk';
import { modelWidth, type Model } from './toy_model.ts';

export interface Scheme {
  /** Added to the token vectors, [tokens, C]. */
  input?(rw: Ropewalk, positions: readonly number[]): Tensor;
  /** What attention itself is told: a rotation of q and k, or a bias. */
  position?(rw: Ropewalk, model: Model, positions: readonly number[]): AttentionPosition;
  /** The bias that attention will add, [heads, tokens, tokens], for the reader to see. */
  bias?(rw: Ropewalk, model: Model, tokens: number): Tensor;
}

export const schemeNames = [
  'none',
  'sinusoidal',
  'rope-interleaved',
  'rope-half-split',
  'alibi',
] as const;
export type SchemeName = (typeof schemeNames)[number];

const rope = (layout: 'interleaved' | 'half-split'): Scheme => ({
  position: (rw, { headDim }, positions) => ({
    type: 'rope',
    frequencies: rw.rotaryFrequencies({ dim: headDim }),
    layout,
    positions: [...positions],
  }),
});

export const schemes: Record<SchemeName, Scheme> = {
  none: {},
  sinusoidal: {
    input: (rw, positions) => rw.sinusoidal({ positions: [...positions], dim: modelWidth }),
  },
  'rope-interleaved': rope('interleaved'),
  'rope-half-split': rope('half-split'),
  alibi: {
    position: () => ({ type: 'alibi', direction: 'symmetric' }),
    bias: (rw, { heads }, tokens) =>
      rw.alibi({ heads, queries: tokens, keys: tokens, direction: 'symmetric' }),
  },
};
