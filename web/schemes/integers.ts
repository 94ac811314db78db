/** Positions as integers. */
import type { Words } from '../languages.ts';
import type { Ticks } from './record.ts';

export const name: Words = { en: 'Integers', zh: '整数' };

export const ticks: Ticks = {
  bounded: ['no', '#one-number', 'grow with the text', '随文本增大'],
  unique: ['yes', '#one-number', 'one number each', '各有一个数'],
  relative: ['half', '#one-number', 'equal steps, but no score', '间隔相等，但不是分数'],
  directed: ['yes', '#one-number', 'larger is later', '越大越靠后'],
  extrapolates: ['no', '#one-number', 'inputs never seen', '输入从没见过'],
  cached: ['yes', '#one-number', 'positions never change', '位置不变'],
};
