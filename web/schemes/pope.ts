/** PoPE. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'PoPE', zh: 'PoPE' };

export const history: History = {
  source: 'https://arxiv.org/abs/2509.10534',
  anchor: '#text-family',
};

export const lab = {
  pope: {
    name,
    note: {
      en: 'Sizes come from the text, softplus(q) and softplus(k), phases from the position alone.',
      zh: '大小来自文本，即 softplus(q) 和 softplus(k)；相位只来自位置。',
    },
  },
} satisfies Lab;
