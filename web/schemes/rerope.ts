/** ReRoPE. */
import type { Words } from '../languages.ts';
import { rotation, type Extension, type History, type Lab, type Ticks } from './record.ts';

export const name: Words = { en: 'ReRoPE', zh: 'ReRoPE' };

export const history: History = {
  source: 'https://kexue.fm/archives/9708',
  date: '2023-08',
  anchor: '#rerope',
};

export const ticks: Ticks = {
  ...rotation,
  unique: ['half', '#rerope-map', 'not beyond the window', '窗口以外分不清'],
  extrapolates: [
    'half',
    '#extend-without-training',
    'induction, mostly drawers',
    '归纳可行，抽屉大体可行',
  ],
  cached: ['half', '#rerope-map', 'unrotated keys, two passes', '存旋转前的键，算两遍'],
};

export const extension: Extension = {
  name: { en: 'ReRoPE, w = L₀/2', zh: 'ReRoPE（w = L₀/2）' },
  figure: '#rerope-map',
  method: 'rerope_16',
  changes: { en: 'distances beyond w; two passes', zh: '超过 w 的距离；分数算两遍' },
  users: { en: '–', zh: '–' },
};

export const lab = {
  rerope: {
    name: { en: 'ReRoPE, window 4', zh: 'ReRoPE（窗口 4）' },
    note: {
      en: 'RoPE by the true distance below 4; from there on every pair is rotated as if it were 4 apart.',
      zh: '距离小于 4 时按真实距离旋转；再远，一律当作相距 4。',
    },
  },
} satisfies Lab;
