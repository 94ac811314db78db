/** Every figure by name, loaded when it is needed; the only place that lists them. */
import type { AnyFigure } from './figure.ts';

type Loader = () => Promise<{ default: AnyFigure }>;

/** By the page that shows it: the front page, or a chapter's. */
const pages: Record<string, Record<string, Loader>> = {
  index: {
    ropes: () => import('../ropes/ropes.ts'),
  },
  opening: {
    'word-order': () => import('../chapters/opening/word_order.ts'),
    'attention-row': () => import('../chapters/opening/attention_row.ts'),
    'same-word': () => import('../chapters/opening/same_word.ts'),
  },
  waves: {
    'one-number': () => import('../chapters/waves/one_number.ts'),
    'bits-and-dials': () => import('../chapters/waves/bits_and_dials.ts'),
    'dial-curve': () => import('../chapters/waves/dial_curve.ts'),
  },
  sinusoid: {
    'sinusoid-heatmap': () => import('../chapters/sinusoid/heatmap.ts'),
    'sinusoid-shift': () => import('../chapters/sinusoid/shift.ts'),
    'sinusoid-dot-product': () => import('../chapters/sinusoid/dot_product.ts'),
    'sinusoid-four-terms': () => import('../chapters/sinusoid/four_terms.ts'),
  },
  'at-the-input': {
    'learned-table': () => import('../chapters/at_the_input/learned_table.ts'),
    'recurrent-order': () => import('../chapters/at_the_input/recurrent_order.ts'),
    'combined-scores': () => import('../chapters/at_the_input/combined_scores.ts'),
  },
  'relative-biases': {
    't5-buckets': () => import('../chapters/relative_biases/buckets.ts'),
    'alibi-slopes': () => import('../chapters/relative_biases/slopes.ts'),
  },
  rotation: {
    'rotary-clocks': () => import('../chapters/rotation/clocks.ts'),
    'rotary-pairings': () => import('../chapters/rotation/pairings.ts'),
    'rotary-wavelengths': () => import('../chapters/rotation/wavelengths.ts'),
    'rotary-decay': () => import('../chapters/rotation/decay.ts'),
  },
  'longer-contexts': {
    'unseen-angles': () => import('../chapters/longer_contexts/coverage.ts'),
    'position-digits': () => import('../chapters/longer_contexts/digits.ts'),
    'frequency-scalings': () => import('../chapters/longer_contexts/scalings.ts'),
    'rerope-map': () => import('../chapters/longer_contexts/rerope.ts'),
  },
  'running-long-contexts': {
    'log-n-entropy': () => import('../chapters/running_long_contexts/entropy.ts'),
    'attention-factor': () => import('../chapters/running_long_contexts/temperature.ts'),
    'stale-cache': () => import('../chapters/running_long_contexts/cache.ts'),
    'layer-plan': () => import('../chapters/running_long_contexts/layer_plan.ts'),
    'position-rounding': () => import('../chapters/running_long_contexts/rounding.ts'),
  },
  'train-short': {
    'length-race': () => import('../chapters/train_short/race.ts'),
    'extend-without-training': () => import('../chapters/train_short/extend.ts'),
    'trained-heads': () => import('../chapters/train_short/heads.ts'),
    'copy-a-list': () => import('../chapters/train_short/copy.ts'),
    'flip-flop-memory': () => import('../chapters/train_short/flip_flop.ts'),
  },
  'real-model': {
    'break-a-llama': () => import('../chapters/real_model/break.ts'),
    'beyond-512': () => import('../chapters/real_model/beyond.ts'),
    'interpolation-heals': () => import('../chapters/real_model/heals.ts'),
    'poems-that-count': () => import('../chapters/real_model/poems.ts'),
    'own-model': () => import('../chapters/real_model/own.ts'),
  },
  'text-positions': {
    'moving-ruler': () => import('../chapters/text_positions/ruler.ts'),
    'text-attention': () => import('../chapters/text_positions/weights.ts'),
  },
  'models-of-today': {
    'models-by-layer': () => import('../chapters/models_of_today/layers.ts'),
    'mrope-axes': () => import('../chapters/models_of_today/axes.ts'),
    'base-bound': () => import('../chapters/models_of_today/base.ts'),
  },
  'attention-lab': {
    'attention-lab': () => import('../chapters/attention_lab/lab.ts'),
    'long-text': () => import('../chapters/attention_lab/long_text.ts'),
  },
};

export const figures: Record<string, Loader> = Object.assign({}, ...Object.values(pages));

/** The page that shows a figure, as an address in the folder of a language's pages. */
export function pageOf(figure: string): string {
  const [name] = Object.entries(pages).find(([, shown]) => Object.hasOwn(shown, figure)) ?? [];
  return name === undefined || name === 'index' ? './' : `./${name}.html`;
}
