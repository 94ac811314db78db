/** NTK-aware scaling. */
import type { Words } from '../languages.ts';
import {
  rotation,
  type Extension,
  type History,
  type Lab,
  type Term,
  type Ticks,
} from './record.ts';

export const name: Words = { en: 'RoPE with NTK-aware scaling', zh: 'RoPE + NTK-aware' };

export const term: Term = {
  name: { en: 'NTK-aware', zh: 'NTK-aware' },
  anchor: '#recipes',
  definition: {
    en: 'Raises the base: the fastest pair stays, the slowest is slowed by $s$.',
    zh: '调大底数：频率最高的维度对不变，最低的放慢 $s$ 倍。',
  },
};

export const history: History = {
  name: { en: 'NTK-aware', zh: 'NTK-aware' },
  source: 'https://kexue.fm/archives/9675',
  date: '2023-07',
  anchor: '#recipes',
};

export const ticks: Ticks = {
  ...rotation,
  unique: ['yes', '#frequency-scalings', 'fast pairs are kept', '高频对不变'],
  extrapolates: ['half', '#extend-without-training', 'a little, on both tasks', '两个任务略有改善'],
  cached: ['half', '#stale-cache', 'not in its dynamic form', '动态形式不行'],
};

export const extension: Extension = {
  name: { en: 'NTK-aware', zh: 'NTK-aware' },
  figure: '#frequency-scalings',
  method: 'ntk',
  changes: { en: 'the base', zh: '底数' },
  users: { en: '–', zh: '–' },
};

export const lab = {
  'rope-ntk': {
    name: { en: 'RoPE with NTK, × 4', zh: 'RoPE + NTK，4 倍' },
    note: {
      en: 'NTK-aware: a larger base divides the slowest angle by 4 and leaves the fastest alone.',
      zh: 'NTK-aware：放大底数，最慢的角度除以 4，最快的不变。',
    },
  },
} satisfies Lab;
