/** Selective attention. */
import type { Words } from '../languages.ts';
import type { Lab } from './record.ts';

export const name: Words = { en: 'selective attention', zh: '选择性注意力' };

export const lab = {
  selective: {
    name,
    note: {
      en: 'Earlier queries that scored a key highly make later queries ignore it.',
      zh: '前面的查询给某个键打了高分，后面的查询就少看它。',
    },
  },
} satisfies Lab;
