/** The chapters in reading order, and the parts of the page that are made from this list. */
import type { Language, Words } from '../languages.ts';

export interface Chapter {
  /** Folder under web/chapters and anchor in the page. */
  name: string;
  title: Words;
}

export const chapters: readonly Chapter[] = [
  { name: 'opening', title: { en: 'Why position', zh: '为什么需要位置' } },
  { name: 'waves', title: { en: 'From integers to waves', zh: '从整数到波' } },
  { name: 'sinusoid', title: { en: 'Anatomy of the sinusoid', zh: '解剖正弦编码' } },
  {
    name: 'at_the_input',
    title: { en: 'Learned, recurrent, multiplied, joined', zh: '可训练、递归、相乘、拼接' },
  },
  { name: 'relative_biases', title: { en: 'Relative biases', zh: '相对位置偏置' } },
  { name: 'rotation', title: { en: 'Rotation', zh: '旋转' } },
  { name: 'longer_contexts', title: { en: 'Longer contexts', zh: '更长的上下文' } },
  { name: 'train_short', title: { en: 'Train short, test long', zh: '短训练，长测试' } },
  { name: 'attention_lab', title: { en: 'The attention lab', zh: '注意力实验室' } },
];

export const anchor = ({ name }: Chapter) => name.replaceAll('_', '-');

export function contents(language: Language): string {
  const items = chapters.map(
    (chapter) => `<li><a href="#${anchor(chapter)}">${chapter.title[language]}</a></li>`,
  );
  return `<ol>${items.join('')}</ol>`;
}

const ways = {
  en: { next: 'Next: ', contents: 'Contents' },
  zh: { next: '下一章：', contents: '目录' },
};

/** The way on from the end of a chapter, and back to the list. */
function onward(chapter: Chapter, language: Language): string {
  const next = chapters[chapters.indexOf(chapter) + 1];
  const strings = ways[language];
  const link = next && `<a href="#${anchor(next)}">${strings.next}${next.title[language]}</a>`;
  return `<nav class="onward" aria-label="${chapter.title[language]}">${link ?? ''}<a href="#contents">${strings.contents}</a></nav>`;
}

/** One <section> per chapter around its own HTML. */
export function section(chapter: Chapter, body: string, language: Language): string {
  const id = anchor(chapter);
  return `<section class="chapter" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${chapter.title[language]}</h2>
${body}
${onward(chapter, language)}
</section>`;
}
