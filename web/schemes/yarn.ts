/** YaRN. */
import type { Words } from '../languages.ts';
import {
  rotation,
  type Extension,
  type History,
  type Lab,
  type Term,
  type Ticks,
} from './record.ts';

export const name: Words = { en: 'RoPE with YaRN', zh: 'RoPE + YaRN' };

export const term: Term = {
  name: { en: 'YaRN', zh: 'YaRN' },
  anchor: '#recipes',
  definition: { en: 'NTK-by-parts with a temperature.', zh: 'NTK-by-parts 加上温度。' },
};

export const history: History = {
  name: { en: 'YaRN', zh: 'YaRN' },
  source: 'https://arxiv.org/abs/2309.00071',
  anchor: '#recipes',
};

export const ticks: Ticks = {
  ...rotation,
  unique: ['yes', '#frequency-scalings', 'fast pairs are kept', '高频对不变'],
  extrapolates: ['half', '#extend-without-training', 'mostly, on both tasks', '两个任务大体可行'],
  cached: ['yes', '#stale-cache-text', 'with a fixed factor', '倍数固定即可'],
};

export const extension: Extension = {
  name: { en: 'YaRN as coded', zh: 'YaRN（代码）' },
  figure: '#frequency-scalings',
  method: 'yarn',
  changes: { en: 'slow pairs, temperature', zh: '低频对、温度' },
  users: { en: 'DeepSeek-V3, gpt-oss', zh: 'DeepSeek-V3、gpt-oss' },
};

export const lab = {
  'rope-yarn': {
    name: { en: 'RoPE with YaRN, × 4', zh: 'RoPE + YaRN，4 倍' },
    note: {
      en: 'From 2,048 positions to 8,192: the slow pairs’ frequencies are divided by 4, the fast ones’ kept, and all scores multiplied by (0.1 ln 4 + 1)² ≈ 1.30.',
      zh: '从 2,048 个位置扩到 8,192 个：低频对的频率除以 4，高频对不变，全部分数再乘 (0.1 ln 4 + 1)² ≈ 1.30。',
    },
  },
} satisfies Lab;
