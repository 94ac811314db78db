/** Words of the figure `rotary-wavelengths`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  dim: { en: 'Rotated dimensions', zh: '参与旋转的维数' },
  length: { en: 'Context length', zh: '上下文长度' },
  pair: { en: 'Pair', zh: '第几对' },
  tries: [
    {
      label: { en: 'Raise the base to 500,000', zh: '把底数调到 500,000' },
      notice: {
        en: 'The slow pairs are slower still: 32 pairs never complete a turn, in place of 18.',
        zh: '低频对更慢了：转不完一圈的从 18 对变成 32 对。',
      },
      set: { base: 500000 },
    },
    {
      label: { en: 'Lengthen the context to 32,768', zh: '上下文加长到 32,768' },
      notice: {
        en: 'Only 4 pairs are left above the line; the others meet every angle of their circle.',
        zh: '虚线以上只剩 4 对，其余的维度对走遍了整个圆周。',
      },
      set: { length: 32768 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Wavelengths and the base',
      question: 'Which pairs never complete a turn within the context?',
      caption:
        'The wavelength of each pair (two channels that turn together). Pairs in the shaded part, above the dashed line, never complete a turn within the context: training shows only the filled part of their circle. The buttons are models.',
      models: 'Models',
      pairAxis: 'pair i',
      wavelengthAxis: 'positions for one turn',
      context: (length: string) => `context of ${length}`,
      complete: 'completes a turn',
      never: 'never completes one',
      chosen: (pair: number) => `pair ${pair}`,
      count: (length: string) => `Pairs that never complete a turn within ${length}`,
      first: 'The first of them',
      none: 'none',
      wavelength: (pair: number) => `Positions for one turn of pair ${pair}`,
      turns: (pair: number) => `Turns of pair ${pair} within the context`,
      longest: 'Longest wavelength, of the last pair',
      dials: 'Part of its circle that a pair covers within the context',
      dial: (pair: number, turns: string) => `Pair ${pair}: ${turns} turns`,
      describe: (slow: number, pairs: number, length: string) =>
        slow < pairs
          ? `Pairs ${slow} to ${pairs - 1}: one turn takes them longer than the context of ${length} positions.`
          : `None: each of the ${pairs} pairs completes a turn within ${length} positions.`,
      columns: ['pair', 'positions per turn', 'turns within the context'],
    },
    zh: {
      title: '波长与底数',
      question: '在上下文之内，哪些维度对一圈也转不完？',
      caption:
        '每个维度对（一起旋转的两个维度）的波长。虚线以上、阴影里的维度对在上下文里转不满一圈：训练只见过圆上涂色的部分。上方按钮可切换模型。',
      models: '模型',
      pairAxis: '第 i 对',
      wavelengthAxis: '转一圈的位置数',
      context: (length: string) => `上下文 ${length}`,
      complete: '至少转完一圈',
      never: '一圈也转不完',
      chosen: (pair: number) => `第 ${pair} 对`,
      count: (length: string) => `在 ${length} 个位置内转不完一圈的维度对有几个`,
      first: '其中的第一个',
      none: '没有',
      wavelength: (pair: number) => `第 ${pair} 对转一圈的位置数`,
      turns: (pair: number) => `第 ${pair} 对在上下文内转的圈数`,
      longest: '最长的波长（最后一个维度对）',
      dials: '各个维度对在上下文之内见过多少圆周',
      dial: (pair: number, turns: string) => `第 ${pair} 对：${turns} 圈`,
      describe: (slow: number, pairs: number, length: string) =>
        slow < pairs
          ? `第 ${slow} 对到第 ${pairs - 1} 对：转一圈所需的位置数超过上下文长度 ${length}。`
          : `没有：${pairs} 个维度对在 ${length} 个位置内都转得完一圈。`,
      columns: ['第几对', '一圈的位置数', '上下文内的圈数'],
    },
  },
};
