/** PaTH. */
import type { Words } from '../languages.ts';
import type { History, Lab } from './record.ts';

export const name: Words = { en: 'PaTH', zh: 'PaTH' };

export const history: History = {
  source: 'https://arxiv.org/abs/2505.16381',
  anchor: '#text-family',
};

export const lab = {
  path: {
    name,
    note: {
      en: 'Each token between key and query removes a part of the key along a direction of its own. The gate says how much.',
      zh: '键与查询之间的每个词元沿自己的方向去掉键的一部分，门决定去掉多少。',
    },
  },
} satisfies Lab;
