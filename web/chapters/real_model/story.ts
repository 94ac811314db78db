/** A story as a reader sees it: words, each with how much it surprises the model as trained. */
import type { Story } from '../../worker/model_requests.ts';

export interface StoryWord {
  text: string;
  /** −ln of its probability, in nats; undefined until it is known. */
  surprise: number | undefined;
  /** Part of the beginning that the reader wrote. */
  isGiven: boolean;
}

/** Joins the tokens of a story to words; a word has the space before it. */
export function wordsOf({ pieces, given, surprises }: Story): StoryWord[] {
  const words: StoryWord[] = [];
  pieces.forEach((text, i) => {
    const surprise = surprises.length > 0 ? surprises[i] : undefined;
    const isGiven = i < given;
    const last = words.at(-1);
    if (!last || /^\s/.test(text) || /\s$/.test(last.text) || last.isGiven !== isGiven)
      return words.push({ text, surprise, isGiven });
    last.text += text;
    if (last.surprise !== undefined) last.surprise += surprise ?? 0;
    return undefined;
  });
  return words;
}

/** What follows a story that its length cut short. */
export const ellipsisOf = (text: string) => (/[.!?…]["”']?\s*$/.test(text) ? '' : '…');

export const textOf = ({ pieces }: Story) => pieces.join('');

/** From which surprise on a word is of each level, in nats. */
export const levels = [0, 2, 4, 8, 16] as const;

/** The level of a surprise, from 0. */
export const levelOf = (surprise: number) =>
  Math.max(
    0,
    levels.findLastIndex((least) => surprise >= least),
  );

/** The mean surprise of what the model wrote, in nats a token. */
export function writtenSurprise({ given, surprises }: Story): number {
  const written = Array.from(surprises).slice(given);
  return written.reduce((sum, value) => sum + value, 0) / written.length;
}
