/** Positions scaled to [0, 1]. */
import type { Words } from '../languages.ts';
import type { Ticks } from './record.ts';

export const name: Words = { en: 'Scaled to [0, 1]', zh: '缩放到 [0, 1]' };

export const ticks: Ticks = {
  bounded: ['yes', '#one-number', 'from 0 to 1', '0 到 1'],
  unique: ['half', '#one-number', 'within one text only', '只在同一段文本内'],
  relative: ['no', '#one-number', 'steps depend on the length', '间隔随长度变化'],
  directed: ['yes', '#one-number', 'larger is later', '越大越靠后'],
  extrapolates: ['half', '#one-number', 'known range, new steps', '范围见过，间隔没见过'],
  cached: ['no', '#one-number', 'every new token moves all', '每来一个词元都要全改'],
};
