/** Words of the figure `combined-scores`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  text: { en: 'Words', zh: '词' },
  sentence: { en: 'a sentence', zh: '一句话' },
  same: { en: 'one word', zh: '同一个词' },
  size: { en: 'Scale of word vectors', zh: '词向量缩放倍数' },
  query: { en: 'Query position', zh: '查询位置' },
  key: { en: 'Key position', zh: '键位置' },
  tokens: {
    en: 'the dog bit the man and the man bit the dog'.split(' '),
    zh: [...'狗咬人人咬狗狗和人都叫'],
  },
  tries: [
    {
      label: { en: 'Set the words to zero', zh: '把词向量变成 0' },
      notice: {
        en: 'Added and joined keep the part of the positions. Multiplied, nothing is left: zero times a position is zero.',
        zh: '相加和拼接还剩下位置的部分；相乘什么也不剩：0 乘以位置还是 0。',
      },
      set: { size: 0 },
    },
    {
      label: { en: 'Take a word and its copy', zh: '取两个相同的词' },
      notice: {
        en: 'Equal words have a large part, which joined and added vectors keep. Multiplied, it shrinks with the position although the words are the same.',
        zh: '相同的词有很大的一部分分数，拼接和相加都保留下来；相乘则不行，词相同，分数也随位置变小。',
      },
      set: { query: 6, key: 0 },
    },
    {
      label: { en: 'Repeat one word everywhere', zh: '全部换成同一个词' },
      notice: {
        en: 'The words’ part is now the same for every pair, so joined scores tell pairs apart by position alone.',
        zh: '词的部分现在对每一对都一样，拼接的分数只靠位置区分。',
      },
      set: { text: 'same' },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Added, multiplied, joined',
      question: 'Added, multiplied or joined: what is the score made of?',
      caption:
        'The score of one query and one key, taken apart. Bars begin at their zero line; a negative part is fainter and to the left of it.',
      mapLabel: (way: string, pair: string) => `${way}. ${pair}`,
      ways: {
        add: 'Added: x\u00a0+\u00a0p',
        multiply: 'Multiplied: x\u00a0⊗\u00a0p',
        concatenate: 'Joined: [x\u00a0;\u00a0p]',
      },
      columns: {
        score: 'score',
        content: 'word with word',
        position: 'position with position',
        rest: 'word × position',
        width: 'width',
      },
      query: 'query m',
      key: 'key n',
      cell: (m: number, n: number, query: string, key: string) =>
        `Query “${query}” at position ${m}, key “${key}” at position ${n}`,
      rest: {
        add: 'Largest cross terms, added',
        multiply: 'Largest difference from words and positions apart, multiplied',
        concatenate: 'Largest difference from words and positions apart, joined (rounding)',
      },
      both: 'both in every product',
      none: 'none',
      describe:
        'Added: words, positions and a mix of both. Multiplied: one product that cannot be taken apart. Joined: words and positions, no mix.',
    },
    zh: {
      title: '相加、相乘、拼接',
      question: '相加、相乘、拼接：分数各会变成什么样？',
      caption: '一个查询与一个键的分数，拆成几部分。条从零线画起，负的部分颜色淡，画在零线左边。',
      mapLabel: (way: string, pair: string) => `${way}。${pair}`,
      ways: {
        add: '相加：x\u00a0+\u00a0p',
        multiply: '相乘：x\u00a0⊗\u00a0p',
        concatenate: '拼接：[x\u00a0;\u00a0p]',
      },
      columns: {
        score: '分数',
        content: '词与词',
        position: '位置与位置',
        rest: '词 × 位置',
        width: '维数',
      },
      query: '查询 m',
      key: '键 n',
      cell: (m: number, n: number, query: string, key: string) =>
        `位置 ${m} 的查询“${query}”，位置 ${n} 的键“${key}”`,
      rest: {
        add: '相加：交叉项的最大绝对值',
        multiply: '相乘：与“词、位置各算各的”最多相差',
        concatenate: '拼接：与“词、位置各算各的”最多相差（舍入误差）',
      },
      both: '每项都含词和位置',
      none: '无',
      describe:
        '相加：词、位置，还多出两者的交叉项。相乘：一个拆不开的整体。拼接：词和位置，没有交叉项。',
    },
  },
};
