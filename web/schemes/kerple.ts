/** KERPLE. */
import type { Words } from '../languages.ts';
import { byMask, type Facts, type History, type Lab, type Ticks } from './record.ts';

export const name: Words = { en: 'KERPLE', zh: 'KERPLE' };

export const history: History = {
  source: 'https://arxiv.org/abs/2205.09921',
  anchor: '#relative-biases',
};

export const ticks: Ticks = {
  bounded: ['half', 'https://arxiv.org/abs/2205.09921', 'grows as a logarithm', '按对数增大'],
  unique: ['yes', 'https://arxiv.org/abs/2205.09921', 'one value per distance', '每个距离一个值'],
  relative: ['yes', 'https://arxiv.org/abs/2205.09921', 'distance alone', '只看距离'],
  directed: byMask,
  extrapolates: ['yes', '#flip-flop-memory', 'also on sparse text', '稀疏文本也行'],
  cached: ['yes', 'https://arxiv.org/abs/2205.09921', 'keys have no position', '键里没有位置'],
};

export const facts: Facts = {
  figure: '#relative-biases',
  acts: { en: 'score', zh: '分数' },
  learned: { en: '2 per head', zh: '每头 2 个' },
  cache: { en: 'keys', zh: '键' },
  users: { en: 'research', zh: '研究' },
};

export const lab = {
  'kerple-log': {
    name: { en: 'KERPLE, logarithmic', zh: 'KERPLE（对数）' },
    note: {
      en: 'Adds −ln(1 + r |m − n|). r is learned; here it is 1 in the first head and half as large in each next.',
      zh: '加上 −ln(1 + r |m − n|)。r 本是学来的；这里第一个头取 1，往后逐头减半。',
    },
  },
  'kerple-power': {
    name: { en: 'KERPLE, power', zh: 'KERPLE（幂）' },
    note: {
      en: 'Adds −½ |m − n|^p. p is learned; here head h of H has h/H, so that the last is a straight line, as in ALiBi.',
      zh: '加上 −½ |m − n|^p。p 本是学来的；这里 H 个头中的第 h 个取 h/H，最后一个头就是 ALiBi 那样的直线。',
    },
  },
} satisfies Lab;
