/** Words of the figure `combined-scores`. */
export const words = {
  text: { en: 'Words', zh: '词' },
  sentence: { en: 'a sentence', zh: '一句话' },
  same: { en: 'one word repeated', zh: '重复同一个词' },
  size: { en: 'Scale of word vectors', zh: '词向量缩放倍数' },
  query: { en: 'Query position', zh: '查询位置' },
  key: { en: 'Key position', zh: '键位置' },
  tokens: {
    en: 'the dog bit the man and the man bit the dog'.split(' '),
    zh: [...'狗咬人人咬狗狗和人都叫'],
  },
  strings: {
    en: {
      title: 'Added, multiplied, joined',
      question: 'Added, multiplied or joined: what is the score made of?',
      caption:
        'See: the same words and positions combined in three ways; each map shows the scores of all queries and keys. Try: scale the word vectors to 0. Added and joined vectors keep the position; multiplied ones become zero. Then read “the rest”: 0 when joined, two cross terms when added. When multiplied, no term depends on position alone.',
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
        `Terms of the score of query “${query}” at position ${m} and key “${key}” at position ${n}`,
      rest: {
        add: 'Largest absolute rest, added',
        multiply: 'Largest absolute rest, multiplied',
        concatenate: 'Largest absolute rest, joined (rounding)',
      },
      describe: (m: number, n: number, add: string, multiply: string, joined: string) =>
        `Between the query at position ${m} and the key at position ${n} the score is ${add} added, ${multiply} multiplied, ${joined} joined.`,
    },
    zh: {
      title: '相加、相乘、拼接',
      question: '相加、相乘、拼接：分数各会变成什么样？',
      caption:
        '看什么：同样的词和位置，用三种方式结合；每张图画出所有查询与键的分数。试一试：把词向量的缩放倍数调到 0，相加和拼接仍保留位置，相乘则全部变为零。再看“其余”一列：拼接为 0，相加多出两个交叉项；相乘的分数里，没有只取决于位置的项。',
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
        `位置 ${m} 的查询“${query}”与位置 ${n} 的键“${key}”：分数的各项`,
      rest: {
        add: '相加：“其余”的最大绝对值',
        multiply: '相乘：“其余”的最大绝对值',
        concatenate: '拼接：“其余”的最大绝对值（舍入误差）',
      },
      describe: (m: number, n: number, add: string, multiply: string, joined: string) =>
        `位置 ${m} 的查询与位置 ${n} 的键，分数是：相加 ${add}，相乘 ${multiply}，拼接 ${joined}。`,
    },
  },
};
