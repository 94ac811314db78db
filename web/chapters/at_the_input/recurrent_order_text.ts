/** Words of the figure `recurrent-order`. */
export const recurrentText = {
  en: {
    title: 'Order by reading one word after another',
    question: 'Can a layer that reads in order replace the position vector, and at what price?',
    caption:
      'A recurrent layer reads the words from the top; each row is its state after one word. Change the order and the attention behind it gives other outputs (bars); without the layer nothing but rounding is left. Note that equal words end in different states. The price is below: a table serves all tokens in one step, the recurrent layer must wait for token after token. Make the text longer and see the stairs grow.',
  },
  zh: {
    title: '一个词接一个词地读，顺序就有了',
    question: '让一层网络按顺序读，能不能代替位置向量？代价是什么？',
    caption:
      '递归层自上而下读这些词，每一行是读完一个词之后的状态。换一种顺序，后面的注意力就给出不同的输出（横条）；没有这一层，剩下的只是舍入误差。注意相同的词落在不同的状态上。代价在下面：查表时所有词元一步到位，递归层却要一个等一个。把文本加长，看台阶越来越高。',
  },
};

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
      states: 'state after this word',
      hidden: 'entry of the state',
      legend: 'h',
      change: 'change of the word’s output',
      changes: { with: 'after a recurrent layer', without: 'without it' },
      withLabel: 'Largest change of any output, with the recurrent layer',
      withoutLabel: 'Largest change without it (rounding)',
      step: 'step of the clock',
      token: 'tokens done',
      recurrent: 'recurrent: one after another',
      table: 'a table: all at once',
      stepsRecurrent: 'Steps one after another, recurrent',
      stepsTable: 'Steps, any table',
      stairs: (steps: number) =>
        `Steps one after another: ${steps} with the recurrent layer, 1 with any table.`,
      productsRecurrent: (d: number, h: number) =>
        `Products, recurrent: N ⋅ h ⋅ (d + h), d\u00a0=\u00a0${d}, h\u00a0=\u00a0${h}`,
      productsTable: 'Numbers to add, table: N ⋅ d',
      word: 'word',
      place: 'place',
      describe: (sentence: string, without: string, withLayer: string) =>
        `In the order “${sentence}” outputs change by at most ${without} without and ${withLayer} with a recurrent layer.`,
    },
    zh: {
      states: '读完这个词的状态',
      hidden: '状态的各个分量',
      legend: 'h',
      change: '换序后这个词的输出变了多少',
      changes: { with: '经过递归层', without: '没有递归层' },
      withLabel: '有递归层：输出的最大变化',
      withoutLabel: '没有递归层：最大变化（舍入误差）',
      step: '时钟的步数',
      token: '完成的词元数',
      recurrent: '递归：一个接一个',
      table: '查表：同时完成',
      stepsRecurrent: '递归：先后要走的步数',
      stepsTable: '任何位置表：步数',
      stairs: (steps: number) => `先后要走的步数：递归层 ${steps} 步，任何位置表 1 步。`,
      productsRecurrent: (d: number, h: number) =>
        `递归的乘法次数 N ⋅ h ⋅ (d + h)，d\u00a0=\u00a0${d}，h\u00a0=\u00a0${h}`,
      productsTable: '查表要加的数 N ⋅ d',
      word: '词',
      place: '位置',
      describe: (sentence: string, without: string, withLayer: string) =>
        `顺序为“${sentence}”时，没有递归层输出最多变化 ${without}，有递归层最多变化 ${withLayer}。`,
    },
  },
};
