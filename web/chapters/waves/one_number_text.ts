/** Words of the figure `one-number`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Length of this text', zh: '这段文本的长度' },
  token: { en: 'Token', zh: '词元' },
  tries: [
    {
      label: { en: 'Lengthen the text to 12', zh: '把文本加长到 12 个词元' },
      notice: {
        en: 'Above, nine hollow tokens are beyond what training has seen. Below, none leaves the interval, but a step has shrunk from 0.5 to 0.09.',
        zh: '上面有九个空心的词元走出了训练范围。下面没有词元越界，但间隔从 0.5 缩到了 0.09。',
      },
      set: { length: 12 },
    },
    {
      label: { en: 'Train on texts this long', zh: '用同样长的文本训练' },
      notice: {
        en: 'Nothing is new now: training has seen every count, and a step is one third in both. That lasts while all texts are this long.',
        zh: '这下没有新东西了：每个计数训练时都见过，间隔也都是三分之一。可惜只有长度正好相同时才成立。',
      },
      set: { trained: 4 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'A position as one number',
      question: 'Is a single number enough to describe a position?',
      caption:
        'Above, each token has its count; the shaded part is what training has seen. Below, the same tokens are scaled to [0, 1]: a step to the next token is one half in training, and one third in this text.',
      counted: 'integers: token m carries m',
      scaled: 'scaled to [0, 1]: token m carries m / (N − 1)',
      seen: 'seen in training',
      never: 'never seen',
      chosen: (m: number) => `token ${m}`,
      row: (count: number) => `N = ${count}`,
      rows: { trained: 'training', text: 'this text' },
      readout: (m: number, integer: string, text: string, trained: string | undefined) =>
        `Token ${m} carries ${integer} as an integer and ${text} in [0, 1]; ` +
        (trained ? `in a training text it carried ${trained}.` : 'training had no such token.'),
      largest: (trained: string) => `Largest integer in this text (in training: ${trained})`,
      stepTrained: 'One step in [0, 1], training length',
      stepText: 'One step in [0, 1], this text',
      columns: ['token m', 'integer', '[0, 1], this text', '[0, 1], training length'],
      describe: (length: number, trained: number, step: string, before: string) =>
        `${length > trained ? `No: the count ${length - 1} is new, since training ended at ${trained - 1}` : 'Only for texts as short: the counts are all known'}; ${step === before ? `scaled, a step is ${step} as in training.` : `scaled, a step is ${step} in place of ${before}.`}`,
    },
    zh: {
      title: '用一个数表示位置',
      question: '只用一个数，够不够表示词元的位置？',
      caption:
        '上面是直接计数的位置，阴影是训练时见过的范围。下面把同样的词元缩放到 [0, 1]：相邻词元的间隔，训练时是二分之一，这段文本里是三分之一。',
      counted: '整数：第 m 个词元记作 m',
      scaled: '缩放到 [0, 1]：第 m 个词元记作 m / (N − 1)',
      seen: '训练时见过',
      never: '没见过',
      chosen: (m: number) => `词元 ${m}`,
      row: (count: number) => `N = ${count}`,
      rows: { trained: '训练', text: '当前文本' },
      readout: (m: number, integer: string, text: string, trained: string | undefined) =>
        `词元 ${m}：整数是 ${integer}，在 [0, 1] 中是 ${text}；` +
        (trained ? `在训练文本里它是 ${trained}。` : '训练文本里没有这个词元。'),
      largest: (trained: string) => `这段文本里最大的整数（训练时最大 ${trained}）`,
      stepTrained: '[0, 1] 中的一步：训练长度',
      stepText: '[0, 1] 中的一步：这段文本',
      columns: ['词元 m', '整数', '[0, 1]，这段文本', '[0, 1]，训练长度'],
      describe: (length: number, trained: number, step: string, before: string) =>
        `${length > trained ? `不够：直接计数会数到 ${length - 1}，训练时只到 ${trained - 1}` : '只有文本这么短才够：计数训练时都见过'}；${step === before ? `缩放之后，间隔和训练时一样是 ${step}。` : `缩放之后，间隔从训练时的 ${before} 变成 ${step}。`}`,
    },
  },
};
