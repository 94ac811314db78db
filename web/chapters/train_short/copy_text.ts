import type { ScoresAtEnds } from './contest.ts';

/** Words of the figure `copy-a-list`. */
export const words = {
  randomized: { en: 'Randomized positions', zh: '随机化位置' },
  strings: {
    en: {
      title: 'Copy a list',
      question: 'Which model copies a list that is longer than any of its training?',
      caption:
        'See: the share of symbols copied correctly, over the number of items. Lines and bands are recorded models, the mean and the range of the seeds. Try: point at 24 items: FoX and ALiBi lead, no position encoding comes last. Then tick randomized positions: T5, RoPE and the sinusoid gain at 16 to 48 items.',
      accuracy: 'share of right symbols',
      items: 'items in the list',
      scores: 'Share of right symbols by number of items',
      setting: (steps: string, count: string) =>
        `Task: after a list of symbols and a separator, write the list again. Trained on lists of 1 to 12 items out of 32 symbols, so chance is 3 %. Two layers of width 64, ${steps} steps of 64 lists, ${count} recorded models per scheme. Only the copy is scored. One model takes about half a minute of one core.`,
      drawn: (steps: string, count: string) =>
        `The same task. Each training step draws ordered positions below 160, and so does the test. Two layers of width 64, ${steps} steps of 64 lists, ${count} recorded models of each of three schemes.`,
      describe: (values: readonly ScoresAtEnds[]) =>
        `Share copied right, from 8 to 24 items: ${values.map(([name, short, long]) => `${name} goes from ${short} to ${long}`).join(', ')}.`,
    },
    zh: {
      title: '抄写一个列表',
      question: '列表比训练时见过的都长，哪个模型还抄得对？',
      caption:
        '看什么：抄对的符号所占比例，横轴是列表的项数。细线和色带是预先训练好的模型，分别是几个种子的平均和范围。试一试：指向 24 项，FoX 和 ALiBi 领先，无位置编码垫底。再勾选随机化位置：16 到 48 项上，T5、RoPE 和正弦编码都有改善。',
      accuracy: '抄对的比例',
      items: '列表的项数',
      scores: '各项数下抄对的比例',
      setting: (steps: string, count: string) =>
        `任务：先给出一串符号和一个分隔符，再把这串符号重写一遍。训练用 1 到 12 项的列表，符号共 32 种，随机猜测的正确率是 3%。模型两层，宽 64，训练 ${steps} 步，每步 64 个列表；每种方案录制 ${count} 个模型。只计抄写部分。训练一个模型大约要一个核半分钟。`,
      drawn: (steps: string, count: string) =>
        `任务相同。训练的每一步从 160 以内抽取递增的位置，测试时也一样。模型两层，宽 64，训练 ${steps} 步，每步 64 个列表；三种方案各录制 ${count} 个模型。`,
      describe: (values: readonly ScoresAtEnds[]) =>
        `抄对的比例，从 8 项到 24 项：${values.map(([name, short, long]) => `${name} 从 ${short} 到 ${long}`).join('，')}。`,
    },
  },
};
