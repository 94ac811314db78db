/** Selective attention. */
import type { Words } from '../languages.ts';
import type { Lab, TextRow } from './record.ts';

export const name: Words = { en: 'selective attention', zh: '选择性注意力' };

export const rows: readonly TextRow[] = [
  {
    name: { en: 'Selective attention', zh: '选择性注意力' },
    decides: { en: 'what earlier queries marked', zh: '先前的查询标记了什么' },
    formula: '$\\text{score} - \\textstyle\\sum_{t&lt;m} S_{tn}$',
    cost: { en: 'all scores of one head', zh: '一个头的全部分数' },
    cache: { en: 'one sum per key', zh: '每个键一个和' },
    sources: [['2410.02703', 'https://arxiv.org/abs/2410.02703']],
  },
];

export const lab = {
  selective: {
    name,
    note: {
      en: 'Earlier queries that scored a key highly make later queries ignore it.',
      zh: '前面的查询给某个键打了高分，后面的查询就少看它。',
    },
  },
} satisfies Lab;
