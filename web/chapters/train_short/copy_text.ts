import type { Try } from '../../figures/figure.ts';

/** Words of the figure `copy-a-list`. */
export const words = {
  randomized: { en: 'Randomized positions', zh: '随机化位置' },
  tries: [
    {
      label: { en: 'Randomize the positions', zh: '随机化位置' },
      notice: {
        en: 'At 24 items T5 rises from 0.70 to 0.87, RoPE from 0.18 to 0.67. Only these two and the sinusoid were trained so.',
        zh: '24 项时，T5 从 0.70 升到 0.87，RoPE 从 0.18 升到 0.67。这样训练的只有它们两个和正弦编码。',
      },
      set: { randomized: true },
    },
    {
      label: { en: 'Add the sinusoid', zh: '加上正弦编码' },
      notice: {
        en: 'It copies every list of 8 items, and at 16 items only 0.15 of the symbols.',
        zh: '8 项的列表它全都抄对，到 16 项就只抄对 0.15。',
      },
      set: { sinusoidal: true, randomized: false },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Copy a list',
      question: 'Which model copies a list that is longer than any of its training?',
      caption:
        'The share of symbols copied correctly, over the number of items; no list of the training had more than 12. Dots are the tested lengths, none between 8 and 16, as means of recorded models; bands span their seeds.',
      accuracy: 'share of right symbols',
      items: 'items in the list',
      scores: 'Share of right symbols by number of items',
      setting: (steps: string, count: string) =>
        `Task: after a list of symbols and a separator, write the list again. Trained on lists of 1 to 12 items out of 32 symbols, so chance is 3%. Two layers of width 64, ${steps} steps of 64 lists, ${count} recorded models per scheme. Only the copy is scored. One model takes about half a minute of one core.`,
      drawn: (steps: string, count: string) =>
        `The same task. Each training step draws ordered positions below 160, and so does the test. Two layers of width 64, ${steps} steps of 64 lists, ${count} recorded models of each of three schemes.`,
      describe: (held: readonly string[], lost: readonly string[]) =>
        [
          held.length > 0 ? `${held.join(', ')}: still` : 'No scheme is',
          ' above 0.9 of the symbols at 24 items, twice the longest list of the training.',
          lost.length > 0 ? ` Below: ${lost.join(', ')}.` : '',
        ].join(''),
    },
    zh: {
      title: '抄写一个列表',
      question: '列表比训练时见过的都长，哪个模型还抄得对？',
      caption:
        '抄对的符号所占比例，横轴是列表的项数；训练时的列表不超过 12 项。圆点是实际测试的项数（8 与 16 之间没有），取几个预先训练好的模型的平均；色带是各个种子的范围。',
      accuracy: '抄对的比例',
      items: '列表的项数',
      scores: '各项数下抄对的比例',
      setting: (steps: string, count: string) =>
        `任务：先给出一串符号和一个分隔符，再把这串符号重写一遍。训练用 1 到 12 项的列表，符号共 32 种，随机猜测的正确率是 3%。模型两层，宽 64，训练 ${steps} 步，每步 64 个列表；每种方案 ${count} 个预先训练的模型。只计抄写部分。训练一个模型大约要一个核半分钟。`,
      drawn: (steps: string, count: string) =>
        `任务相同。训练的每一步从 160 以内抽取递增的位置，测试时也一样。模型两层，宽 64，训练 ${steps} 步，每步 64 个列表；三种方案各有 ${count} 个预先训练的模型。`,
      describe: (held: readonly string[], lost: readonly string[]) =>
        [
          held.length > 0
            ? `${held.join('、')}：列表有 24 项（训练时最长的两倍）时，抄对的比例仍在 0.9 以上。`
            : '列表有 24 项（训练时最长的两倍）时，没有一种方案抄对 0.9 以上。',
          lost.length > 0 ? `低于 0.9 的有 ${lost.join('、')}。` : '',
        ].join(''),
    },
  },
};
