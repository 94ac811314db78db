/** The front page's map: the chapters on two paths, each with its question, names and figures. */
import type { AnyFigure } from '../figures/figure.ts';
import { stillOf } from '../figures/snippets.ts';
import type { Language } from '../languages.ts';
import { addressOf, anchor, chapters, figureNamesIn, namesOf, type Chapter } from './chapters.ts';
import { escaped } from './html.ts';
import { idsIn } from './links.ts';
import { bodyOf } from './texts.ts';

const words = {
  en: {
    idea: {
      title: 'The idea',
      about:
        'Why attention needs positions, the three classic schemes, and the lengths at which each works. Read these in order.',
    },
    engineers: {
      title: 'For engineers',
      about: 'Choose a scheme, extend a context, find a mistake. Start anywhere.',
    },
    figures: (count: number) => (count === 1 ? '1 figure' : `${count} figures`),
    check: {
      title: 'Check your model',
      question: 'Are the positions in your model right? Drop its arrays and get a verdict.',
      names: ['inv_freq', 'cos', 'sin', 'q_rot', 'config.json'],
    },
  },
  zh: {
    idea: {
      title: '弄懂原理',
      about: '注意力为什么需要位置，三种经典办法各是怎么回事，文本变长后谁还管用。按顺序读。',
    },
    engineers: {
      title: '用到自己的模型上',
      about: '选方案、扩长度、查错误，从哪一章开始都行。',
    },
    figures: (count: number) => `${count} 幅图`,
    check: {
      title: '检查模型',
      question: '你的模型里，位置处理得对不对？拖入它的数组，马上得到结论。',
      names: ['inv_freq', 'cos', 'sin', 'q_rot', 'config.json'],
    },
  },
};

/** Shown beside the link to the check: two curves that differ. */
const checkPicture = 'stale-cache';

/** What a path lists: a chapter, or the check. */
interface Stop {
  /** The link to it. */
  link: string;
  question: string;
  names: readonly string[];
  picture: string;
  /** Links to its figures. */
  figures: readonly string[];
}

/**
 * `data-holds` are the ids of a chapter: page.ts follows them from addresses of the time when all
 * chapters were one page.
 */
export async function map(figures: Record<string, AnyFigure>, language: Language): Promise<string> {
  const stopOf = async (chapter: Chapter): Promise<Stop> => {
    const body = await bodyOf(chapter, language);
    const address = addressOf(chapter);
    const ids = new Set([anchor(chapter), ...idsIn(body)]);
    return {
      link: `<a class="title" href="${address}" data-holds="${[...ids].join(' ')}">${chapter.title[language]}</a>`,
      question: chapter.question[language],
      names: namesOf(chapter, language),
      picture: chapter.picture,
      figures: figureNamesIn(body).map(
        (name) =>
          `<a href="${address}#${name}">${escaped(figures[name]!.text[language].title)}</a>`,
      ),
    };
  };
  const path = async (name: Chapter['path'], more: readonly Stop[] = []) => {
    const { title, about } = words[language][name];
    const stops = await Promise.all(chapters.filter((one) => one.path === name).map(stopOf));
    const items = [...stops, ...more].map((stop) => itemOf(stop, language));
    return `<section class="path">
<h2>${title}</h2>
<p>${about}</p>
<ul>${items.join('\n')}</ul>
</section>`;
  };
  const { title, ...check } = words[language].check;
  const link = `<a class="title check" href="./numbers.html">${title}</a>`;
  const checkStop = { link, ...check, picture: checkPicture, figures: [] };
  return `${await path('idea')}\n${await path('engineers', [checkStop])}`;
}

function itemOf({ link, question, names, picture, figures }: Stop, language: Language): string {
  const links = figures.map((figure) => `<li>${figure}</li>`).join('');
  const folded =
    figures.length > 0
      ? `<details><summary>${words[language].figures(figures.length)}</summary><ul>${links}</ul></details>`
      : '';
  const still = `<img class="${picture}" src="/${stillOf(picture, language)}" alt="" loading="lazy" />`;
  return `<li>
<div class="picture">${still}</div>
<div>${link}
<p>${question}</p>
<p class="names">${names.map((name, k) => `<span>${name}${names[k + 1] ? ' ·' : ''}</span>`).join(' ')}</p>
${folded}</div>
</li>`;
}
