/** Wall. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'Wall', zh: 'Wall' };

export const history: History = {
  source: 'https://blog.tilderesearch.com/blog/wall-attn',
  date: '2026',
  anchor: '#text-family',
};

export const lab = {
  wall: {
    name,
    note: {
      en: 'As FoX, but inside q ⋅ k: each channel has gates of its own, and the product fades.',
      zh: '与 FoX 类似，但在 q ⋅ k 内部：每个通道有自己的门，乘积随之减弱。',
    },
  },
} satisfies Lab;
