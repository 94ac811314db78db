/** Words of the figure `mrope-axes`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  token: { en: 'Token', zh: '词元' },
  tries: [
    {
      label: { en: 'Choose the column before', zh: '选前一列' },
      notice: {
        en: 'Only w is smaller by one. In turns the fastest pair of w turns back by 21°, in blocks by less than 0.001°.',
        zh: '只有 w 小了一。轮流分配时，w 最快的维度对往回转 21°；按块分配时，还不到 0.001°。',
      },
      set: { token: 11 },
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
        'Above, a clip of two frames within a text; each token has a position in time t, row h and column w. Below, 32 pairs, each on the line of its axis: in turns as in Qwen3.5, and in blocks as in Qwen2-VL.',
      text: 'text',
      frame: (number: number) => `frame ${number}`,
      axis: 'positions per turn, fast to slow',
      orders: { interleaved: 'in turns', consecutive: 'in blocks' },
      patch: (turns: string, blocks: string) =>
        `In blocks neighbouring columns hardly differ: the fastest pair of the columns needs ${blocks} positions for a turn, in turns ${turns}.`,
      plain: (at: number, plain: number, pairs: number) =>
        `A token of the text has t = h = w = ${at}: in both orders ${plain} of ${pairs} pairs rotate as in plain RoPE.`,
      describe: (tokens: number, patches: number, turns: string, blocks: string) =>
        `${tokens} tokens, of which ${patches} are patches of a clip, with positions in time, row and column. Pairs from fast to slow follow ${turns} in turns, ${blocks} in blocks.`,
      columns: [
        'pair',
        'axis in turns',
        'axis in blocks',
        'positions per turn',
        'position in turns',
        'position in blocks',
      ],
    },
    zh: {
      title: '三个轴与各自的维度对',
      question: '一个头里，哪个维度对归哪个轴？',
      caption:
        '上面是夹在文字里的两帧视频，每个词元有时间 t、行 h、列 w 三个位置。下面是 32 个维度对，各在自己那个轴的线上：先是 Qwen3.5 的轮流分配，再是 Qwen2-VL 的按块分配。',
      text: '文字',
      frame: (number: number) => `第 ${number} 帧`,
      axis: '转一圈的位置数，从快到慢',
      orders: { interleaved: '轮流', consecutive: '按块' },
      patch: (turns: string, blocks: string) =>
        `按块分配时，相邻的列几乎分不清：列最快的维度对也要 ${blocks} 个位置才转一圈，轮流分配时只要 ${turns} 个。`,
      plain: (at: number, plain: number, pairs: number) =>
        `文字词元的 t = h = w = ${at}：两种分法的 ${pairs} 个维度对里，都有${plain} 个的转法与普通 RoPE 一样。`,
      describe: (tokens: number, patches: number, turns: string, blocks: string) =>
        `${tokens} 个词元，其中 ${patches} 个是视频的图像块，各有时间、行、列三个位置。从快到慢，各维度对轮流分配时依次归 ${turns}，按块分配时依次归 ${blocks}。`,
      columns: ['第几对', '轮流的轴', '按块的轴', '一圈的位置数', '轮流的位置', '按块的位置'],
    },
  },
};
