/** Words of the figure `dial-curve`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  frequencies: { en: 'Frequencies', zh: '频率' },
  spread: { en: '1 to 1/b', zh: '从 1 到 1/b' },
  base: { en: 'Base of “1 to 1/b”', zh: '“从 1 到 1/b”的底数' },
  positions: { en: 'Positions', zh: '位置数' },
  turn: { en: 'Turn', zh: '转动' },
  tilt: { en: 'Tilt', zh: '俯仰' },
  tries: [
    {
      label: { en: 'Spread the frequencies widely', zh: '拉大频率差距' },
      notice: {
        en: 'With the frequencies 1, 0.01 and 0.0001 the curve is open: the slow waves carry it on, and no turn comes back to one before.',
        zh: '频率取 1、0.01、0.0001，曲线就打开了：慢的两条波带着它往前走，每一圈都不会回到前一圈。',
      },
      set: { frequencies: 'dim-1', positions: 50 },
    },
    {
      label: { en: 'Then show 200 positions', zh: '显示到 200 个位置' },
      notice: {
        en: 'The second sine turns back at position 157, and the curve returns almost the way it came: far positions are nearly the same again.',
        zh: '第二个正弦在位置 157 处掉头，曲线几乎沿原路返回：相距很远的位置又几乎相同了。',
      },
      set: { frequencies: 'dim-1', positions: 200, base: 10000 },
    },
    {
      label: { en: 'Take a base of 1,000,000', zh: '底数取 1,000,000' },
      notice: {
        en: 'The second sine is ten times slower: at position 200 the curve is still on its way out, each turn close to the one before.',
        zh: '第二个正弦慢到十分之一：到位置 200，曲线还在往前走，没有掉头，每一圈紧挨着前一圈。',
      },
      set: { frequencies: 'dim-1', positions: 200, base: 1000000 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Three dials as a curve in space',
      question: 'When do two positions get the same vector?',
      caption:
        'Three sine waves as the coordinates of a curve, colored by position. With halved frequencies it passes its start, the ring, at 12.57 and 25.13, and then repeats: the dashes. Drag the cube, or press “Turn it”, to see other sides.',
      play: { start: 'Turn it', stop: 'Pause' },
      space: 'The curve in a cube; arrow keys turn it.',
      legend: 'position t',
      gap: 'positions apart',
      nearest: 'smallest distance of two vectors',
      one: 'one turn of dial 0',
      collision:
        'Collision distance: the smallest distance of two positions that are one turn of dial 0 or more apart',
      moments: 'They stand at',
      apart: 'Apart',
      and: (first: string, second: string) => `${first} and ${second}`,
      comma: ', ',
      meeting: (first: string, second: string) => `positions ${first} and ${second}`,
      closed: (first: string, second: string) =>
        `When the curve comes back to where it was: positions ${first} and ${second} get the same vector.`,
      lap: (half: string, lap: string) =>
        `When the curve passes a place again: its start at ${half}, and from ${lap} on every place. Whole positions only come close.`,
      turns: 'One turn of each dial takes',
      describe: (positions: number, distance: string, first: string, second: string) =>
        `Over ${positions} positions, two that are a turn or more apart come no nearer than ${distance}, at ${first} and ${second}.`,
    },
    zh: {
      title: '三个表盘画出的空间曲线',
      question: '两个位置什么时候会得到同一个向量？',
      caption:
        '三条正弦波是曲线的三个坐标，颜色表示位置。频率逐个减半时，曲线在 12.57 和 25.13 处经过起点（圆圈），从 25.13 起重复（深浅相间的一段）。拖动立方体，或按“转起来”，可以换个方向看。',
      play: { start: '转起来', stop: '暂停' },
      space: '立方体里的曲线；方向键可以转动它。',
      legend: '位置 t',
      gap: '相隔的位置数',
      nearest: '两个向量的最小距离',
      one: '表盘 0 的一圈',
      collision: '碰撞距离：相隔至少表盘 0 一圈的两个位置，最近能靠到多近',
      moments: '它们位于',
      apart: '相隔',
      and: (first: string, second: string) => `${first} 与 ${second}`,
      comma: '、',
      meeting: (first: string, second: string) => `位置 ${first} 与 ${second}`,
      closed: (first: string, second: string) =>
        `曲线回到原处的时候：位置 ${first} 与 ${second} 得到同一个向量。`,
      lap: (half: string, lap: string) =>
        `曲线在位置 ${half} 处回到起点，从 ${lap} 起处处重复。整数位置只会彼此接近，不会重合。`,
      turns: '三个表盘转一圈各需',
      describe: (positions: number, distance: string, first: string, second: string) =>
        `在 ${positions} 个位置里，相隔一圈以上的两个位置，最近时相距 ${distance}，位于 ${first} 与 ${second}。`,
    },
  },
};
