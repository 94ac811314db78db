/** SSMax. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'SSMax', zh: 'SSMax' };

export const history: History = {
  source: 'https://arxiv.org/abs/2501.19399',
  anchor: '#text-family',
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: 'only the number of keys', zh: '只有键的个数' },
    formula: '$\\mathrm{softmax}(a\\,\\ln n\\cdot \\text{score})$',
    cost: { en: 'one factor per row', zh: '每行一个因子' },
    cache: { en: 'nothing', zh: '无' },
  },
];

export const lab = {
  ssmax: {
    name: { en: 'RoPE with SSMax', zh: 'RoPE + SSMax' },
    note: {
      en: 'RoPE, with scores times 0.43 ln n for the n keys that the query sees. The text enters through n alone.',
      zh: 'RoPE 之外，分数再乘 0.43 ln n，n 是查询能看到的键数；文本只通过 n 起作用。',
    },
  },
} satisfies Lab;
