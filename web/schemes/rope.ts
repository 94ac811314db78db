/** RoPE, and what it does without any extension. */
import type { Words } from '../languages.ts';
import {
  keysStay,
  rotation,
  type Extension,
  type Facts,
  type History,
  type Lab,
  type Term,
  type Ticks,
} from './record.ts';

export const name: Words = { en: 'RoPE', zh: 'RoPE' };

export const term: Term = {
  name: { en: 'RoPE, rotary position embedding', zh: '旋转位置编码（RoPE）' },
  anchor: '#rotation',
  definition: {
    en: 'Rotates pairs of query and key by angles proportional to the position.',
    zh: '把查询和键的维度对旋转，角度与位置成正比。',
  },
};

export const history: History = { source: 'https://arxiv.org/abs/2104.09864', anchor: '#rotation' };

export const ticks: Ticks = {
  ...rotation,
  unique: ['yes', '#rotary-wavelengths', 'slow pairs never return', '低频对转不完一圈'],
  extrapolates: ['no', '#unseen-angles', 'unseen angles', '会遇到没见过的角度'],
  cached: keysStay,
};

export const facts: Facts = {
  figure: '#rotary-clocks',
  acts: { en: 'query and key', zh: '查询和键' },
  learned: { en: 'nothing', zh: '无' },
  cache: { en: 'rotated keys', zh: '旋转后的键' },
  users: { en: 'Llama, Qwen2.5, Gemma 2, GPT-NeoX', zh: 'Llama、Qwen2.5、Gemma 2、GPT-NeoX' },
};

export const extension: Extension = {
  name: { en: 'none', zh: '不改' },
  figure: '#unseen-angles',
  method: 'direct',
  changes: { en: 'nothing', zh: '无' },
  users: { en: '–', zh: '–' },
};

export const lab = {
  'rope-interleaved': {
    name: { en: 'RoPE, interleaved', zh: 'RoPE（相邻配对）' },
    note: {
      en: 'Dimensions 2i and 2i + 1 are rotated together, by the position times 10,000^(−2i/d).',
      zh: '第 2i 与 2i + 1 维结对旋转，角度是位置乘 10,000^(−2i/d)。',
    },
  },
  'rope-half-split': {
    name: { en: 'RoPE, half-split', zh: 'RoPE（前后半配对）' },
    note: {
      en: 'Dimensions i and i + d/2 are rotated together, by the position times 10,000^(−2i/d).',
      zh: '第 i 与 i + d/2 维结对旋转，角度是位置乘 10,000^(−2i/d)。',
    },
  },
} satisfies Lab;
