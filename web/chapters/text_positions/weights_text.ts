/** Words of the figure `text-attention`. */
import type { Try } from '../../figures/figure.ts';
import type { Words } from '../../languages.ts';
import type { TextScheme } from '../../schemes/text.ts';

export const groups: readonly { name: Words; schemes: readonly TextScheme[] }[] = [
  {
    name: { en: 'A number added to the score', zh: '给分数加一个数' },
    schemes: ['fox', 'cable', 'cope', 'grape-a', 'grape-ap', 'row-gates', 'selective'],
  },
  {
    name: { en: 'Rotation', zh: '旋转' },
    schemes: ['selective-rope', 'grape-m', 'repo', 'pope'],
  },
  { name: { en: 'Inside the dot product', zh: '点积内部' }, schemes: ['path', 'wall'] },
  { name: { en: 'Softmax', zh: 'softmax' }, schemes: ['ssmax', 'stick-breaking'] },
];

/** Schemes that have no gate per token, so that the changed ones play no part. */
export const withoutGates: ReadonlySet<TextScheme> = new Set([
  'grape-a',
  'grape-ap',
  'row-gates',
  'selective',
  'pope',
  'stick-breaking',
  'ssmax',
]);

export const words = {
  scheme: { en: 'Scheme', zh: '方案' },
  tries: [
    {
      label: { en: 'Open the gate of the full stop', zh: '打开句号处的门' },
      notice: {
        en: 'The weights of the first sentence rise: an open gate no longer fades what lies behind it.',
        zh: '第一句话的权重变大了：门一打开，就不再衰减它前面的词。',
      },
      set: { changed: '' },
    },
    {
      label: { en: 'Close it almost entirely', zh: '把它几乎关上' },
      notice: {
        en: 'The query forgets the first sentence: the closed gate lowers each of its scores by 8, and its weights by a factor of 3,000 against those after it.',
        zh: '查询忘掉了第一句话：关上的门让它的每个分数都减去 8，与门后的词相比，权重缩小到三千分之一。',
      },
      set: { logit: -8 },
    },
    {
      label: { en: 'Break a stick', zh: '改用 stick-breaking' },
      notice: {
        en: 'Keys take their share one after the other, nearest first. What is left at the end goes to nobody, so the weights need not sum to 1.',
        zh: '各个键由近到远依次取走一份，最后剩下的不归任何键，所以权重之和不必是 1。',
      },
      set: { scheme: 'stick-breaking' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'The attention that follows',
      question: 'What does a query attend to if the text decides the distances?',
      caption:
        'The attention weights of the query, with a scheme (filled) and without any (hollow). The words before the changed gate are shaded. Random weights stand in for trained ones.',
      weight: 'attention weight of the query',
      without: 'no position',
      noGates: 'The gates that you change play no part in it.',
      sum: (scheme: string) => `Sum of the weights, ${scheme}`,
      behind: (token: string, scheme: string) => `Weight before “${token}”, ${scheme}`,
      shaded: (token: string, [now, before]: readonly string[]) =>
        `before “${token}”: ${before}% → ${now}%`,
      query: (token: string) => `query: ${token}`,
      place: 'place',
      token: 'token',
      describeBehind: (scheme: string, query: string, place: string, a: string, b: string) =>
        `With ${scheme}, ${a}% of the attention of “${query}” goes to the words before “${place}”; without positions it is ${b}%.`,
      describe: (scheme: string, query: string, a: string[], b: string[]) =>
        `With ${scheme}, “${query}” attends most to “${a[0]}”, with weight ${a[1]}; without position to “${b[0]}”, with ${b[1]}.`,
    },
    zh: {
      title: '随之而来的注意力',
      question: '距离由文本决定时，查询关注哪里？',
      caption:
        '查询的注意力权重，实心为所选方案，空心为不加位置信息；灰底是被改动的门之前的词。参数是随机的，代替训练好的参数。',
      weight: '查询的注意力权重',
      without: '无位置编码',
      noGates: '你改动的门在这里不起作用。',
      sum: (scheme: string) => `权重之和，${scheme}`,
      behind: (token: string, scheme: string) => `“${token}”之前的权重，${scheme}`,
      shaded: (token: string, [now, before]: readonly string[]) =>
        `“${token}”之前：${before}% → ${now}%`,
      query: (token: string) => `查询：${token}`,
      place: '位置',
      token: '词元',
      describeBehind: (scheme: string, query: string, place: string, a: string, b: string) =>
        `${scheme}：“${query}”的注意力有 ${a}% 给了“${place}”之前的词；不加位置信息时是 ${b}%。`,
      describe: (scheme: string, query: string, a: string[], b: string[]) =>
        `${scheme}：“${query}”最关注“${a[0]}”，权重 ${a[1]}；无位置编码时最关注“${b[0]}”，权重 ${b[1]}。`,
    },
  },
};
