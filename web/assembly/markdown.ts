/**
 * The text of a chapter from its Markdown, in which a heading ends with its id, as in `## Rotation
 * {#rotation}`; a quotation is the takeaway; a list of `slips` is folded below its heading; what
 * stands between dollars is left to formulas.ts; `<!-- figure NAME -->` is a figure; and between
 * the tags of a `<ropewalk-guess>` stand the question, the choices with `[x]` before the right one,
 * and the solution.
 */
import markdownIt from 'markdown-it';
import type { Language } from '../languages.ts';

const guess = {
  en: { before: 'Guess first.</strong> ', solution: 'Solution' },
  zh: { before: '先猜一猜。</strong>', solution: '解答' },
};

const markdown = markdownIt({ html: true });

markdown.inline.ruler.before('escape', 'formula', (state, silent) => {
  const [formula] = /^(\$\$?)[^$]+\1/.exec(state.src.slice(state.pos)) ?? [];
  if (!formula) return false;
  const escaped = formula.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  if (!silent) state.push('html_inline', '', 0).content = escaped;
  state.pos += formula.length;
  return true;
});

export function chapterHtml(text: string, language: Language): string {
  const { before, solution } = guess[language];
  return markdown
    .render(text)
    .replaceAll(/<h(\d)>(.*) \{#([\w-]+)\}<\/h\1>/g, '<h$1 id="$3">$2</h$1>')
    .replaceAll(/<p>(\$\$[^$]+\$\$)<\/p>/g, (_, formula) => formula)
    .replaceAll(/<blockquote>\s*<p>([^]*?)<\/blockquote>/g, '<p class="takeaway">$1')
    .replaceAll(
      /(<aside class="slips"[^>]*>)\s*(<h\d[^]*?<\/h\d>)([^]*?)(?=<\/aside>)/g,
      '$1<details><summary>$2</summary>$3</details>',
    )
    .replaceAll('<li>[x] ', '<li data-right>')
    .replaceAll(
      /(<ropewalk-guess[^>]*>\s*<p>)([^]*?<\/ul>)([^]*?)(?=<\/ropewalk-guess>)/g,
      `$1<strong>${before}$2
<p role="status"></p>
<details><summary>${solution}</summary>$3</details>
`,
    )
    .replaceAll(
      /<!-- figure ([\w-]+) -->/g,
      '<ropewalk-figure name="$1" id="$1"></ropewalk-figure>',
    );
}
