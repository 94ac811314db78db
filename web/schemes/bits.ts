/** Positions as binary digits. */
import type { Words } from '../languages.ts';
import { open, type Ticks } from './record.ts';

export const name: Words = { en: 'Binary digits', zh: '二进制' };

export const ticks: Ticks = {
  bounded: ['yes', '#bits-and-dials', '0 or 1', '0 或 1'],
  unique: ['yes', '#bits-and-dials', 'up to 2ᵈ positions', '至多 2ᵈ 个位置'],
  relative: ['no', '#bits-and-dials', 'one digit flips, or many', '有时翻一位，有时翻很多位'],
  directed: open,
  extrapolates: open,
  cached: ['yes', '#bits-and-dials', 'positions never change', '位置不变'],
};
