/** PaTH. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'PaTH', zh: 'PaTH' };

export const history: History = {
  source: 'https://arxiv.org/abs/2505.16381',
  anchor: '#text-family',
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: 'a direction and a gate per token', zh: '每个词元的方向和门' },
    formula: '$q_m^{\\top} H_m\\cdots H_{n+1}k_n$',
    cost: { en: '$d$ per pair, in sequence', zh: '每两个词元 $d$，须依次计算' },
    cache: { en: 'rewrites every key per step', zh: '每步改写所有的键' },
  },
];

export const lab = {
  path: {
    name,
    note: {
      en: 'Each token between key and query removes a part of the key along a direction of its own. The gate says how much.',
      zh: '键与查询之间的每个词元沿自己的方向去掉键的一部分，门决定去掉多少。',
    },
  },
} satisfies Lab;
