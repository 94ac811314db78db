/** Words of the figure `sinusoid-shift`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  position: { en: 'Position', zh: '位置' },
  offset: { en: 'Offset', zh: '平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Width', zh: '维数' },
  tries: [
    {
      label: { en: 'Move t to 150', zh: '把 t 移到 150' },
      notice: {
        en: 'The hands have moved, the angle between the two has not: it depends on the offset alone.',
        zh: '指针都动了，夹角没变：它只取决于平移。',
      },
      set: { t: 150 },
    },
    {
      label: { en: 'Make the offset five times larger', zh: '平移增大到五倍' },
      notice: {
        en: 'Each angle is five times larger. The fastest pair is past a whole turn.',
        zh: '每个夹角都是原来的五倍。最快的那一对已经转过一圈以上。',
      },
      set: { offset: 10 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'A shift is a rotation',
      question: 'How is the vector of one position computed from that of another?',
      caption:
        'Each pair is a clock: the purple hand is position t, the other t + Δ. The angle between them is the same at every t, so one matrix (among the values), a rotation of each pair, moves every position by Δ.',
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
        `By a rotation: from ${t} to ${shifted}, as from any position, each hand turns by its own fixed angle, that of pair ${pair} by ${angle} radians.`,
    },
    zh: {
      title: '平移就是旋转',
      question: '怎样由一个位置的向量，算出另一个位置的向量？',
      caption:
        '每个维度对是一只钟，紫指针是位置 t，另一根是 t + Δ。让 t 走起来，夹角始终不变，所以同一个矩阵（各维度对各自旋转）能把任何位置移动 Δ；矩阵在“数值与文件”里。',
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
        `靠旋转：从位置 ${t} 到 ${shifted}，和从任何位置出发一样，每根指针转过固定的角度，第 ${pair} 对是 ${angle} 弧度。`,
    },
  },
};
