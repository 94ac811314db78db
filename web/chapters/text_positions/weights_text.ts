/** Words of the figure `text-attention`. */
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
  strings: {
    en: {
      title: 'The attention that follows',
      question: 'What does a query attend to if the text decides the distances?',
      caption:
        'See: the attention weights of the query, with a scheme (filled) and without any (hollow). Random weights stand in for trained ones. Try: under FoX press the full stop: the weights before it rise and fall. Then take stick-breaking: its weights need not sum to 1.',
      weight: 'attention weight of the query',
      without: 'no position',
      noGates: 'The gates that you change play no part in it.',
      sum: (scheme: string) => `Sum of the weights, ${scheme}`,
      behind: (token: string, scheme: string) => `Weight before “${token}”, ${scheme}`,
      place: 'place',
      token: 'token',
      describe: (scheme: string, query: string, a: string[], b: string[]) =>
        `With ${scheme}, “${query}” attends most to “${a[0]}”, with weight ${a[1]}; without position to “${b[0]}”, with ${b[1]}.`,
    },
    zh: {
      title: '随之而来的注意力',
      question: '距离由文本决定时，查询关注哪里？',
      caption:
        '看什么：查询的注意力权重，实心是用某种方案，空心是不用。权重是随机的，代替训练好的权重。试一试：在 FoX 下按句号，开关它的门，看第一句的权重变大变小。再选折棍（stick-breaking）：它的权重之和不必是 1。',
      weight: '查询的注意力权重',
      without: '无位置',
      noGates: '你改动的门在这里不起作用。',
      sum: (scheme: string) => `权重之和，${scheme}`,
      behind: (token: string, scheme: string) => `“${token}”之前的权重，${scheme}`,
      place: '位置',
      token: '词元',
      describe: (scheme: string, query: string, a: string[], b: string[]) =>
        `${scheme}：“${query}”最关注“${a[0]}”，权重 ${a[1]}；不用位置时最关注“${b[0]}”，权重 ${b[1]}。`,
    },
  },
};
