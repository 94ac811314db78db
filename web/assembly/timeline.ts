/** `<!-- timeline -->` in a chapter: the schemes by the date of the source that this page cites. */
import type { Language, Words } from '../languages.ts';
import { having } from '../schemes/all.ts';
import type { History } from '../schemes/record.ts';

type Step = History & { name: Words };

const same = (name: string): Words => ({ en: name, zh: name });

/** Schemes that the page has no record of. */
const others: readonly Step[] = [
  {
    name: { en: 'relative positions (Shaw)', zh: '相对位置（Shaw）' },
    source: 'https://arxiv.org/abs/1803.02155',
  },
  {
    name: same('BERT'),
    source: 'https://arxiv.org/abs/1810.04805',
    anchor: '#a-table-to-learn',
  },
  {
    name: same('Transformer-XL'),
    source: 'https://arxiv.org/abs/1901.02860',
    anchor: '#four-terms',
  },
  {
    name: same('FLOATER'),
    source: 'https://arxiv.org/abs/2003.09229',
    anchor: '#order-by-reading',
  },
  { name: same('DeBERTa'), source: 'https://arxiv.org/abs/2006.03654' },
  {
    name: { en: 'randomized positions', zh: '随机化位置' },
    source: 'https://arxiv.org/abs/2305.16843',
    anchor: '#random-positions',
  },
  { name: same('LongRoPE'), source: 'https://arxiv.org/abs/2402.13753', anchor: '#recipes' },
  { name: same('Llama 3.1'), source: 'https://arxiv.org/abs/2407.21783', anchor: '#recipes' },
];

/** What sorts by date: the number of a paper of arXiv begins with year and month. */
function dateOf({ source, date }: History): string {
  if (date) return date;
  const [, year, rest] = /arxiv\.org\/abs\/(\d\d)(\d\d\.\d+)/.exec(source) ?? [];
  if (year) return `20${year}-${rest}`;
  throw new Error(`the timeline has no date for ${source}`);
}

const steps: readonly Step[] = [
  ...others,
  ...having('history').map(({ name, value }) => ({ name, ...value })),
].toSorted((a, b) => dateOf(a).localeCompare(dateOf(b)));

/** The steps of each year. */
export const timeline: Record<string, Step[]> = {};
for (const step of steps) (timeline[dateOf(step).slice(0, 4)] ??= []).push(step);

const words = { en: 'source', zh: '出处' };

/** Returns the text of a chapter with the timeline where it names it. */
export function withTimeline(text: string, language: Language): string {
  return text.replace('<!-- timeline -->', () => {
    const years = Object.entries(timeline).map(([year, steps]) => {
      const items = steps.map(({ name, source, anchor }) => {
        const shown = name[language];
        const title = anchor ? `<a href="${anchor}">${shown}</a>` : shown;
        return `<li>${title} <a class="source" href="${source}" aria-label="${shown}: ${words[language]}">${words[language]}</a></li>`;
      });
      return `<li><span class="year">${year}</span><ul>${items.join('\n')}</ul></li>`;
    });
    return `<ol class="timeline">${years.join('\n')}</ol>`;
  });
}
