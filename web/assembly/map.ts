/** The front page's map: every chapter with its question and its figures. */
import type { AnyFigure } from '../figures/figure.ts';
import type { Language } from '../languages.ts';
import { addressOf, anchor, chapters, figureNamesIn } from './chapters.ts';
import { idsIn } from './links.ts';
import { bodyOf } from './texts.ts';

/**
 * `data-holds` are the ids of a chapter: page.ts follows them from addresses of the time when all
 * chapters were one page.
 */
export async function map(
  figures: Record<string, AnyFigure>,
  language: Language,
  escaped: (text: string) => string,
): Promise<string> {
  const items = chapters.map(async (chapter) => {
    const body = await bodyOf(chapter, language);
    const address = addressOf(chapter);
    const ids = new Set([anchor(chapter), ...idsIn(body)]);
    const links = figureNamesIn(body).map(
      (name) =>
        `<li><a href="${address}#${name}">${escaped(figures[name]!.text[language].title)}</a></li>`,
    );
    return `<li>
<div><a class="title" href="${address}" data-holds="${[...ids].join(' ')}">${chapter.title[language]}</a>
<p>${chapter.question[language]}</p></div>
${links.length > 0 ? `<ul>${links.join('')}</ul>` : ''}
</li>`;
  });
  return `<ol>${(await Promise.all(items)).join('\n')}</ol>`;
}
