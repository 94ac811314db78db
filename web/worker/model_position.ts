/** The position scheme of a config.json, with its account in both languages. */
import type { Ropewalk } from 'ropewalk';
import { positionFromConfig } from 'ropewalk/config';
import { accountInWords } from './account_texts.ts';

export function modelPosition(rw: Ropewalk, config: string | object) {
  const { scheme, account } = positionFromConfig(rw, config);
  return { scheme, account: accountInWords(account) };
}

export type ModelPosition = ReturnType<typeof modelPosition>;
