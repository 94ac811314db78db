/** Words of the figure `sinusoid-shift`. */
export const words = {
  position: { en: 'Position', zh: '位置' },
  offset: { en: 'Offset', zh: '平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Width', zh: '维数' },
  strings: {
    en: {
      title: 'A shift is a rotation',
      question: 'How is the vector of one position computed from that of another?',
      caption:
        'See: each pair as a clock: the purple hand is position t, the other t + Δ. Try: move t: both hands rotate, and the angle between them stays, because it depends only on Δ. So one matrix moves every position by Δ. Then change Δ: all blocks of the matrix change.',
      play: { start: 'Let t run', stop: 'Pause' },
      clock: (pair: number, angle: string) => `i = ${pair}: turned by ${angle} radians`,
      mapColumns: 'column j',
      mapRows: 'row',
      mapLabel: (dim: number) =>
        `The matrix T, ${dim} by ${dim}: blocks of 2 by 2 along the diagonal, zeros elsewhere.`,
      blockOf: (pair: number) => `The block of pair ${pair}`,
      angleOf: (pair: number) => `Angle Δ ⋅ θ of pair ${pair}`,
      angle: (radians: string, degrees: string) => `${radians} rad = ${degrees}°`,
      residual: (last: number) =>
        `Largest error of T ⋅ PE(t) = PE(t + Δ), all columns, all t from 0 to ${last}`,
      cell: (row: number, column: number) => `T(${row}, ${column})`,
      describe: (t: number, shifted: number, pair: number, angle: string) =>
        `From position ${t} to ${shifted} each hand turns by an angle of its own, that of pair ${pair} by ${angle} radians, wherever it stood.`,
    },
    zh: {
      title: '平移就是旋转',
      question: '怎样由一个位置的向量，算出另一个位置的向量？',
      caption:
        '看什么：每个维度对是一只钟，紫针是位置 t，另一根是 t + Δ。试一试：拖动 t，两根针一起转，夹角不变，因为它只取决于 Δ。所以同一个矩阵能把任何位置移动 Δ。再改 Δ，矩阵的所有小块都会变。',
      play: { start: '让 t 走起来', stop: '暂停' },
      clock: (pair: number, angle: string) => `i = ${pair}：转过 ${angle} 弧度`,
      mapColumns: '列 j',
      mapRows: '行',
      mapLabel: (dim: number) => `矩阵 T，${dim} × ${dim}：对角线上是 2 × 2 小块，其余为零。`,
      blockOf: (pair: number) => `第 ${pair} 对的小块`,
      angleOf: (pair: number) => `第 ${pair} 对的转角 Δ ⋅ θ`,
      angle: (radians: string, degrees: string) => `${radians} 弧度 = ${degrees}°`,
      residual: (last: number) => `T ⋅ PE(t) = PE(t + Δ) 的最大误差（所有列，t 从 0 到 ${last}）`,
      cell: (row: number, column: number) => `T(${row}, ${column})`,
      describe: (t: number, shifted: number, pair: number, angle: string) =>
        `从位置 ${t} 到 ${shifted}，每根针转过自己的角度；第 ${pair} 对转过 ${angle} 弧度，与从哪里出发无关。`,
    },
  },
};
