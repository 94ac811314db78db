/** The biases of T5. */
import type { Words } from '../languages.ts';
import type { Facts, History, Lab, Ticks } from './record.ts';

export const name: Words = { en: 'T5 buckets', zh: 'T5 的桶' };

export const short: Words = { en: 'T5 buckets', zh: 'T5 分桶' };

export const history: History = {
  source: 'https://arxiv.org/abs/1910.10683',
  anchor: '#t5-one-number-per-bucket',
};

export const ticks: Ticks = {
  bounded: ['yes', '#t5-buckets', 'a fixed list of numbers', '固定的一组数'],
  unique: ['half', '#t5-buckets', 'far distances share one', '远的距离共用一个'],
  relative: ['yes', '#t5-buckets', 'distance alone', '只看距离'],
  directed: ['yes', '#t5-buckets', 'own buckets for each side', '两侧各有各的桶'],
  extrapolates: ['half', '#length-race', 'declines slowly', '缓慢下降'],
  cached: ['yes', '#t5-buckets', 'keys have no position', '键里没有位置'],
};

export const facts: Facts = {
  name: short,
  figure: '#t5-buckets',
  acts: { en: 'score', zh: '分数' },
  learned: { en: 'buckets × heads', zh: '桶数 × 头数' },
  cache: { en: 'keys', zh: '键' },
  users: { en: 'T5', zh: 'T5' },
};

export const lab = {
  t5: {
    name: short,
    note: {
      en: 'One learned number per bucket of distances and head, random here. T5 leaves out 1/√d; the lab keeps it, so that maps compare.',
      zh: '每个距离桶、每个头一个可学习的数，这里是随机数。T5 本身不除以 √d，这里保留，便于与别的图比较。',
    },
  },
} satisfies Lab;
