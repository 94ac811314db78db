/** `<!-- text schemes -->` in a chapter: a row per scheme whose positions come from the text. */
import type { Language } from '../languages.ts';
import * as all from '../schemes/all.ts';
import type { SchemeRecord, TextRow } from '../schemes/record.ts';

/** Rows by their English names; others follow. */
const order = [
  'FoX, CABLE',
  'CoPE',
  'Selective RoPE',
  'GRAPE-M',
  'RePo',
  'PaTH',
  'Wall',
  'GRAPE-A',
  'GRAPE-AP',
  'Gates per row',
  'Selective attention',
  'Stick-breaking',
  'PoPE',
  'SSMax',
];

const words = {
  score: { en: 'score', zh: '分数' },
  comma: { en: ', ', zh: '，' },
};

/** The source of a record: its address, and the last part of it. */
const sourceOf = ({ history }: SchemeRecord) =>
  history ? [[/[^/=]+$/.exec(history.source)![0], history.source] as const] : [];

function place({ name }: TextRow): number {
  const index = order.indexOf(name!.en);
  return index < 0 ? order.length : index;
}

const rows = Object.values<SchemeRecord>(all)
  .flatMap((record) =>
    (record.rows ?? []).map((row) => ({ name: record.name, sources: sourceOf(record), ...row })),
  )
  .toSorted((a, b) => place(a) - place(b));

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
