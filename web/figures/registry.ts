/** Every figure by name, loaded when it is needed; the only place that lists them. */
import type { AnyFigure } from './figure.ts';

type Loader = () => Promise<{ default: AnyFigure }>;

export const figures: Record<string, Loader> = {
  'word-order': () => import('../chapters/opening/word_order.ts'),
  'same-word': () => import('../chapters/opening/same_word.ts'),
  'one-number': () => import('../chapters/waves/one_number.ts'),
  'bits-and-dials': () => import('../chapters/waves/bits_and_dials.ts'),
  'dial-curve': () => import('../chapters/waves/dial_curve.ts'),
  'sinusoid-heatmap': () => import('../chapters/sinusoid/heatmap.ts'),
  'sinusoid-dot-product': () => import('../chapters/sinusoid/dot_product.ts'),
  'sinusoid-shift': () => import('../chapters/sinusoid/shift.ts'),
  'sinusoid-four-terms': () => import('../chapters/sinusoid/four_terms.ts'),
  'learned-table': () => import('../chapters/at_the_input/learned_table.ts'),
  'recurrent-order': () => import('../chapters/at_the_input/recurrent_order.ts'),
  'combined-scores': () => import('../chapters/at_the_input/combined_scores.ts'),
  't5-buckets': () => import('../chapters/relative_biases/buckets.ts'),
  'alibi-slopes': () => import('../chapters/relative_biases/slopes.ts'),
  'rotary-clocks': () => import('../chapters/rotation/clocks.ts'),
  'rotary-pairings': () => import('../chapters/rotation/pairings.ts'),
  'rotary-decay': () => import('../chapters/rotation/decay.ts'),
  'rotary-wavelengths': () => import('../chapters/rotation/wavelengths.ts'),
  'unseen-angles': () => import('../chapters/longer_contexts/coverage.ts'),
  'position-digits': () => import('../chapters/longer_contexts/digits.ts'),
  'frequency-scalings': () => import('../chapters/longer_contexts/scalings.ts'),
  'attention-factor': () => import('../chapters/longer_contexts/temperature.ts'),
  'stale-cache': () => import('../chapters/longer_contexts/cache.ts'),
  'rerope-map': () => import('../chapters/longer_contexts/rerope.ts'),
  'log-n-entropy': () => import('../chapters/longer_contexts/entropy.ts'),
  'position-rounding': () => import('../chapters/longer_contexts/rounding.ts'),
  'length-race': () => import('../chapters/train_short/race.ts'),
  'extend-without-training': () => import('../chapters/train_short/extend.ts'),
  'trained-heads': () => import('../chapters/train_short/heads.ts'),
  'flip-flop-memory': () => import('../chapters/train_short/flip_flop.ts'),
  'attention-lab': () => import('../chapters/attention_lab/lab.ts'),
  'long-text': () => import('../chapters/attention_lab/long_text.ts'),
};
