/** Wall. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'Wall', zh: 'Wall' };

export const history: History = {
  source: 'https://blog.tilderesearch.com/blog/wall-attn',
  date: '2026',
  anchor: '#text-family',
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: '$d$ gates per token', zh: '每个词元 $d$ 个门' },
    formula: '$\\textstyle\\sum_i q_{mi}k_{ni}e^{P_{mi}-P_{ni}}$',
    cost: { en: '$n\\,d$ numbers', zh: '$n\\,d$ 个数' },
    cache: { en: '$d$ sums per token', zh: '每个词元 $d$ 个和' },
    sources: [['Tilde Research', 'https://blog.tilderesearch.com/blog/wall-attn']],
  },
];

export const lab = {
  wall: {
    name,
    note: {
      en: 'As FoX, but inside q ⋅ k: each channel has gates of its own, and the product fades.',
      zh: '与 FoX 类似，但在 q ⋅ k 内部：每个通道有自己的门，乘积随之减弱。',
    },
  },
} satisfies Lab;
