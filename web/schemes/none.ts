/** No position scheme, NoPE. */
import type { Words } from '../languages.ts';
import {
  byMask,
  keysStay,
  type Facts,
  type History,
  type Lab,
  type Term,
  type Ticks,
} from './record.ts';

export const name: Words = { en: 'No position', zh: '没有位置' };

export const short: Words = { en: 'none', zh: '无' };

export const term: Term = {
  name: { en: 'NoPE', zh: '不用位置（NoPE）' },
  anchor: '#layers-differ',
  definition: { en: 'A layer or model without position.', zh: '没有位置的层或模型。' },
};

export const history: History = {
  name: { en: 'NoPE compared', zh: 'NoPE 的比较' },
  source: 'https://arxiv.org/abs/2305.19466',
  anchor: '#copying',
};

export const ticks: Ticks = {
  bounded: ['yes', '#order-is-missing', 'adds nothing', '什么也不加'],
  unique: ['no', '#same-word', 'all places look the same', '处处都一样'],
  relative: ['no', '#same-word', 'distance has no effect', '距离没有影响'],
  directed: byMask,
  extrapolates: ['no', '#length-race', 'fails in the race', '比赛中失败'],
  cached: keysStay,
};

export const facts: Facts = {
  name: { en: 'none (NoPE)', zh: '不用位置（NoPE）' },
  figure: '#layer-plan',
  acts: { en: 'nothing; the causal mask alone', zh: '什么也不加，只靠因果掩码' },
  learned: { en: 'nothing', zh: '无' },
  cache: { en: 'keys', zh: '键' },
  users: {
    en: 'single layers of Llama 4, SmolLM3, Command R7B',
    zh: 'Llama 4、SmolLM3、Command R7B 的部分层',
  },
};

export const lab = {
  none: {
    name: short,
    note: {
      en: 'No position: scores depend on the words alone.',
      zh: '没有位置信息：分数只取决于词。',
    },
  },
} satisfies Lab;
