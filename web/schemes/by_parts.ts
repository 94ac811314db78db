/** NTK-by-parts. */
import type { Words } from '../languages.ts';
import type { Extension } from './record.ts';

export const name: Words = { en: 'NTK-by-parts, 1 and 4', zh: 'NTK-by-parts（1 和 4）' };

export const extension: Extension = {
  figure: '#frequency-scalings',
  method: 'by_parts_1_4',
  changes: { en: 'slow pairs', zh: '低频对' },
  users: { en: 'Llama 3.1', zh: 'Llama 3.1' },
};
