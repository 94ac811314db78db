/**
 * What a position scheme should do, and how far each scheme does it. In a chapter
 * `<!-- requirements -->` stands for the definitions, `<!-- ticks NAME -->` for the row of a scheme
 * and `<!-- ticks -->` for the table of all. Each tick links to the figure that measures it or to a
 * paper.
 */
import type { Language, Words } from '../languages.ts';
import type { Requirement } from '../schemes/record.ts';
import { factsTable } from './html.ts';
import { having, records } from '../schemes/all.ts';

export const requirements = {
  bounded: {
    name: { en: 'Bounded', zh: '有界' },
    definition: {
      en: 'Its numbers stay within fixed limits, however long the text is.',
      zh: '不管文本多长，数值都在固定的范围内。',
    },
  },
  unique: {
    name: { en: 'Unique', zh: '唯一' },
    definition: {
      en: 'Two positions, or two distances, are never represented alike.',
      zh: '两个不同的位置（或两个不同的距离），表示也不同。',
    },
  },
  relative: {
    name: { en: 'Relative', zh: '相对' },
    definition: {
      en: 'A score depends on the distance of query and key, not on where the two are in the text.',
      zh: '分数取决于查询与键的距离，与两者在文中的位置无关。',
    },
  },
  directed: {
    name: { en: 'Directed', zh: '有方向' },
    definition: {
      en: 'A key before the query and a key after it have different scores.',
      zh: '键在查询之前与在查询之后，分数不同。',
    },
  },
  extrapolates: {
    name: { en: 'Extrapolates', zh: '可外推' },
    definition: {
      en: 'It works on texts longer than those of the training.',
      zh: '文本比训练时长，仍然管用。',
    },
  },
  cached: {
    name: { en: 'Cheap to cache', zh: '便于缓存' },
    definition: {
      en: 'What was computed for earlier tokens stays valid while the text grows.',
      zh: '文本变长时，前面词元已算好的结果仍然有效。',
    },
  },
} satisfies Record<Requirement, { name: Words; definition: Words }>;

const words = {
  marks: {
    yes: { sign: '✓', en: 'yes', zh: '是' },
    half: { sign: '◐', en: 'partly', zh: '部分' },
    no: { sign: '✗', en: 'no', zh: '否' },
    open: { sign: '–', en: 'not measured', zh: '没有测量' },
  },
  en: {
    caption: (name: string) => `${name} and <a href="#requirements">the six requirements</a>`,
    scheme: 'Scheme',
    label: (name: string, requirement: string, mark: string) => `${name}, ${requirement}: ${mark}`,
  },
  zh: {
    caption: (name: string) =>
      `${name}${/[!-~]$/.test(name) ? ' ' : ''}与<a href="#requirements">六项要求</a>`,
    scheme: '方案',
    label: (name: string, requirement: string, mark: string) => `${name}，${requirement}：${mark}`,
  },
} as const;

const all = Object.keys(requirements) as Requirement[];
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the text of a chapter with the lists, rows and tables that it names. */
export function withSpine(text: string, language: Language): string {
  return text
    .replace('<!-- requirements -->', () => definitions(language))
    .replace('<!-- ticks -->', () => overview(language))
    .replace(/<!-- ticks (\w+) -->/g, (_, name: string) => row(name, language));
}

function definitions(language: Language): string {
  const items = all.map((key) => {
    const { name, definition } = requirements[key];
    return `<dt>${name[language]}</dt><dd>${definition[language]}</dd>`;
  });
  return `<dl class="requirements">${items.join('\n')}</dl>`;
}

function row(scheme: string, language: Language): string {
  const { name: shown, ticks } = records[scheme] ?? {};
  if (!shown || !ticks)
    throw new Error(`a chapter shows the ticks of "${scheme}", which has no record with ticks`);
  const items = all.map((key) => {
    const [mark, evidence, en, zh] = ticks[key];
    const note = { en, zh };
    const { sign, [language]: word } = words.marks[mark];
    const name = requirements[key].name[language];
    const title = evidence ? `<a href="${evidence}">${name}</a>` : name;
    return `<li class="${mark}"><span class="sign" role="img" aria-label="${word}">${sign}</span> ${title}<small>${escaped(note[language])}</small></li>`;
  });
  return `<figure class="ticks" id="ticks-${scheme}"><figcaption>${words[language].caption(shown[language])}</figcaption>
<ul>${items.join('\n')}</ul></figure>`;
}

function overview(language: Language): string {
  const columns = [words[language].scheme, ...all.map((key) => requirements[key].name[language])];
  const rows = having('ticks').map(({ id, name: { [language]: name }, value: ticks }) => {
    const cells = all.map((key) => {
      const [mark, evidence] = ticks[key];
      const { sign, [language]: word } = words.marks[mark];
      const label = words[language].label(name, requirements[key].name[language], word);
      const link = evidence
        ? `<a href="${evidence}" aria-label="${label}">${sign}</a>`
        : `<span role="img" aria-label="${label}">${sign}</span>`;
      return `<td class="${mark}">${link}</td>`;
    });
    return `<tr><th scope="row"><a href="#ticks-${id}">${name}</a></th>${cells.join('')}</tr>`;
  });
  return factsTable(columns, rows, 'overview');
}
