/** Position Interpolation. */
import type { Words } from '../languages.ts';
import {
  rotation,
  type Extension,
  type History,
  type Lab,
  type Term,
  type Ticks,
} from './record.ts';

export const name: Words = { en: 'RoPE with PI', zh: 'RoPE + 位置内插（PI）' };

export const term: Term = {
  name: { en: 'PI, Position Interpolation', zh: '位置内插（PI，又译插值）' },
  anchor: '#recipes',
  definition: { en: 'Divides all frequencies by $s$.', zh: '把所有频率除以 $s$。' },
};

export const history: History = {
  name: { en: 'Position Interpolation', zh: '位置内插' },
  source: 'https://arxiv.org/abs/2306.15595',
  anchor: '#recipes',
};

export const ticks: Ticks = {
  ...rotation,
  unique: ['half', '#frequency-scalings', 'neighbours move together', '相邻位置靠得太近'],
  extrapolates: ['half', '#extend-without-training', 'drawers, not induction', '抽屉行，归纳不行'],
  cached: ['yes', '#stale-cache-text', 'with a fixed factor', '倍数固定即可'],
};

export const extension: Extension = {
  name: { en: 'Position Interpolation', zh: '位置内插（PI）' },
  figure: '#frequency-scalings',
  method: 'pi',
  changes: { en: 'all pairs alike', zh: '所有维度对，程度相同' },
  users: { en: 'Gemma 3, full layers', zh: 'Gemma 3 的全注意力层' },
};

export const lab = {
  'rope-linear': {
    name: { en: 'RoPE with PI, × 4', zh: 'RoPE + 位置内插（PI），4 倍' },
    note: {
      en: 'Position Interpolation: every angle is divided by 4.',
      zh: '位置内插：所有角度都除以 4。',
    },
  },
} satisfies Lab;
