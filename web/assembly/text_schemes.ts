/** `<!-- text schemes -->` in a chapter: a row per scheme whose positions come from the text. */
import type { Language } from '../languages.ts';
import { records } from '../schemes/all.ts';
import type { History } from '../schemes/record.ts';

const words = {
  score: { en: 'score', zh: '分数' },
  comma: { en: ', ', zh: '，' },
};

/** The last part of the address of a scheme's source, and the address. */
const sourceOf = (history?: History) =>
  history ? [[/[^/=]+$/.exec(history.source)![0], history.source] as const] : [];

const rows = Object.values(records).flatMap(({ name, history, row }) =>
  row ? [{ name, sources: sourceOf(history), ...row }] : [],
);

/** Returns the text of a chapter with the body of the table where it names it. */
export const withTextSchemes = (text: string, language: Language): string =>
  text.replace('<!-- text schemes -->', () => {
    const body = rows.map(({ name, decides, formula, cost, cache, sources }) => {
      const score = `\\text{${words.score[language]}}`;
      const links = sources.map(([shown, address]) => `<a href="${address}">${shown}</a>`);
      const cells = [
        decides[language],
        typeof formula === 'string'
          ? formula.replaceAll('\\text{score}', () => score)
          : formula[language],
        cost[language],
        cache[language],
        links.join(words.comma[language]),
      ];
      return `<tr>
        <th scope="row">${name[language]}</th>
        ${cells.map((cell) => `<td>${cell}</td>`).join('\n        ')}
      </tr>`;
    });
    return `<tbody>
      ${body.join('\n      ')}
    </tbody>`;
  });
