/** A recurrent layer before attention. */
import type { Words } from '../languages.ts';
import { open, type Term, type Ticks } from './record.ts';

export const name: Words = { en: 'Recurrent layer', zh: '循环层' };

export const term: Term = {
  name: { en: 'recurrent encoding', zh: '循环（RNN）位置编码' },
  anchor: '#order-by-reading',
  definition: {
    en: 'Order from a recurrent layer before attention.',
    zh: '在注意力前加循环层，由它带来顺序。',
  },
};

export const ticks: Ticks = {
  bounded: ['yes', '#recurrent-order', 'tanh limits the state', 'tanh 限制了状态'],
  unique: ['half', '#recurrent-order', 'depends on the words', '取决于词'],
  relative: ['no', '#recurrent-order', 'all earlier words matter', '与前面所有词有关'],
  directed: ['yes', '#recurrent-order', 'it reads in order', '按顺序读'],
  extrapolates: open,
  cached: ['yes', '#recurrent-order', 'one state, step by step', '一个状态，逐步计算'],
};
