/** Words of the figure `sinusoid-heatmap`. */
import type { Try } from '../../figures/figure.ts';

const range = (from: string, to: string, language: 'en' | 'zh') =>
  language === 'en' ? `${from} and ${to}` : `${from} 与 ${to}`;

export const words = {
  positions: { en: 'Positions', zh: '位置数' },
  dim: { en: 'Width', zh: '维数' },
  layout: { en: 'Layout of the pairs', zh: '配对方式' },
  interleaved: { en: 'interleaved', zh: '相邻配对' },
  halfSplit: { en: 'half-split', zh: '前后半配对' },
  spacing: { en: 'Exponent of the base', zh: '底数的指数' },
  order: { en: 'First of a pair', zh: '维度对里在前的' },
  sinFirst: { en: 'sin', zh: 'sin' },
  cosFirst: { en: 'cos', zh: 'cos' },
  column: { en: 'Column', zh: '列' },
  tries: [
    {
      label: { en: 'Lower the base to 100', zh: '把底数调到 100' },
      notice: {
        en: 'All waves are faster. The dashed line has moved from column 30 to 58: fewer waves are too slow to complete a turn.',
        zh: '每条波都变快了。虚线从第 30 列移到第 58 列：转不满一圈的波变少。',
      },
      set: { base: 100 },
    },
    {
      label: { en: 'Show 512 positions', zh: '显示 512 个位置' },
      notice: {
        en: 'In a longer table more waves complete a turn: the dashed line has moved from column 30 to 62.',
        zh: '表变长了，更多的波转得完一圈：虚线从第 30 列移到第 62 列。',
      },
      set: { positions: 512 },
    },
    {
      label: { en: 'Put all sines first', zh: '把正弦都放在前面' },
      notice: {
        en: 'The same numbers in another order: sines in the left half, cosines in the right. Some libraries do it so; models of one layout cannot use the other.',
        zh: '还是同样的数，只是次序不同：左半边是正弦，右半边是余弦。有的代码库这样写；按一种方式训练的模型不能用另一种。',
      },
      set: { layout: 'half-split' },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'The table of position vectors',
      question: 'What does a position look like once it is written in sines and cosines?',
      caption:
        'Each row is the vector of a position, each column one wave, slower to the right. Beyond the dashed line no wave completes a turn within the table. The curve below is the column with the mark.',
      columnAxis: 'column j',
      rowAxis: 'position t',
      wavelengthAxis: 'wavelength of the pair, in positions',
      waveAxis: (column: number) => `PE(t, ${column})`,
      oneTurn: 'one turn',
      noTurn: (positions: number) => `→ not one turn within ${positions} positions`,
      waveLabel: (column: number, length: string) =>
        `Column ${column} as a wave over the positions; wavelength ${length}.`,
      column: (column: number, wave: string, pair: number, length: string) =>
        `Column ${column} is the ${wave} of pair i = ${pair}: one turn takes ${length} positions.`,
      cell: (
        t: number,
        column: number,
        value: string,
        wave: string,
        pair: number,
        length: string,
      ) =>
        `PE(${t}, ${column}) = ${value}: the ${wave} of pair i = ${pair}, one turn in ${length} positions.`,
      halves: {
        fast: 'Left half: average swing of a column (highest − lowest value)',
        slow: 'Right half: average swing of a column',
      },
      halvesOfPairs: {
        fast: 'Faster half of the pairs: average swing of a column (highest − lowest value)',
        slow: 'Slower half of the pairs: average swing of a column',
      },
      closest: (first: number, second: number) =>
        `Smallest distance of two vectors in the table (positions ${range(String(first), String(second), 'en')})`,
      describe: (positions: number, fast: string, slow: string, isHalved: boolean) =>
        `${isHalved ? 'Like waves of many speeds' : 'Like stripes that, read downwards, change fast at the left and slowly, if at all, at the right'}: over ${positions} positions a column of the faster half swings by ${fast} on average, one of the slower half by ${slow}.`,
    },
    zh: {
      title: '位置向量表',
      question: '正弦和余弦给出的位置编码，长什么样？',
      caption:
        '每一行是一个位置的向量，每一列是一条波，越往右越慢。虚线右侧的波在整张表里转不满一圈。下面的曲线是标出的那一列。',
      columnAxis: '列 j',
      rowAxis: '位置 t',
      wavelengthAxis: '维度对的波长（位置数）',
      waveAxis: (column: number) => `PE(t, ${column})`,
      oneTurn: '一圈',
      noTurn: (positions: number) => `→ ${positions} 个位置内转不满一圈`,
      waveLabel: (column: number, length: string) =>
        `第 ${column} 列随位置变化的波，波长 ${length}。`,
      column: (column: number, wave: string, pair: number, length: string) =>
        `第 ${column} 列是第 i = ${pair} 对的 ${wave}：转一圈要 ${length} 个位置。`,
      cell: (
        t: number,
        column: number,
        value: string,
        wave: string,
        pair: number,
        length: string,
      ) =>
        `PE(${t}, ${column}) = ${value}：第 i = ${pair} 对的 ${wave}，转一圈要 ${length} 个位置。`,
      halves: {
        fast: '左半边：各列的平均变化幅度（最大值 − 最小值）',
        slow: '右半边：各列的平均变化幅度',
      },
      halvesOfPairs: {
        fast: '高频的一半：各列的平均变化幅度（最大值 − 最小值）',
        slow: '低频的一半：各列的平均变化幅度',
      },
      closest: (first: number, second: number) =>
        `表中两个向量的最小距离（位置 ${range(String(first), String(second), 'zh')}）`,
      describe: (positions: number, fast: string, slow: string, isHalved: boolean) =>
        `${isHalved ? '像许多快慢不同的波' : '左边的列变化快，越往右越慢'}：在 ${positions} 个位置上，变化快的那一半列，平均变化幅度 ${fast}，慢的一半 ${slow}。`,
    },
  },
};
