/** Words of the figure `sinusoid-shift`. */
export const shiftText = {
  en: {
    title: 'A shift is a rotation',
    question: 'How does one walk from the vector of a position to the vector of another?',
    caption:
      'Every pair is a clock whose hand stands at (sin, cos): purple at t, the other at t + Δ. Press play, or drag t: both hands run on, but the angle between them stays as it is, in every clock, because it is made of Δ alone. So one and the same matrix carries every position forward by Δ. Choose another pair to see its 2 × 2 block; change Δ to see all blocks turn.',
  },
  zh: {
    title: '平移就是旋转',
    question: '怎样从一个位置的向量，走到另一个位置的向量？',
    caption:
      '每一对就是一只钟，指针指向 (sin, cos)：紫针在 t，另一根在 t + Δ。按播放，或者拖动 t：两根指针一起往前走，但它们之间的夹角在每只钟里都不变，因为这个角只由 Δ 决定。于是同一个矩阵就能把任何位置往前推 Δ。选另一对，看它的 2 × 2 小块；改 Δ，看所有小块一起转。',
  },
};

export const words = {
  position: { en: 'Position', zh: '位置' },
  offset: { en: 'Offset', zh: '平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Width', zh: '维数' },
  strings: {
    en: {
      play: { start: 'Let t run', stop: 'Stop' },
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
        `One clock per pair, with hands at position ${t} and at position ${shifted}; the hand of pair ${pair} turns by ${angle} radians.`,
    },
    zh: {
      play: { start: '让 t 走起来', stop: '停' },
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
        `每对一只钟，指针分别指向位置 ${t} 和位置 ${shifted}；第 ${pair} 对转过 ${angle} 弧度。`,
    },
  },
};
