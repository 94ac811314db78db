/** Words of the figure `rotary-pairings`. */
export const pairingsText = {
  en: {
    title: 'Two ways to pair',
    question: 'Which two numbers of a vector turn together?',
    caption:
      'Type your own numbers. Arcs join the two entries of a pair; press one to follow it. The rows below build f(x, m) entry by entry; the matrix beside does the same in one product. Change the pairing: other partners, other numbers, and the matrix shows two long diagonals instead of blocks. Now look at the crossing lines: put the entries in that order, turn them the half-split way, and the result is the interleaved one in the same order. Forget to reorder, and the score is another.',
  },
  zh: {
    title: '两种配对方式',
    question: '向量里哪两个数一起旋转？',
    caption:
      '可以输入自己的数。弧线连着一对里的两个数，点一下就盯住这一对。下面几行逐项算出 f(x, m)；旁边的矩阵用一次乘法做同样的事。换一种配对：搭档变了，数也变了，矩阵里的小块变成两条长对角线。再看交叉的线：按这个次序重排，再用前后对半的方式旋转，得到的就是相邻配对的结果，只是次序不同。忘了重排，分数就不一样了。',
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
  halfSplit: { en: 'half-split', zh: '前后对半' },
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
      orderError: 'Reordered and turned half-split, against turned interleaved and reordered',
      score: 'Score of x at m with x at 0, interleaved',
      reordered: 'Reordered, half-split',
      mixed: 'Not reordered, half-split',
      describe: (dim: number, position: number, result: string) =>
        `A vector of ${dim} numbers, turned by position ${position}, becomes ${result}.`,
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
      halfOrder: '前后对半',
      matrixRows: '行',
      matrixColumns: '列 j',
      matrixLabel: (dim: number) => `旋转矩阵，${dim} × ${dim}。`,
      entry: (row: number, column: number) => `矩阵第 (${row}, ${column}) 项`,
      angle: (pair: number) => `第 ${pair} 对的转角 m ⋅ θ`,
      form: '逐项算、用矩阵算，与内核结果的最大差',
      orderError: '重排后按前后对半旋转，与按相邻配对旋转后再重排的最大差',
      score: 'm 处的 x 与 0 处的 x 的分数，相邻配对',
      reordered: '重排，前后对半',
      mixed: '不重排，前后对半',
      describe: (dim: number, position: number, result: string) =>
        `${dim} 个数的向量，按位置 ${position} 旋转后变成 ${result}。`,
      columns: ['j', 'x', 'cos', 'turn(x)', 'sin', 'f(x, m)', '重排后的 x'],
      refusal: (count: number) => `x 必须是 4 到 12 个有限的数，而且是偶数个，现在有 ${count} 个`,
    },
  },
};
