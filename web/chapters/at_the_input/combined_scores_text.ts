/** Words of the figure `combined-scores`. */
export const words = {
  text: { en: 'Words', zh: '词' },
  sentence: { en: 'a sentence', zh: '一句话' },
  same: { en: 'one word repeated', zh: '同一个词' },
  size: { en: 'Size of the word vectors', zh: '词向量的大小' },
  query: { en: 'Query’s place', zh: '查询的位置' },
  key: { en: 'Key’s place', zh: '键的位置' },
  tokens: {
    en: 'the dog bit the man and the man bit the dog'.split(' '),
    zh: [...'狗咬人人咬狗狗和人都叫'],
  },
  strings: {
    en: {
      title: 'Added, multiplied, joined',
      question: 'Added, multiplied or joined: what is the score made of?',
      caption:
        'See: the same words and positions combined in three ways; each map shows the scores of all pairs. Try: shrink the words to size 0. Added and joined vectors keep the position, multiplied ones become zero. Then read “the rest”: 0 when joined, two mixed terms when added; multiplying has no part that depends on position alone.',
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
        rest: 'the rest',
        width: 'width',
      },
      query: 'query m',
      key: 'key n',
      cell: (m: number, n: number, query: string, key: string) =>
        `The score of “${query}” at ${m} with “${key}” at ${n}, taken apart`,
      rest: {
        add: 'Largest rest of any pair, added',
        multiply: 'Largest rest, multiplied',
        concatenate: 'Largest rest, joined (rounding)',
      },
      describe: (m: number, n: number, add: string, multiply: string, joined: string) =>
        `Scores of place ${m} with place ${n}: ${add} added, ${multiply} multiplied, ${joined} joined.`,
    },
    zh: {
      title: '相加、相乘、拼接',
      question: '相加、相乘、拼接：分数各会变成什么样？',
      caption:
        '看什么：同样的词和位置，用三种办法合在一起；每张图是所有词对的分数。试一试：把词向量缩到 0：相加和拼接仍保留位置，相乘则全变成零。再看“其余”一列：拼接为 0，相加多出两个交叉项，相乘则没有哪一部分只取决于位置。',
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
        rest: '其余',
        width: '维数',
      },
      query: '查询 m',
      key: '键 n',
      cell: (m: number, n: number, query: string, key: string) =>
        `位置 ${m} 的“${query}”与位置 ${n} 的“${key}”：分数拆开来看`,
      rest: {
        add: '相加：各词对“其余”的最大值',
        multiply: '相乘：“其余”的最大值',
        concatenate: '拼接：“其余”的最大值（舍入误差）',
      },
      describe: (m: number, n: number, add: string, multiply: string, joined: string) =>
        `位置 ${m} 与位置 ${n} 的分数：相加 ${add}，相乘 ${multiply}，拼接 ${joined}。`,
    },
  },
};
