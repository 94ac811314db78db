/** Every figure by name, loaded when it is needed; the only place that lists them. */
import type { AnyFigure } from './figure.ts';

type Loader = () => Promise<{ default: AnyFigure }>;

export const figures: Record<string, Loader> = {
  'word-order': () => import('../chapters/opening/word_order.ts'),
  'sinusoid-heatmap': () => import('../chapters/sinusoid/heatmap.ts'),
  'sinusoid-dot-product': () => import('../chapters/sinusoid/dot_product.ts'),
  'sinusoid-shift': () => import('../chapters/sinusoid/shift.ts'),
  'sinusoid-four-terms': () => import('../chapters/sinusoid/four_terms.ts'),
  'attention-lab': () => import('../chapters/attention_lab/lab.ts'),
};
