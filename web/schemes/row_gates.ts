/** Forget gates per pair of tokens. */
import type { Words } from '../languages.ts';
import type { Lab, TextRow } from './record.ts';

export const name: Words = { en: 'gates per row', zh: '逐行门控' };

export const rows: readonly TextRow[] = [
  {
    name: { en: 'Gates per row', zh: '逐行门控' },
    decides: { en: 'a gate per pair', zh: '每两个词元之间一个门' },
    formula: '$\\text{score} + \\textstyle\\sum_{l=n}^{m-1}\\ln\\sigma(u_m\\cdot r_l)$',
    cost: { en: 'a logarithm per pair', zh: '每两个词元一次对数' },
    cache: { en: '$r$ per token', zh: '每个词元的 $r$' },
    sources: [['x-transformers', 'https://github.com/lucidrains/x-transformers']],
  },
];

export const lab = {
  'row-gates': {
    name,
    note: {
      en: 'A forget gate per pair of tokens, not per token.',
      zh: '遗忘门属于一对词元，而不是一个词元。',
    },
  },
} satisfies Lab;
