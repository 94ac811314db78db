/** Words of the figure `mrope-axes`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  token: { en: 'Token', zh: '词元' },
  tries: [
    {
      label: { en: 'Choose the column before', zh: '选左边一列' },
      notice: {
        en: 'Only w is smaller by one. Interleaved, the fastest pair of w turns back by 21°, in blocks by less than 0.001°.',
        zh: '只有 w 小了一。交错时，w 最快的维度对往回转 21°；分段时，还不到 0.001°。',
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
      question: 'Which pairs carry time, row and column?',
      caption:
        'A clip of two frames within a text: each token has time t, row h and column w. Below, a head’s 32 pairs (two channels that turn together) in the colors of their axes; dials show how far one column turns a framed pair.',
      text: 'text: t = h = w',
      frame: (number: number) => `frame ${number}`,
      patchIs: 'The framed patch:',
      textIs: 'The framed token of text, all three equal:',
      axes: { t: 'time t', h: 'row h', w: 'column w' },
      axis: 'positions per turn, fast pairs to slow',
      orders: {
        consecutive: 'in blocks, as in Qwen2-VL',
        interleaved: 'interleaved, as in Qwen3.5',
      },
      step: (degrees: string) => `next column: ${degrees}°`,
      patch: (blocks: string, turns: string) =>
        `In blocks the column gets only slow pairs, and neighbors look alike: at most ${blocks}° per column. Interleaved, it is ${turns}°.`,
      plain: (at: number, plain: number, pairs: number) =>
        `A token of the text has t = h = w = ${at}: in both orders ${plain} of ${pairs} pairs rotate as in plain RoPE.`,
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
      question: '哪些维度对归时间，哪些归行和列？',
      caption:
        '文字里夹着两帧视频，每个词元有时间 t、行 h、列 w 三个位置。下面是一个头的 32 个维度对（一起旋转的两个维度），颜色表示归哪个轴；表盘画的是：右移一列，框出的维度对转多少。',
      text: '文字：t = h = w',
      frame: (number: number) => `第 ${number} 帧`,
      patchIs: '框出的图像块：',
      textIs: '框出的文字词元，三个数相等：',
      axes: { t: '时间 t', h: '行 h', w: '列 w' },
      axis: '转一圈的位置数，从快到慢',
      orders: { consecutive: '分段（Qwen2-VL）', interleaved: '交错（interleaved，Qwen3.5）' },
      step: (degrees: string) => `右移一列：${degrees}°`,
      patch: (blocks: string, turns: string) =>
        `分段时，列只分到慢的维度对，相邻两列几乎分不清：每列最多转 ${blocks}°；交错时是 ${turns}°。`,
      plain: (at: number, plain: number, pairs: number) =>
        `文字词元的 t = h = w = ${at}：两种分法的 ${pairs} 个维度对里，都有 ${plain} 个的转法与普通 RoPE 一样。`,
      columns: ['第几对', '交错的轴', '分段的轴', '一圈的位置数', '交错的位置', '分段的位置'],
    },
  },
};
