/** ALiBi. */
import type { Words } from '../languages.ts';
import { byMask, type Facts, type History, type Lab, type Ticks } from './record.ts';

export const name: Words = { en: 'ALiBi', zh: 'ALiBi' };

export const history: History = {
  source: 'https://arxiv.org/abs/2108.12409',
  anchor: '#alibi-one-slope-per-head',
};

export const ticks: Ticks = {
  bounded: ['half', '#alibi-slopes', 'the penalty grows', '减去的数越来越大'],
  unique: ['yes', '#alibi-slopes', 'one value per distance', '每个距离一个值'],
  relative: ['yes', '#alibi-slopes', 'distance alone', '只看距离'],
  directed: byMask,
  extrapolates: [
    'half',
    '#flip-flop-memory',
    'flat, but not on sparse text',
    '保持水平，稀疏文本除外',
  ],
  cached: ['yes', '#alibi-slopes', 'keys have no position', '键里没有位置'],
};

export const facts: Facts = {
  figure: '#alibi-slopes',
  acts: { en: 'score', zh: '分数' },
  learned: { en: 'nothing', zh: '无' },
  cache: { en: 'keys', zh: '键' },
  users: { en: 'BLOOM, MPT', zh: 'BLOOM、MPT' },
};

export const lab = {
  alibi: {
    name,
    note: {
      en: 'Subtracts the distance times a slope; each head has its own.',
      zh: '减去斜率乘距离，每个头的斜率不同。',
    },
  },
} satisfies Lab;
