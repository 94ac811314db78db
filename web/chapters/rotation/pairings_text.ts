/** Words of the figure `rotary-pairings`. */
import type { Try } from '../../figures/figure.ts';

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
  tries: [
    {
      label: { en: 'Pair the two halves', zh: '改成前后半配对' },
      notice: {
        en: 'Each entry is now joined with one of the other half: 1 with 5, 2 with 6. The result is another vector.',
        zh: '每个数改与另一半里的一个数配对：1 配 5，2 配 6。结果是另一个向量。',
      },
      set: { layout: 'half-split', vector: '1 2 3 4 5 6 7 8' },
    },
    {
      label: { en: 'Go to position 0', zh: '回到位置 0' },
      notice: {
        en: 'Nothing is rotated: every cosine is 1, every sine 0, and f(x, 0) is x in both pairings.',
        zh: '什么也没转：余弦都是 1，正弦都是 0，两种配对下 f(x, 0) 都等于 x。',
      },
      set: { position: 0 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Two ways to pair',
      question: 'Which two numbers of a vector are rotated together?',
      caption:
        'Arcs join the two entries of a pair: above the vector in one pairing, below it in the other. Reordered along the lines, both join the same entries. The rows compute f(x, m) entry by entry; the rotation as a matrix is among the values.',
      rows: ['x', '⊗ cos', '+ turn(x)', '⊗ sin', '= f(x, m)'],
      pair: (pair: number) => `Pair ${pair}`,
      order: 'Reordered like this, half-split pairs join what interleaved pairs joined',
      reorderedRow: 'reordered',
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
      describe: (neighbors: number[], halves: number[]) =>
        `Interleaved: neighbors, as places ${neighbors.join(' and ')}. Half-split: one of each half, as places ${halves.join(' and ')}. Code that mixes the two up gets wrong scores, without an error.`,
      columns: ['j', 'x', 'cos', 'turn(x)', 'sin', 'f(x, m)', 'reordered x'],
      refusal: (count: number) =>
        `x must hold an even count of finite numbers, 4 to 12 of them, got ${count}`,
    },
    zh: {
      title: '两种配对方式',
      question: '向量里哪两个数一起旋转？',
      caption:
        '弧线连着一个维度对里的两个数：向量上方是一种配对，下方是另一种。按连线重排以后，两种配对连的是同样的数。下面各行逐项算出 f(x, m)，每个数都用到它的搭档。“数值与文件”里有旋转矩阵。',
      rows: ['x', '⊗ cos', '+ turn(x)', '⊗ sin', '= f(x, m)'],
      pair: (pair: number) => `第 ${pair} 对`,
      order: '这样重排以后，前后半配对连的就是相邻配对的那两个数',
      reorderedRow: '重排后',
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
      describe: (neighbors: number[], halves: number[]) =>
        `相邻配对：相邻的两个，如第 ${neighbors.join(' 与第 ')} 个。前后半配对：前后两半各取一个，如第 ${halves.join(' 与第 ')} 个。两种混用，分数会错，程序却不报错。`,
      columns: ['j', 'x', 'cos', 'turn(x)', 'sin', 'f(x, m)', '重排后的 x'],
      refusal: (count: number) => `x 必须是 4 到 12 个有限的数，而且是偶数个，现在有 ${count} 个`,
    },
  },
};
