/** Chinese text has no space beside a full-width mark, wherever its source begins a new line. */
const within = /^<\/?(?:a|b|cite|code|em|i|math|q|span|strong|sub|sup)\b/;
const mark = '[，。；：、！？（）《》「」『』【】]';
const spaces = new RegExp(`(?<=${mark})\\s+|\\s+(?=${mark})`, 'g');
const brokenLine = /(?<=\p{Script=Han})\s*\n\s*(?=\p{Script=Han})/gu;
const endsWithMark = new RegExp(`${mark}$`);
const beginsWithMark = new RegExp(`^${mark}`);

/**
 * Returns the page with its lines joined: a browser shows the end of a line as a space. Code stays
 * as it is.
 */
export function withJoinedLines(page: string): string {
  const parts = page.split(/(<pre\b[^]*?<\/pre>|<!--[^]*?-->|<[^>]*>)/);
  // Texts are at even places, the tags between them at odd ones.
  let before = '';
  for (let i = 0; i < parts.length; i += 2) {
    const [opened = '', next = ''] = [parts[i - 1], parts[i + 1]];
    if (!within.test(opened)) before = '';
    let text = parts[i]!.replaceAll(spaces, '').replaceAll(brokenLine, '');
    if (endsWithMark.test(before)) text = text.trimStart();
    if (within.test(next) && beginsWithMark.test(parts[i + 2] ?? '')) text = text.trimEnd();
    parts[i] = text;
    before = text || before;
  }
  return parts.join('');
}
