/** Words of the figure `attention-row`. */
export const words = {
  first: { en: 'Query, first number', zh: '查询的第一个数' },
  second: { en: 'Query, second number', zh: '查询的第二个数' },
  causal: { en: 'Causal mask', zh: '因果掩码' },
  strings: {
    en: {
      title: 'One row of attention',
      question: 'How does a token combine what the others say?',
      caption:
        'See: the query of “bites” is compared with three keys; softmax turns the scores into weights; the output mixes the values and stays inside their triangle. Try: raise the first number of the query to 4, and nearly all weight goes to “dog” and “man”. Switch on the causal mask: “man”, which comes later, gets the weight 0.',
      words: ['dog', 'bites', 'man'],
      query: (word: string, vector: string) => `q of “${word}”: ${vector}`,
      columns: {
        wide: {
          key: 'key k',
          product: 'q ⋅ k',
          score: 'score',
          weight: 'weight',
          value: 'value v',
        },
        narrow: { key: 'k', product: 'q ⋅ k', score: 'score', value: 'v' },
      },
      weight: (weight: string) => `weight ${weight}`,
      plane: 'values and output (ring)',
      output: 'Output: the sum of weight × value',
      sum: 'Sum of the weights',
      table: {
        token: 'token',
        key: (part: number) => `key, number ${part}`,
        product: 'q ⋅ k',
        score: 'score q ⋅ k / √2',
        weight: 'weight',
        value: (part: number) => `value, number ${part}`,
        share: (part: number) => `weight × value, number ${part}`,
      },
      describe: (shares: string, output: string) =>
        `By its weights: ${shares}. The output is ${output}.`,
    },
    zh: {
      title: '一行注意力',
      question: '一个词元怎样汇总其他词元的信息？',
      caption:
        '看什么：“咬”的查询与三个键比较，softmax 把分数变成权重，输出是值的混合，不会走出三个值围成的三角形。试一试：把查询的第一个数调到 4，权重几乎都给了“狗”和“人”。打开因果掩码：“人”在后面，权重变成 0。',
      words: ['狗', '咬', '人'],
      query: (word: string, vector: string) => `“${word}”的查询：q = ${vector}`,
      columns: {
        wide: { key: '键 k', product: 'q ⋅ k', score: '分数', value: '值 v' },
        narrow: { key: 'k', product: 'q ⋅ k', score: '分数', value: 'v' },
      },
      weight: (weight: string) => `权重 ${weight}`,
      plane: '值与输出（圆环）',
      output: '输出：权重 × 值，再求和',
      sum: '权重之和',
      table: {
        token: '词元',
        key: (part: number) => `键的第 ${part} 个数`,
        product: 'q ⋅ k',
        score: '分数 q ⋅ k / √2',
        weight: '权重',
        value: (part: number) => `值的第 ${part} 个数`,
        share: (part: number) => `权重 × 值的第 ${part} 个数`,
      },
      describe: (shares: string, output: string) => `按权重相加：${shares}。输出是 ${output}。`,
    },
  },
};
