/**
 * Chinese headings break between words. Their style keeps the characters of a clause together
 * (style/text.css); where a clause is longer than a line, it breaks at these places.
 */
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** Two characters and more: one alone, as 的, goes with the word before it. */
const longWord = /^\p{Script=Han}{2,}$/u;

export function withWordBreaks(page: string): string {
  return page.replaceAll(/(?<=<h([123])\b[^>]*>).*?(?=<\/h\1>)/gs, (heading) =>
    heading.replaceAll(/(?<![^>])[^<]+|^[^<]+/g, broken),
  );
}

function broken(text: string): string {
  let before = '';
  return [...words.segment(text)]
    .map(({ segment }) => {
      const isWithin = /\p{Script=Han}$/u.test(before) && longWord.test(segment);
      before = segment;
      return isWithin ? `<wbr />${segment}` : segment;
    })
    .join('');
}
