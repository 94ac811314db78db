/** The chapters in reading order, one path after the other, and the page of each. */
import type { Language, Words } from '../languages.ts';
import { railContents } from './rail.ts';

export interface Chapter {
  /** Folder under web/chapters; with hyphens, the name of the page. */
  name: string;
  title: Words;
  /** One sentence, shown below the title. */
  question: Words;
  /** The front page lists it on one of two paths. */
  path: 'idea' | 'engineers';
  /** What its text explains, by the names that people search for. */
  names: readonly string[] | Record<Language, readonly string[]>;
  /** The figure of whose still the front page shows a part (style/map.css). */
  picture: string;
  /** Its sections were once on the page of the chapter before it, which forwards links to them. */
  wasInPrevious?: true;
}

export const chapters: readonly Chapter[] = [
  {
    name: 'opening',
    title: { en: 'Why position', zh: '为什么需要位置' },
    question: {
      en: 'How does attention work, and why does it not know the order of the words?',
      zh: '注意力怎样计算，为什么分不清词序？',
    },
    path: 'idea',
    names: {
      en: ['query', 'key', 'value', 'softmax', 'causal mask'],
      zh: ['查询', '键', '值', 'softmax', '因果掩码'],
    },
    picture: 'attention-row',
  },
  {
    name: 'waves',
    title: { en: 'From integers to waves', zh: '从整数到波' },
    question: {
      en: 'How can a position be written as numbers that a network can use?',
      zh: '怎样把位置写成神经网络用得上的数？',
    },
    path: 'idea',
    names: { en: ['integers', 'binary', 'sine waves'], zh: ['整数', '二进制', '正弦波'] },
    picture: 'bits-and-dials',
  },
  {
    name: 'sinusoid',
    title: { en: 'Anatomy of the sinusoid', zh: '解剖正弦编码' },
    question: {
      en: 'Why did the first transformer describe a position by sines and cosines?',
      zh: '第一个 Transformer 为什么用正弦和余弦表示位置？',
    },
    path: 'idea',
    names: { en: ['sinusoidal', 'base', 'dot product'], zh: ['正弦编码', '底数', '点积'] },
    picture: 'sinusoid-heatmap',
  },
  {
    name: 'relative_biases',
    title: { en: 'Relative biases', zh: '相对位置偏置' },
    question: {
      en: 'Is it enough to tell attention how far apart two tokens are?',
      zh: '只告诉注意力两个词元相隔多远，够不够？',
    },
    path: 'idea',
    names: ['T5', 'ALiBi', 'KERPLE', 'Sandwich'],
    picture: 'alibi-slopes',
  },
  {
    name: 'rotation',
    title: { en: 'Rotation', zh: '旋转' },
    question: {
      en: 'How does a rotation by position give a score that depends only on distance?',
      zh: '各按自己的位置旋转，为什么分数只取决于位置之差？',
    },
    path: 'idea',
    names: {
      en: ['RoPE', 'GPT-NeoX', 'half-split', 'interleaved'],
      zh: ['RoPE', 'GPT-NeoX', '前后半配对', '相邻配对'],
    },
    picture: 'rotary-clocks',
  },
  {
    name: 'train_short',
    title: { en: 'Train short, test long', zh: '短训练，长测试' },
    question: {
      en: 'Which position scheme still works on inputs longer than those in training?',
      zh: '输入比训练时长，哪种位置方案还管用？',
    },
    path: 'idea',
    names: {
      en: ['randomized positions', 'RoPE', 'ALiBi', 'FoX', 'CoPE'],
      zh: ['外推', 'RoPE', 'ALiBi', 'FoX', 'CoPE'],
    },
    picture: 'length-race',
  },
  {
    name: 'real_model',
    title: { en: 'A real model', zh: '一个真实的模型' },
    question: {
      en: 'What does a model that somebody else trained write when its positions change?',
      zh: '别人训练好的模型，位置改了，还写得出故事吗？',
    },
    path: 'idea',
    names: ['Llama', 'ALiBi', 'PI', 'NTK', 'ReRoPE'],
    picture: 'break-a-llama',
  },
  {
    name: 'at_the_input',
    title: { en: 'Learned, recurrent, multiplied, joined', zh: '可学习、循环、相乘、拼接' },
    question: {
      en: 'Must a position vector come from a formula, and must it be added?',
      zh: '位置向量一定要由公式算出、一定要相加吗？',
    },
    path: 'engineers',
    names: { en: ['BERT', 'FLOATER', 'RNN'], zh: ['BERT', 'FLOATER', 'RNN'] },
    picture: 'learned-table',
  },
  {
    name: 'longer_contexts',
    title: { en: 'Longer contexts', zh: '更长的上下文' },
    question: {
      en: 'Why does RoPE fail on texts longer than those in training, and what repairs it?',
      zh: '文本比训练时长，RoPE 为什么失效，怎样补救？',
    },
    path: 'engineers',
    names: ['PI', 'NTK', 'YaRN', 'LongRoPE', 'ReRoPE', 'Self-Extend'],
    picture: 'frequency-scalings',
  },
  {
    name: 'running_long_contexts',
    title: { en: 'Running long contexts', zh: '长上下文的实现' },
    question: {
      en: 'With its frequencies extended, what else does a model need to run on long texts?',
      zh: '频率已经扩展，模型真正处理长文本时，还要注意什么？',
    },
    path: 'engineers',
    names: {
      en: ['log-n', 'attention factor', 'KV cache', 'NoPE'],
      zh: ['log-n', '注意力因子', 'KV 缓存', 'NoPE'],
    },
    picture: 'position-rounding',
    wasInPrevious: true,
  },
  {
    name: 'text_positions',
    title: { en: 'Positions that depend on the text', zh: '由文本决定的位置' },
    question: {
      en: 'Can the text itself decide what is near and what is far?',
      zh: '什么算近、什么算远，能不能由文本自己决定？',
    },
    path: 'engineers',
    names: ['FoX', 'CoPE', 'PaTH', 'RePo', 'SSMax'],
    picture: 'moving-ruler',
  },
  {
    name: 'models_of_today',
    title: { en: 'Models of today', zh: '今天的模型' },
    question: {
      en: 'What do the models of 2025 and 2026 do with positions, and why?',
      zh: '2025、2026 年的模型怎样处理位置，为什么这样做？',
    },
    path: 'engineers',
    names: ['Qwen3.5', 'DeepSeek V4', 'Gemma 4', 'Kimi', 'M-RoPE', 'MLA'],
    picture: 'models-by-layer',
  },
  {
    name: 'attention_lab',
    title: { en: 'The attention lab', zh: '注意力实验室' },
    question: {
      en: 'What does each scheme do to a sentence of your own?',
      zh: '换成你自己的句子，每种方案会带来什么变化？',
    },
    path: 'engineers',
    names: ['RoPE', 'ALiBi', 'T5', 'xPos', 'ReRoPE'],
    picture: 'attention-lab',
  },
  {
    name: 'choosing',
    title: { en: 'Which should I use?', zh: '该用哪一种' },
    question: {
      en: 'Which scheme should a model use, and how do I find what is wrong with mine?',
      zh: '模型该用哪种方案，结果不对时怎样查？',
    },
    path: 'engineers',
    names: ['NoPE', 'gpt-oss', 'Llama 4', 'Gemma 3'],
    picture: 'copy-a-list',
  },
];

