/** `<!-- text schemes -->` in a chapter: a row per scheme whose positions come from the text. */
import type { Language } from '../languages.ts';
import { records } from '../schemes/all.ts';
import type { History, TextRow } from '../schemes/record.ts';

const words = {
  score: { en: 'score', zh: '分数' },
  comma: { en: ', ', zh: '，' },
};

/** The source of a scheme as a text, the last part of its address, and the address. */
const sourceOf = ({ source }: History) => [/[^/=]+$/.exec(source)![0], source] as const;

/** A row may have a name and sources of its own, which then replace those of its scheme. */
const rows = Object.values(records).flatMap(({ name, history, row }) =>
  row ? [{ name, sources: history ? [sourceOf(history)] : [], ...row }] : [],
);

const formulaIn = (formula: TextRow['formula'], language: Language) =>
  typeof formula === 'string'
    ? formula.replaceAll('\\text{score}', () => `\\text{${words.score[language]}}`)
    : formula[language];

/** Returns the text of a chapter with the body of the table where it names it. */
export const withTextSchemes = (text: string, language: Language): string =>
  text.replace('<!-- text schemes -->', () => {
    const body = rows.map(({ name, decides, formula, cost, cache, sources }) => {
      const links = sources.map(([shown, address]) => `<a href="${address}">${shown}</a>`);
      const cells = [
        decides[language],
        formulaIn(formula, language),
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
