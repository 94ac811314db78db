/** Selective RoPE. */
import type { Words } from '../languages.ts';
import type { History, Lab, TextRow } from './record.ts';

export const name: Words = { en: 'Selective RoPE', zh: 'Selective RoPE' };

export const history: History = {
  source: 'https://openreview.net/forum?id=AQo1SEElNb',
  date: '2026',
  anchor: '#text-positions',
};

export const rows: readonly TextRow[] = [
  {
    decides: { en: 'angle increments', zh: '角度的增量' },
    formula: '$R(\\Phi_m)q_m\\cdot R(\\Phi_n)k_n$',
    cost: { en: 'as RoPE', zh: '同 RoPE' },
    cache: { en: 'the last sum $\\Phi$', zh: '最后的和 $\\Phi$' },
  },
];

export const lab = {
  'selective-rope': {
    name,
    note: {
      en: 'Rotates query and key by increments that add up from token to token. The gate scales its token’s increment.',
      zh: '查询和键的旋转角由逐个词元的增量累加而成，门控制该词元的增量。',
    },
  },
} satisfies Lab;