/** Its folder as a name in addresses; links to `#NAME` lead to its page. */
export const anchor = ({ name }: Chapter) => name.replaceAll('_', '-');

export const addressOf = (chapter: Chapter) => `./${anchor(chapter)}.html`;

/** The names of its line on the front page. */
export const namesOf = ({ names }: Chapter, language: Language) =>
  'en' in names ? names[language] : names;

/** The figures that a text shows, in its order. */
export const figureNamesIn = (text: string): string[] =>
  Array.from(text.matchAll(/<ropewalk-figure\b[^>]*\bname="([^"]+)"/g), ([, name]) => name!);

/** A chapter's page before the frame and the text are in it. */
export const documentOf = ({ title, question }: Chapter, language: Language): string =>
  `<title>${title[language]} · Ropewalk</title>
<meta name="description" content="${question[language]}" />
<script type="module" src="/main.ts"></script>
<main id="main"><!-- chapter --></main>
`;

const ways = {
  en: { previous: 'Previous: ', next: 'Next: ', contents: 'Contents', onward: 'Other chapters' },
  zh: { previous: '上一章：', next: '下一章：', contents: '目录', onward: '其他章节' },
};

/** The chapter whose sections were on this chapter's page. */
export function splitOff(chapter: Chapter): Chapter | undefined {
  const next = chapters[chapters.indexOf(chapter) + 1];
  return next?.wasInPrevious ? next : undefined;
}

/** The way on from the end of a chapter, back, and to the list. */
function onward(chapter: Chapter, language: Language, moved: readonly string[]): string {
  const strings = ways[language];
  const place = chapters.indexOf(chapter);
  const link = (to: Chapter | undefined, rel: 'prev' | 'next', text: string, holds = '') =>
    to ? `<a rel="${rel}" href="${addressOf(to)}"${holds}>${text}${to.title[language]}</a>` : '';
  const holds = moved.length > 0 ? ` data-holds="${moved.join(' ')}"` : '';
  return `<nav class="onward" aria-label="${strings.onward}">
${link(chapters[place - 1], 'prev', strings.previous)}
<a href="./#contents">${strings.contents}</a>
${link(chapters[place + 1], 'next', strings.next, holds)}
</nav>`;
}

/**
 * A chapter as the main part of its page. The question heads what comes before the first heading of
 * the text, so that figures are at level 3 everywhere.
 * @param panel what stands between the question and the text
 * @param moved ids of the chapter that is split off from this one
 */
export function article(
  chapter: Chapter,
  body: string,
  language: Language,
  panel = '',
  moved: readonly string[] = [],
): string {
  return `<article class="chapter" aria-labelledby="title">
<h1 id="title">${chapter.title[language]}</h1>
<h2 class="chapter-question">${chapter.question[language]}</h2>
${railContents(chapter.title[language], body, language)}
${panel}
${body}
${onward(chapter, language, moved)}
</article>`;
}
