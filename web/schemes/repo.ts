/** RePo. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'RePo', zh: 'RePo' };

export const history: History = {
  source: 'https://arxiv.org/abs/2512.14391',
  anchor: '#text-positions',
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: 'a position per token', zh: '每个词元的位置' },
    formula: { en: 'RoPE at $z_m$', zh: 'RoPE，位置为 $z_m$' },
    cost: { en: 'as RoPE', zh: '同 RoPE' },
    cache: { en: 'nothing', zh: '无' },
  },
];

export const lab = {
  repo: {
    name,
    note: {
      en: 'RoPE at a real position that each token computes for itself. Order plays no part.',
      zh: '每个词元自己算出一个实数位置，再用 RoPE；与先后次序无关。',
    },
  },
} satisfies Lab;
