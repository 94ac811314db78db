/** RePo. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'RePo', zh: 'RePo' };

export const history: History = {
  source: 'https://arxiv.org/abs/2512.14391',
  anchor: '#text-positions',
};

export const lab = {
  repo: {
    name,
    note: {
      en: 'RoPE at a real position that each token computes for itself. Order plays no part.',
      zh: '每个词元自己算出一个实数位置，再用 RoPE；与先后次序无关。',
    },
  },
} satisfies Lab;
