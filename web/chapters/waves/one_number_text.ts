/** Words of the figure `one-number`. */
export const oneNumberText = {
  en: {
    title: 'A position as one number',
    question: 'Can a single number say where a token stands?',
    caption:
      'Above, tokens are counted; the shaded part is all that training ever saw. Make the text longer and hollow tokens walk out of it, to numbers that no weight was fitted to. Below, the same tokens are squeezed into [0, 1]. Nothing leaves the interval now, but compare the two rows: the step from one token to the next is another one in every length, so “one apart” has no meaning of its own.',
  },
  zh: {
    title: '用一个数表示位置',
    question: '只用一个数，能说清词元站在哪里吗？',
    caption:
      '上面是直接数数，阴影是训练时见过的全部范围。把文本加长，空心的词元就走出阴影，来到没有任何权重适应过的数上。下面把同样的词元压进 [0, 1]：再也不会越界，可是比一比两行就会发现，长度一变，相邻两个词元的间隔也跟着变，“隔一个”不再有固定的含义。',
  },
};

export const words = {
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Length of this text', zh: '这段文本的长度' },
  token: { en: 'Token', zh: '词元' },
  strings: {
    en: {
      counted: 'integers: token m carries m',
      scaled: 'scaled to [0, 1]: token m carries m / (N − 1)',
      seen: 'seen in training',
      row: (count: number) => `N = ${count}`,
      rows: { trained: 'training', text: 'this text' },
      slip: 'the note’s 0.69',
      readout: (m: number, integer: string, text: string, trained: string | undefined) =>
        `Token ${m} carries ${integer} as an integer and ${text} in [0, 1]; ` +
        (trained ? `in a training text it carried ${trained}.` : 'training had no such token.'),
      largest: (trained: string) => `Largest integer in this text (in training: ${trained})`,
      stepTrained: 'One step in [0, 1], training length',
      stepText: 'One step in [0, 1], this text',
      columns: ['token m', 'integer', '[0, 1], this text', '[0, 1], training length'],
      describe: (length: number, trained: number, step: string, before: string) =>
        `${length} tokens as integers 0 to ${length - 1}, where training saw 0 to ${trained - 1}. Scaled to [0, 1] neighbours are ${step} apart in this text and ${before} apart in training.`,
    },
    zh: {
      counted: '整数：词元 m 带着数 m',
      scaled: '缩放到 [0, 1]：词元 m 带着 m / (N − 1)',
      seen: '训练时见过',
      row: (count: number) => `N = ${count}`,
      rows: { trained: '训练', text: '这段' },
      slip: '笔记里的 0.69',
      readout: (m: number, integer: string, text: string, trained: string | undefined) =>
        `词元 ${m}：整数是 ${integer}，在 [0, 1] 中是 ${text}；` +
        (trained ? `在训练文本里它是 ${trained}。` : '训练文本里没有这个词元。'),
      largest: (trained: string) => `这段文本里最大的整数（训练时最大 ${trained}）`,
      stepTrained: '[0, 1] 中的一步：训练长度',
      stepText: '[0, 1] 中的一步：这段文本',
      columns: ['词元 m', '整数', '[0, 1]，这段文本', '[0, 1]，训练长度'],
      describe: (length: number, trained: number, step: string, before: string) =>
        `${length} 个词元记为整数 0 到 ${length - 1}，训练只见过 0 到 ${trained - 1}。缩放到 [0, 1] 后，相邻词元在这段文本中相距 ${step}，在训练长度下相距 ${before}。`,
    },
  },
};
