/**
 * The tables of "Which should I use?": `<!-- for a new model -->` and `<!-- for a longer context
 * -->`, with the results first, from the records of the schemes and the recorded trainings.
 */
import type { Language, Words } from '../languages.ts';
import type { Recorded, RecordedRun } from '../trained/recordings.ts';
import { factsTable } from './html.ts';
import { having } from '../schemes/all.ts';

/** The plans whose accuracies the tables show. */
export const choosingPlans = ['a1_drawers', 'b1_drawers_extended', 'b2_repeats_extended'] as const;

export type ChoosingResults = Record<(typeof choosingPlans)[number], Recorded>;

const words = {
  en: {
    facts: [
      'Scheme',
      'Drawers, 32 → 512',
      'Acts on',
      'Learned numbers',
      'Cache, besides values',
      'Used by',
    ],
    extension: ['Method', 'Drawers, 256', 'Induction, 256', 'Changes', 'Used by'],
  },
  zh: {
    facts: ['方案', '抽屉任务，32 → 512', '作用在', '可学习的参数', '缓存（除值以外）', '使用者'],
    extension: ['方法', '抽屉任务，256', '归纳任务，256', '改动什么', '使用者'],
  },
};

/** Returns the text of a chapter with the tables that it names. */
export function withChoosing(text: string, language: Language, results: ChoosingResults): string {
  const say = words[language];
  const accuracy = (
    name: string,
    runs: readonly RecordedRun[],
    of: (run: RecordedRun) => number,
  ) => {
    const mean = runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
    return `<span data-result="${name}">${(100 * mean).toFixed(0)}%</span>`;
  };
  const { a1_drawers: drawers, b1_drawers_extended, b2_repeats_extended } = results;

  const facts = () =>
    having('facts').map(({ id, name, value }) => {
      const runs = drawers.results.filter(({ variant }) => variant === id);
      const at = (length: number) =>
        accuracy(
          `drawers/${id}/${length}`,
          runs,
          ({ evaluations }) =>
            evaluations['length']!.find((scores) => scores.length === length)!.accuracy,
        );
      const { figure, acts, learned, cache, users } = value;
      const scores = `${at(32)} → ${at(512)}`;
      const cells = [scores, acts, learned, cache, users];
      return row(language, figure, value.name ?? name, cells);
    });

  const extensions = () =>
    having('extension').map(({ name, value }) => {
      const { figure, changes, method, users } = value;
      const scoresOf = (run: RecordedRun) => run.evaluations[`${method}@8`]![0]!;
      const onDrawers = accuracy(
        `drawers-extended/${method}/8 L`,
        b1_drawers_extended.results,
        (run) => scoresOf(run).accuracy,
      );
      const onRepeats = accuracy(
        `repeats-extended/${method}/repeated, 8 L`,
        b2_repeats_extended.results,
        (run) => scoresOf(run).groups![0]!.accuracy,
      );
      return row(language, figure, value.name ?? name, [onDrawers, onRepeats, changes, users]);
    });

  return text
    .replace('<!-- for a new model -->', () => factsTable(say.facts, facts(), 'choosing'))
    .replace('<!-- for a longer context -->', () =>
      factsTable(say.extension, extensions(), 'choosing'),
    );
}

function row(
  language: Language,
  figure: string,
  name: Words,
  cells: readonly (Words | string)[],
): string {
  const texts = cells.map((cell) => (typeof cell === 'string' ? cell : cell[language]));
  return `<tr><th scope="row"><a href="${figure}">${name[language]}</a></th>
${texts.map((cell) => `<td>${cell}</td>`).join('\n')}</tr>`;
}
