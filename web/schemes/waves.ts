/** One sine per dimension. */
import type { Words } from '../languages.ts';
import { open, type Ticks } from './record.ts';

export const name: Words = { en: 'Sine waves', zh: '正弦波' };

export const ticks: Ticks = {
  bounded: ['yes', '#dial-curve', 'from −1 to 1', '−1 到 1'],
  unique: ['half', '#dial-curve', 'until the curve returns', '直到曲线折返'],
  relative: ['no', '#bits-and-dials', 'steps differ in length', '每一步长短不一'],
  directed: open,
  extrapolates: open,
  cached: ['yes', '#bits-and-dials', 'positions never change', '位置不变'],
};
