/** Words of the figure `recurrent-order`. */
export const words = {
  shuffle: { en: 'Another order (0: as written)', zh: '换一种顺序（0：原样）' },
  seed: { en: 'Seed of the weights', zh: '权重的种子' },
  length: { en: 'Length of a text', zh: '文本长度' },
  sentence: {
    en: ['the', 'dog', 'sees', 'the', 'old', 'cat'],
    zh: ['猫', '追', '狗', '狗', '追', '鼠'],
  },
  strings: {
    en: {
      title: 'Order by reading one word after another',
      question: 'Can a layer that reads in order replace the position vector, and at what price?',
      caption:
        'See: the state of a recurrent layer after each word, and the change of each output in another order. Without the layer only rounding remains; equal words end in different states. Try: shuffle the words. Then lengthen the text: a table needs one step for all tokens, the recurrent layer one step per token.',
      states: 'state after this word',
      hidden: 'entry of the state',
      legend: 'z',
      change: 'change of the word’s output',
      changes: { with: 'after a recurrent layer', without: 'without it' },
      withLabel: 'Largest change of any output, with the recurrent layer',
      withoutLabel: 'Largest change without it (rounding)',
      step: 'step of time',
      token: 'tokens done',
      recurrent: 'recurrent: one after another',
      table: 'a table: all at once',
      stepsRecurrent: 'Steps one after another, recurrent',
      stepsTable: 'Steps, any table',
      stairs: (steps: number) =>
        `Steps one after another: ${steps} with the recurrent layer, 1 with any table.`,
      productsRecurrent: (d: number, state: number) =>
        `Products, recurrent: N ⋅ D ⋅ (d + D), d\u00a0=\u00a0${d}, D\u00a0=\u00a0${state}`,
      productsTable: 'Numbers to add, table: N ⋅ d',
      word: 'word',
      place: 'place',
      describe: (sentence: string, without: string, withLayer: string) =>
        `In the order “${sentence}” outputs change by up to ${withLayer} with a recurrent layer, and by up to ${without} without one.`,
    },
    zh: {
      title: '逐词读取，得到顺序',
      question: '用一层循环网络按顺序读，能不能代替位置向量？代价是什么？',
      caption:
        '看什么：循环层读完每个词之后的状态，以及换一种顺序后各个输出的变化。没有这一层，剩下的只是舍入误差；相同的词会得到不同的状态。试一试：打乱词序。再把文本加长：查表时所有词元只需一步，循环层每个词元都要一步。',
      states: '读完这个词的状态',
      hidden: '状态的各个分量',
      legend: 'z',
      change: '换序后这个词的输出变了多少',
      changes: { with: '经过循环层', without: '没有循环层' },
      withLabel: '有循环层：输出的最大变化',
      withoutLabel: '没有循环层：最大变化（舍入误差）',
      step: '时间步',
      token: '完成的词元数',
      recurrent: '循环：一个接一个',
      table: '查表：同时完成',
      stepsRecurrent: '循环：先后要走的步数',
      stepsTable: '任何位置表：步数',
      stairs: (steps: number) => `先后要走的步数：循环层 ${steps} 步，任何位置表 1 步。`,
      productsRecurrent: (d: number, state: number) =>
        `循环的乘法次数 N ⋅ D ⋅ (d + D)，d\u00a0=\u00a0${d}，D\u00a0=\u00a0${state}`,
      productsTable: '查表要加的数 N ⋅ d',
      word: '词',
      place: '位置',
      describe: (sentence: string, without: string, withLayer: string) =>
        `换成“${sentence}”这个顺序，有循环层时输出最多变化 ${withLayer}，没有时最多变化 ${without}。`,
    },
  },
};
