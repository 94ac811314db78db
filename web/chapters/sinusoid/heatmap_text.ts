/** Words of the figure `sinusoid-heatmap`. */
export const heatmapText = {
  en: {
    title: 'The table of position vectors',
    question: 'What does a position look like once it is written in sines and cosines?',
    caption:
      'Each row is one position’s vector; read down a column and you see one wave. Run the pointer across, or drag the column slider: each pair to the right turns more slowly than the one before. To the right of the dashed line no wave completes a turn within the table, which is why that side hardly changes. Now lower the base, or add positions, and watch the line move. Layout, spacing and order are the spellings found in real libraries: the picture changes, and a model trained on one cannot read another.',
  },
  zh: {
    title: '位置向量表',
    question: '用正弦和余弦写出来的“位置”，长什么样？',
    caption:
      '每一行是一个位置的向量，竖着看一列就是一条波。把指针横着移过去，或者拖动列滑块：越往右，每一对转得越慢。虚线右侧的波在整张表里连一圈都转不完，所以右半边几乎不变。试着把底数调小，或者增加位置数，看虚线往哪边走。排列、指数间距和先后次序都是真实代码库里的不同写法：写法一换，图就变样，按一种写法训练的模型读不懂另一种。',
  },
};

const range = (from: string, to: string, language: 'en' | 'zh') =>
  language === 'en' ? `${from} and ${to}` : `${from} 与 ${to}`;

export const words = {
  positions: { en: 'Positions', zh: '位置数' },
  dim: { en: 'Width', zh: '维数' },
  layout: { en: 'Layout of the pairs', zh: '成对排列方式' },
  interleaved: { en: 'interleaved', zh: '相邻配对' },
  halfSplit: { en: 'half-split', zh: '前后半配对' },
  spacing: { en: 'Exponent of the base', zh: '底数的指数' },
  order: { en: 'First of a pair', zh: '每对谁在前' },
  sinFirst: { en: 'sin', zh: 'sin' },
  cosFirst: { en: 'cos', zh: 'cos' },
  column: { en: 'Column', zh: '列' },
  strings: {
    en: {
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
      describe: (positions: number, dim: number, fast: string, slow: string) =>
        `Heat map of ${positions} positions by ${dim} columns, values from -1 to 1. A column of the faster half of the pairs swings by ${fast} on average, one of the slower half by ${slow}.`,
    },
    zh: {
      columnAxis: '列 j',
      rowAxis: '位置 t',
      wavelengthAxis: '这一对的波长（以位置计）',
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
      halves: { fast: '左半边：各列的平均摆幅（最大值 − 最小值）', slow: '右半边：各列的平均摆幅' },
      halvesOfPairs: {
        fast: '转得快的一半：各列的平均摆幅（最大值 − 最小值）',
        slow: '转得慢的一半：各列的平均摆幅',
      },
      closest: (first: number, second: number) =>
        `表中两个向量的最小距离（位置 ${range(String(first), String(second), 'zh')}）`,
      describe: (positions: number, dim: number, fast: string, slow: string) =>
        `热图：${positions} 个位置 × ${dim} 列，数值在 -1 到 1 之间。转得快的一半平均摆幅 ${fast}，转得慢的一半平均摆幅 ${slow}。`,
    },
  },
};
