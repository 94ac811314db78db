/** Words of the figure `one-number`. */
export const words = {
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Length of this text', zh: '这段文本的长度' },
  token: { en: 'Token', zh: '词元' },
  strings: {
    en: {
      title: 'A position as one number',
      question: 'Is a single number enough to describe a position?',
      caption:
        'See: above, positions as counts; the shaded part is the training range. Below, the same tokens scaled to [0, 1]. Try: lengthen the text. Above, hollow tokens leave the training range. Below, none leaves the interval, but the step between neighbours changes with the length, so “one step away” has no fixed meaning.',
      counted: 'integers: token m carries m',
      scaled: 'scaled to [0, 1]: token m carries m / (N − 1)',
      seen: 'seen in training',
      row: (count: number) => `N = ${count}`,
      rows: { trained: 'training', text: 'this text' },
      slip: '0.69, a misprint',
      readout: (m: number, integer: string, text: string, trained: string | undefined) =>
        `Token ${m} carries ${integer} as an integer and ${text} in [0, 1]; ` +
        (trained ? `in a training text it carried ${trained}.` : 'training had no such token.'),
      largest: (trained: string) => `Largest integer in this text (in training: ${trained})`,
      stepTrained: 'One step in [0, 1], training length',
      stepText: 'One step in [0, 1], this text',
      columns: ['token m', 'integer', '[0, 1], this text', '[0, 1], training length'],
      describe: (length: number, trained: number, step: string, before: string) =>
        `Integers grow to ${length - 1}, and training saw ${trained - 1} at most; scaled to [0, 1], neighbours are ${step} apart, and were ${before} apart in training.`,
    },
    zh: {
      title: '用一个数表示位置',
      question: '只用一个数，够不够表示词元的位置？',
      caption:
        '看什么：上面是直接计数的位置，阴影是训练范围；下面是同样的词元缩放到 [0, 1]。试一试：把文本加长。上面，空心的词元走出训练范围；下面，没有词元越界，但相邻词元的间隔随长度改变，“隔一个”没有固定的含义。',
      counted: '整数：词元 m 带着数 m',
      scaled: '缩放到 [0, 1]：词元 m 带着 m / (N − 1)',
      seen: '训练时见过',
      row: (count: number) => `N = ${count}`,
      rows: { trained: '训练', text: '这段' },
      slip: '误写的 0.69',
      readout: (m: number, integer: string, text: string, trained: string | undefined) =>
        `词元 ${m}：整数是 ${integer}，在 [0, 1] 中是 ${text}；` +
        (trained ? `在训练文本里它是 ${trained}。` : '训练文本里没有这个词元。'),
      largest: (trained: string) => `这段文本里最大的整数（训练时最大 ${trained}）`,
      stepTrained: '[0, 1] 中的一步：训练长度',
      stepText: '[0, 1] 中的一步：这段文本',
      columns: ['词元 m', '整数', '[0, 1]，这段文本', '[0, 1]，训练长度'],
      describe: (length: number, trained: number, step: string, before: string) =>
        `整数涨到 ${length - 1}，训练时最大是 ${trained - 1}；缩放到 [0, 1]，相邻词元相距 ${step}，训练时却是 ${before}。`,
    },
  },
};
