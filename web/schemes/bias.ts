/** Biases by distance. */
import { byMask, type Lab, type SchemeRecord } from './record.ts';

export const lab = {
  t5: {
    name: { en: 'T5 buckets', zh: 'T5 分桶' },
    note: {
      en: 'One learned number per bucket of distances and head, random here. T5 leaves out 1/√d; the lab keeps it, so that maps compare.',
      zh: '每个距离桶、每个头一个可学习的数，这里是随机数。T5 本身不除以 √d，这里保留，便于与别的图比较。',
    },
  },
  alibi: {
    name: { en: 'ALiBi', zh: 'ALiBi' },
    note: {
      en: 'Subtracts the distance times a slope; each head has its own.',
      zh: '减去斜率乘距离，每个头的斜率不同。',
    },
  },
  'kerple-log': {
    name: { en: 'KERPLE, logarithmic', zh: 'KERPLE（对数）' },
    note: {
      en: 'Adds −ln(1 + r |m − n|). r is learned; here it is 1 in the first head and half as large in each next.',
      zh: '加上 −ln(1 + r |m − n|)。r 本是可学习的；这里第一个头取 1，往后逐头减半。',
    },
  },
  'kerple-power': {
    name: { en: 'KERPLE, power', zh: 'KERPLE（幂）' },
    note: {
      en: 'Adds −½ |m − n|^p. p is learned; here head h of H has h/H, so that the last is a straight line, as in ALiBi.',
      zh: '加上 −½ |m − n|^p。p 本是可学习的；这里 H 个头中的第 h 个取 h/H，最后一个头就是 ALiBi 那样的直线。',
    },
  },
} satisfies Lab;

export const records = {
  t5: {
    name: { en: 'T5 buckets', zh: 'T5 的桶' },
    history: {
      source: 'https://arxiv.org/abs/1910.10683',
      anchor: '#t5-one-number-per-bucket',
    },
    ticks: {
      bounded: ['yes', '#t5-buckets', 'a fixed list of numbers', '固定的一组数'],
      unique: ['half', '#t5-buckets', 'far distances share one', '远的距离共用一个'],
      relative: ['yes', '#t5-buckets', 'distance alone', '只看距离'],
      directed: ['yes', '#t5-buckets', 'own buckets for each side', '两侧各有各的桶'],
      extrapolates: ['half', '#length-race', 'declines slowly', '缓慢下降'],
      cached: ['yes', '#t5-buckets', 'keys have no position', '键里没有位置'],
    },
    facts: {
      name: { en: 'T5 buckets', zh: 'T5 分桶' },
      figure: '#t5-buckets',
      acts: { en: 'score', zh: '分数' },
      learned: { en: 'buckets × heads', zh: '桶数 × 头数' },
      cache: { en: 'keys', zh: '键' },
      users: { en: 'T5', zh: 'T5' },
    },
  },
  alibi: {
    name: { en: 'ALiBi', zh: 'ALiBi' },
    history: {
      source: 'https://arxiv.org/abs/2108.12409',
      anchor: '#alibi-one-slope-per-head',
    },
    ticks: {
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
    },
    facts: {
      figure: '#alibi-slopes',
      acts: { en: 'score', zh: '分数' },
      learned: { en: 'nothing', zh: '无' },
      cache: { en: 'keys', zh: '键' },
      users: { en: 'BLOOM, MPT', zh: 'BLOOM、MPT' },
    },
  },
  kerple: {
    name: { en: 'KERPLE', zh: 'KERPLE' },
    history: {
      source: 'https://arxiv.org/abs/2205.09921',
      anchor: '#relative-biases',
    },
    ticks: {
      bounded: ['half', 'https://arxiv.org/abs/2205.09921', 'grows as a logarithm', '按对数增大'],
      unique: [
        'yes',
        'https://arxiv.org/abs/2205.09921',
        'one value per distance',
        '每个距离一个值',
      ],
      relative: ['yes', 'https://arxiv.org/abs/2205.09921', 'distance alone', '只看距离'],
      directed: byMask,
      extrapolates: ['yes', '#flip-flop-memory', 'also on sparse text', '稀疏文本也行'],
      cached: ['yes', 'https://arxiv.org/abs/2205.09921', 'keys have no position', '键里没有位置'],
    },
    facts: {
      figure: '#relative-biases',
      acts: { en: 'score', zh: '分数' },
      learned: { en: '2 per head', zh: '每头 2 个' },
      cache: { en: 'keys', zh: '键' },
      users: { en: 'research', zh: '研究' },
    },
  },
  sandwich: {
    name: { en: 'Sandwich', zh: 'Sandwich' },
    history: {
      source: 'https://arxiv.org/abs/2212.10356',
      anchor: '#relative-biases',
    },
  },
} satisfies Record<string, SchemeRecord>;
