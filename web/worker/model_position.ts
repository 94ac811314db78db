/** The position scheme of a config.json, with its account in both languages. */
import type { Ropewalk } from 'ropewalk';
import { describeNote, positionFromConfig, type ConfigNote } from 'ropewalk/config';
import { chinese } from './account_in_chinese.ts';

const withTexts = (note: ConfigNote) => ({
  ...note,
  texts: { en: describeNote(note), zh: describeNote(note, chinese) },
});

export function modelPosition(rw: Ropewalk, config: string | object) {
  const { scheme, account } = positionFromConfig(rw, config);
  const { read, assumed, contradicts } = account;
  return {
    scheme,
    account: {
      read: read.map(withTexts),
      assumed: assumed.map(withTexts),
      contradicts: contradicts.map(withTexts),
    },
  };
}

export type ModelPosition = ReturnType<typeof modelPosition>;
