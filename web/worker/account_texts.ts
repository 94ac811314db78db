/** The account of a config.json in both languages. */
import { describeNote, type ConfigAccount, type ConfigNote } from 'ropewalk/config';
import { chinese } from './account_in_chinese.ts';

const withTexts = (note: ConfigNote) => ({
  ...note,
  texts: { en: describeNote(note), zh: describeNote(note, chinese) },
});

export const accountInWords = ({ read, assumed, contradicts }: ConfigAccount) => ({
  read: read.map(withTexts),
  assumed: assumed.map(withTexts),
  contradicts: contradicts.map(withTexts),
});

export type AccountInWords = ReturnType<typeof accountInWords>;
