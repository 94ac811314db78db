/** Words of the figure `sinusoid-shift`. */
import type { Try } from '../../figures/figure.ts';

/** A position, and that with the offset. */
type Step = readonly [from: number, to: string];

export const words = {
  position: { en: 'Position', zh: '位置' },
  other: { en: 'Second position', zh: '第二个位置' },
  offset: { en: 'Offset', zh: '平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Width', zh: '维数' },
  tries: [
    {
      label: { en: 'Move t to 90', zh: '把 t 移到 90' },
      notice: {
        en: 'The upper hands have moved, their angles have not: each is still that of the clock below.',
        zh: '上面一排的指针都动了，夹角没变：仍与下面那个表盘的夹角相等。',
      },
      set: { t: 90 },
    },
    {
      label: { en: 'Double the offset', zh: '平移加倍' },
      notice: {
        en: 'Each angle is twice as large, in both rows. The fastest pair is past a whole turn.',
        zh: '两排的每个夹角都是原来的两倍。最快的维度对已经转过一圈以上。',
      },
      set: { offset: 10 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'A shift is a rotation',
      question: 'How is the vector of one position computed from that of another?',
      caption:
        'Each pair is a clock: the purple hand is a position, the other one Δ later. The upper row starts at t, the lower one at t′. In each column both angles are equal, so one matrix (among the values) moves every position by Δ.',
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
      describe: (near: Step, far: Step, pair: number, angle: string) =>
        `By a rotation: pair ${pair} turns by ${angle} from ${near[0]} to ${near[1]}, and by the same ${angle} from ${far[0]} to ${far[1]}. One matrix serves both.`,
    },
    zh: {
      title: '平移就是旋转',
      question: '怎样由一个位置的向量，算出另一个位置的向量？',
      caption:
        '每个维度对画成一个表盘，紫色指针是一个位置，另一根是它之后 Δ 个位置。上排从 t 出发，下排从 t′ 出发。每一列的两个夹角相等，所以同一个矩阵能把任何位置移动 Δ；矩阵在“数值与文件”里。',
      play: { start: '让 t 递增', stop: '暂停' },
      clock: (pair: number, angle: string) => `i = ${pair}：转过 ${angle} 弧度`,
      mapColumns: '列 j',
      mapRows: '行',
      mapLabel: (dim: number) => `矩阵 T，${dim} × ${dim}：对角线上是 2 × 2 小块，其余为零。`,
      blockOf: (pair: number) => `第 ${pair} 对的小块`,
      angleOf: (pair: number) => `第 ${pair} 对的转角 Δ ⋅ θ`,
      angle: (radians: string, degrees: string) => `${radians} 弧度 = ${degrees}°`,
      residual: (last: number) => `T ⋅ PE(t) = PE(t + Δ) 的最大误差（所有列，t 从 0 到 ${last}）`,
      cell: (row: number, column: number) => `T(${row}, ${column})`,
      describe: (near: Step, far: Step, pair: number, angle: string) =>
        `旋转即可：从 ${near[0]} 到 ${near[1]}，第 ${pair} 对转 ${angle}；从 ${far[0]} 到 ${far[1]}，同样转 ${angle}。同一个矩阵，两处都适用。`,
    },
  },
};
