/** Words of the figure `mrope-axes`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  order: { en: 'Pairs', zh: '维度对的分法' },
  orders: {
    interleaved: { en: 'in turns', zh: '轮流' },
    consecutive: { en: 'in blocks', zh: '按块' },
  },
  token: { en: 'Token', zh: '词元' },
  tries: [
    {
      label: { en: 'Give the axes blocks', zh: '改为按块分配' },
      notice: {
        en: 'The columns have only the slowest pairs left: the fastest of them needs about 410,000 positions for a turn, so neighbouring columns are hardly told apart.',
        zh: '列只分到最慢的维度对，其中最快的也要约 410,000 个位置才转一圈，相邻的列几乎分不清。',
      },
      set: { order: 'consecutive', token: 12 },
    },
    {
      label: { en: 'Choose a token of text', zh: '选一个文字词元' },
      notice: {
        en: 'Its three positions are equal, so every pair rotates as in plain RoPE, whichever axis it follows.',
        zh: '它的三个位置相等，所以无论归哪个轴，每个维度对都和普通 RoPE 转得一样。',
      },
      set: { token: 17 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Three axes, and their pairs',
      question: 'Which pair of a head follows which axis?',
      caption:
        'Above, a clip of two frames within a text; each token has a position in time t, row h and column w. Below, the 32 pairs that Qwen3.5 rotates, each on the line of its axis.',
      text: 'text',
      frame: (number: number) => `frame ${number}`,
      axis: 'positions per turn, fast to slow',
      patch: (t: string, h: string, w: string) =>
        `The fastest pair of time, row and column completes a turn in ${t}, ${h} and ${w} positions.`,
      plain: (at: number, plain: number, pairs: number) =>
        `A token of the text has t = h = w = ${at}: ${plain} of ${pairs} pairs rotate as in plain RoPE.`,
      describe: (tokens: number, patches: number, list: string) =>
        `${tokens} tokens, of which ${patches} are patches of a clip, with positions in time, row and column. Pairs from fast to slow follow ${list}.`,
      columns: ['pair', 'axis', 'positions per turn', 'position of the token'],
    },
    zh: {
      title: '三个轴与各自的维度对',
      question: '一个头里，哪个维度对归哪个轴？',
      caption:
        '上面是夹在文字里的两帧视频，每个词元有时间 t、行 h、列 w 三个位置。下面是 Qwen3.5 旋转的 32 个维度对，各在自己那个轴的线上。',
      text: '文字',
      frame: (number: number) => `第 ${number} 帧`,
      axis: '转一圈的位置数，从快到慢',
      patch: (t: string, h: string, w: string) =>
        `时间、行、列各自最快的维度对，转一圈要 ${t}、${h}、${w} 个位置。`,
      plain: (at: number, plain: number, pairs: number) =>
        `文字词元的 t = h = w = ${at}：${pairs} 个维度对里，${plain} 个的转法与普通 RoPE 一样。`,
      describe: (tokens: number, patches: number, list: string) =>
        `${tokens} 个词元，其中 ${patches} 个是视频的图像块，各有时间、行、列三个位置。从快到慢，各维度对依次归 ${list}。`,
      columns: ['第几对', '轴', '一圈的位置数', '词元的位置'],
    },
  },
};
