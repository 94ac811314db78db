/** FoX. */
import type { Words } from '../languages.ts';
import { byMask, type Facts, type History, type Lab, type Ticks, type TextRow } from './record.ts';

export const name: Words = { en: 'FoX', zh: 'FoX' };

export const history: History = {
  source: 'https://arxiv.org/abs/2503.02130',
  anchor: '#text-positions',
};

export const ticks: Ticks = {
  bounded: ['half', '#moving-ruler', 'the sum grows', '和越来越大'],
  unique: ['half', '#moving-ruler', 'an open gate adds nothing', '门全开时没有增加'],
  relative: ['half', '#moving-ruler', 'a distance from the text', '距离由文本决定'],
  directed: byMask,
  extrapolates: ['yes', '#length-race', 'near 100 % in the race', '比赛中接近 100%'],
  cached: ['yes', '#text-family', 'one sum per token and head', '每个词元、每个头一个和'],
};

export const facts: Facts = {
  figure: '#moving-ruler',
  acts: { en: 'score, by gates', zh: '分数（由门决定）' },
  learned: { en: 'model width + 1 per head', zh: '每头“模型宽度 + 1”个' },
  cache: { en: 'keys, one sum per token and head', zh: '键，每个词元、每个头一个和' },
  users: { en: 'research', zh: '研究' },
};

export const rows: readonly TextRow[] = [
  {
    name: { en: 'FoX, CABLE', zh: 'FoX、CABLE' },
    decides: { en: 'one gate per token', zh: '每个词元一个门' },
    formula: '$\\text{score} + c_m - c_n$',
    cost: { en: '$n$ numbers', zh: '$n$ 个数' },
    cache: { en: 'one sum per token', zh: '每个词元一个和' },
    sources: [
      ['2503.02130', 'https://arxiv.org/abs/2503.02130'],
      ['Cable', 'https://github.com/axiomlab/Cable'],
    ],
  },
];

export const lab = {
  fox: {
    name,
    note: {
      en: 'Adds the logarithms of the forget gates between key and query.',
      zh: '把键与查询之间各遗忘门的对数加到分数上。',
    },
  },
} satisfies Lab;
