/** CoPE. */
import type { Words } from '../languages.ts';
import { byMask, type Facts, type History, type Lab, type Ticks, type TextRow } from './record.ts';

export const name: Words = { en: 'CoPE', zh: 'CoPE' };

export const history: History = {
  source: 'https://arxiv.org/abs/2405.18719',
  anchor: '#text-positions',
};

export const ticks: Ticks = {
  bounded: ['yes', 'https://arxiv.org/abs/2405.18719', 'the count has a maximum', '计数有上限'],
  unique: ['half', '#moving-ruler', 'a closed gate adds nothing', '门全关时没有增加'],
  relative: ['half', '#moving-ruler', 'counts chosen tokens', '只数选中的词元'],
  directed: byMask,
  extrapolates: ['half', '#flip-flop-memory', 'in the race, not here', '比赛中可以，这里不行'],
  cached: ['half', '#text-family', 'gates for every query', '每个查询都要重算门'],
};

export const facts: Facts = {
  figure: '#moving-ruler',
  acts: { en: 'score, by counting', zh: '分数（由计数决定）' },
  learned: { en: 'largest count × head dimension', zh: '最大计数 × 每头维度' },
  cache: { en: 'keys', zh: '键' },
  users: { en: 'research', zh: '研究' },
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: 'gates of query and key', zh: '查询与键之间的门' },
    formula: '$\\text{score} + q_m\\cdot e[\\textstyle\\sum g_{mt}]$',
    cost: { en: '$n$ gates per query', zh: '每个查询 $n$ 个门' },
    cache: { en: 'nothing', zh: '无' },
  },
];

export const lab = {
  cope: {
    name,
    note: {
      en: 'Counts gates σ(q ⋅ k/√d) between key and query, and adds q ⋅ (row of a table) for that count. The table is random here.',
      zh: '数键与查询之间的门 σ(q ⋅ k/√d)，再按这个数查表，把 q ⋅ 表的那一行加到分数上。这里的表是随机的。',
    },
  },
} satisfies Lab;
