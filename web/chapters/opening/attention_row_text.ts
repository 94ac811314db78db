/** Words of the figure `attention-row`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  first: { en: 'Query, first number', zh: '查询 q 的第 1 维' },
  second: { en: 'Query, second number', zh: '查询 q 的第 2 维' },
  causal: { en: 'Causal mask', zh: '因果掩码' },
  tries: [
    {
      label: { en: 'Raise the query’s first number', zh: '把查询的第 1 维调大' },
      notice: {
        en: 'The keys of “dog” and “man” have a first number, so their scores rise: nearly all weight is theirs, 0.32 and 0.64.',
        zh: '“狗”和“人”的键的第 1 维不是 0，分数随之升高：权重几乎都给了这两个词，0.32 和 0.64。',
      },
      set: { first: 4 },
    },
    {
      label: { en: 'Hide what comes later', zh: '遮住后面的词' },
      notice: {
        en: '“man” comes after “bites” and gets no weight. The other two share it in the same ratio as before.',
        zh: '“人”排在“咬”的后面，得不到权重；其余两个词按原来的比例分配。',
      },
      set: { causal: true },
    },
    {
      label: { en: 'Make all scores negative', zh: '让分数都变成负数' },
      notice: {
        en: 'The weights are positive all the same and sum to 1: softmax looks at differences of scores only.',
        zh: '权重照样是正数，总和为 1：softmax 只看分数之差。',
      },
      set: { first: -4, second: -4 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'One row of attention',
      question: 'How does a token combine what the others say?',
      caption:
        'The query of “bites” is compared with three keys. Softmax turns the scores into weights, drawn as bars. The output, a ring, mixes the three values by these weights, so it stays inside their triangle.',
      words: ['dog', 'bites', 'man'],
      query: (word: string, vector: string) => `q of “${word}”: ${vector}`,
      columns: {
        wide: {
          key: 'key k',
          product: 'q ⋅ k',
          score: 'score = q ⋅ k / √2',
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
      describe: (top: string, shares: string, output: string) =>
        `Mostly from “${top}”, whose score is largest: the weights are ${shares}, and the output is ${output}.`,
    },
    zh: {
      title: '一行注意力',
      question: '一个词元怎样汇总其他词元的信息？',
      caption:
        '“咬”的查询与三个键比较，softmax 把分数变成权重，画成条形。输出（圆环）按权重混合三个值，所以总落在三个值围成的三角形里。',
      words: ['狗', '咬', '人'],
      query: (word: string, vector: string) => `“${word}”的查询：q = ${vector}`,
      columns: {
        wide: { key: '键 k', product: 'q ⋅ k', score: '分数 = q ⋅ k / √2', value: '值 v' },
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
      describe: (top: string, shares: string, output: string) =>
        `输出主要来自分数最高的“${top}”：权重是${shares}，得到 ${output}。`,
    },
  },
};
