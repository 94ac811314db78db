/** Words of the figure `recurrent-order`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  shuffle: { en: 'Order (0: as written)', zh: '第几种词序（0 为原序）' },
  seed: { en: 'Seed of the weights', zh: '参数的随机种子' },
  length: { en: 'Length of a text', zh: '文本长度' },
  sentence: {
    en: ['the', 'dog', 'sees', 'the', 'old', 'cat'],
    zh: ['小', '狗', '追', '着', '老', '猫'],
  },
  tries: [
    {
      label: { en: 'Read the words as written', zh: '按原来的顺序读' },
      notice: {
        en: 'The order is that of the comparison, so nothing changes: only another order changes the outputs.',
        zh: '与用来比较的顺序相同，所以什么也没变：换了顺序，输出才变。',
      },
      set: { shuffle: 0 },
    },
    {
      label: { en: 'Read a text of 512 words', zh: '读一段 512 个词的文本' },
      notice: {
        en: 'The recurrent layer takes 512 steps one after another, and no hardware can do them at once. A table still takes one.',
        zh: '循环层要串行 512 步，再好的硬件也没法同时算；查表还是一步。',
      },
      set: { length: 512 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Order by reading one word after another',
      question: 'Can a layer that reads in order replace the position vector?',
      caption:
        'How much the output of each word changes when the words come in another order: purple after a recurrent layer, gray without one. Below, the price: a recurrent layer reads one word after another, a table gives all positions at once.',
      states: 'state after this word',
      hidden: 'entry of the state',
      legend: 'z',
      orders: (written: string, shown: string) =>
        `Change of each word’s output from “${written}” to “${shown}”`,
      price: 'Steps one after another',
      changes: { with: 'after a recurrent layer', without: 'without the layer' },
      withLabel: 'Largest change of any output, with the recurrent layer',
      withoutLabel: 'Largest change without it (rounding)',
      recurrent: 'recurrent layer',
      table: 'position table',
      stepsRecurrent: 'Steps one after another, recurrent',
      stepsTable: 'Steps, any table',
      stairs: (steps: number) =>
        `Steps one after another: ${steps} with the recurrent layer, 1 with any table.`,
      productsRecurrent: (d: number, state: number) =>
        `Products, recurrent: N ⋅ D ⋅ (d + D), d\u00a0=\u00a0${d}, D\u00a0=\u00a0${state}`,
      productsTable: 'Numbers to add, table: N ⋅ d',
      word: 'word',
      place: 'place',
      asWritten: 'In the written order nothing changes: choose another one.',
      describe: (change: string, steps: string) =>
        `Yes: another order changes outputs by up to ${change}, and by nothing without the layer. The price: ${steps} steps one after another in place of one.`,
    },
    zh: {
      title: '逐词读取，得到顺序',
      question: '用循环层按顺序读，能代替位置向量吗？',
      caption:
        '词换了顺序，每个词的输出变了多少：紫色经过循环层，灰色没有这一层。下面是代价：循环层要一个词一个词地读，查表则同时完成。',
      states: '读完这个词的状态',
      hidden: '状态的各个分量',
      legend: 'z',
      orders: (written: string, shown: string) =>
        `从“${written}”换成“${shown}”，各个词的输出变了多少`,
      price: '串行步数',
      changes: { with: '经过循环层', without: '没有循环层' },
      withLabel: '有循环层：输出的最大变化',
      withoutLabel: '没有循环层：最大变化（舍入误差）',
      recurrent: '循环层',
      table: '位置表',
      stepsRecurrent: '循环层：串行步数',
      stepsTable: '任何位置表：步数',
      stairs: (steps: number) => `串行步数：循环层 ${steps} 步，任何位置表 1 步。`,
      productsRecurrent: (d: number, state: number) =>
        `循环的乘法次数 N ⋅ D ⋅ (d + D)，d\u00a0=\u00a0${d}，D\u00a0=\u00a0${state}`,
      productsTable: '查表要加的数 N ⋅ d',
      word: '词',
      place: '位置',
      asWritten: '按原来的顺序，什么也没变：换一种顺序看看。',
      describe: (change: string, steps: string) =>
        `能：换了顺序，输出最多变化 ${change}；没有这一层，丝毫不变。代价是必须串行 ${steps} 步，查表只要一步。`,
    },
  },
};
