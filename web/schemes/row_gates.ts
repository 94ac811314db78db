/** Forget gates per pair of tokens. */
import type { Words } from '../languages.ts';
import type { Lab } from './record.ts';

export const name: Words = { en: 'gates per row', zh: '逐行门控' };

export const lab = {
  'row-gates': {
    name,
    note: {
      en: 'A forget gate per pair of tokens, not per token.',
      zh: '遗忘门属于一对词元，而不是一个词元。',
    },
  },
} satisfies Lab;
