/**
 * Where a Chinese heading may break. Its style keeps the characters of a clause together; a clause
 * that is longer than a line breaks between the words of a dictionary.
 */
const words = 'Segmenter' in Intl ? new Intl.Segmenter('zh', { granularity: 'word' }) : undefined;

/** Two characters and more: one alone, as 的, goes with the word before it. */
const longWord = /^\p{Script=Han}{2,}$/u;

/** Returns the parts of a text between which it may break; English has one. */
export function breakable(text: string): string[] {
  if (!words || !/\p{Script=Han}/u.test(text)) return [text];
  const parts = [''];
  for (const { segment } of words.segment(text)) {
    const isWithin = /\p{Script=Han}$/u.test(parts.at(-1)!) && longWord.test(segment);
    if (isWithin) parts.push(segment);
    else parts[parts.length - 1] += segment;
  }
  return parts;
}
