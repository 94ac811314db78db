/** PoPE. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'PoPE', zh: 'PoPE' };

export const history: History = {
  source: 'https://arxiv.org/abs/2509.10534',
  anchor: '#text-family',
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: 'sizes, but no phases', zh: '大小，不含相位' },
    formula: '$\\textstyle\\sum_c \\mu_c\\nu_c\\cos((m-n)\\theta_c-\\delta_c)$',
    cost: { en: 'products of width $2d$', zh: '宽为 $2d$ 的乘积' },
    cache: { en: 'keys of width $2d$', zh: '宽为 $2d$ 的键' },
  },
];

export const lab = {
  pope: {
    name,
    note: {
      en: 'Sizes come from the text, softplus(q) and softplus(k), phases from the position alone.',
      zh: '大小来自文本，即 softplus(q) 和 softplus(k)；相位只来自位置。',
    },
  },
} satisfies Lab;
