/** Words of the figure `rotary-pairings`. */
export const pairingsText = {
  en: {
    title: 'Two ways to pair',
    question: 'Which two numbers of a vector are rotated together?',
    caption:
      'See: arcs join the two entries of a pair. The rows compute f(x, m) entry by entry, the matrix in one product. Try: type your own numbers, and change the pairing: the blocks of the matrix become two diagonals. Crossing lines show the order in which both pairings agree; without reordering the score is different.',
  },
  zh: {
    title: '两种配对方式',
    question: '向量里哪两个数一起旋转？',
    caption:
      '看什么：弧线连着一个维度对里的两个数。各行逐项算出 f(x, m)，矩阵用一次乘法算出同样的结果。试一试：输入自己的数，再换一种配对：矩阵里的小块变成两条对角线。交叉的线是两种配对一致时的次序；不重排，分数就不同。',
  },
};

export const words = {
  vector: {
    en: 'The vector x: an even count of numbers, 4 to 12',
    zh: '向量 x：4 到 12 个数，偶数个',
  },
  position: { en: 'Position', zh: '位置' },
  layout: { en: 'Pairing', zh: '配对' },
  interleaved: { en: 'interleaved', zh: '相邻配对' },
  halfSplit: { en: 'half-split', zh: '前后半配对' },
  base: { en: 'Base', zh: '底数' },
  pair: { en: 'Pair', zh: '第几对' },
  strings: {
    en: {
      rows: ['x', '⊗ cos', '+ turn(x)', '⊗ sin', '= f(x, m)'],
      pair: (pair: number) => `Pair ${pair}`,
      order: 'The same entries, reordered',
      permuted: (entries: string) => `The same entries, reordered: ${entries}`,
      interleavedOrder: 'interleaved',
      halfOrder: 'half-split',
      matrixRows: 'row',
      matrixColumns: 'column j',
      matrixLabel: (dim: number) => `The matrix of the rotation, ${dim} by ${dim}.`,
      entry: (row: number, column: number) => `Entry (${row}, ${column}) of the matrix`,
      angle: (pair: number) => `Angle m ⋅ θ of pair ${pair}`,
      form: 'Element by element, and by the matrix, against the core: largest difference',
      orderError: 'Reordered and rotated half-split, against rotated interleaved and reordered',
      score: 'Score of x at m with x at 0, interleaved',
      reordered: 'Reordered, half-split',
      mixed: 'Not reordered, half-split',
      describe: (dim: number, position: number, result: string) =>
        `A vector of ${dim} numbers, rotated by position ${position}, becomes ${result}.`,
      columns: ['j', 'x', 'cos', 'turn(x)', 'sin', 'f(x, m)', 'reordered x'],
      refusal: (count: number) =>
        `x must hold an even count of finite numbers, 4 to 12 of them, got ${count}`,
    },
    zh: {
      rows: ['x', '⊗ cos', '+ turn(x)', '⊗ sin', '= f(x, m)'],
      pair: (pair: number) => `第 ${pair} 对`,
      order: '同样的数，重新排列',
      permuted: (entries: string) => `同样的数，重新排列：${entries}`,
      interleavedOrder: '相邻配对',
      halfOrder: '前后半配对',
      matrixRows: '行',
      matrixColumns: '列 j',
      matrixLabel: (dim: number) => `旋转矩阵，${dim} × ${dim}。`,
      entry: (row: number, column: number) => `矩阵第 (${row}, ${column}) 项`,
      angle: (pair: number) => `第 ${pair} 对的转角 m ⋅ θ`,
      form: '逐项算、用矩阵算，与内核结果的最大差',
      orderError: '重排后按前后半配对旋转，与按相邻配对旋转后再重排的最大差',
      score: 'm 处的 x 与 0 处的 x 的分数，相邻配对',
      reordered: '重排，前后半配对',
      mixed: '不重排，前后半配对',
      describe: (dim: number, position: number, result: string) =>
        `${dim} 个数的向量，按位置 ${position} 旋转后变成 ${result}。`,
      columns: ['j', 'x', 'cos', 'turn(x)', 'sin', 'f(x, m)', '重排后的 x'],
      refusal: (count: number) => `x 必须是 4 到 12 个有限的数，而且是偶数个，现在有 ${count} 个`,
    },
  },
};
