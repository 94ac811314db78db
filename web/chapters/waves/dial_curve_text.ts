/** Words of the figure `dial-curve`. */
export const words = {
  frequencies: { en: 'Frequencies', zh: '频率' },
  spread: { en: '1 to 1/b', zh: '从 1 到 1/b' },
  base: { en: 'Base of the slower ones', zh: '放慢时的底数' },
  positions: { en: 'Positions', zh: '位置数' },
  turn: { en: 'Turn', zh: '转动' },
  tilt: { en: 'Tilt', zh: '俯仰' },
  strings: {
    en: {
      title: 'Three dials as a curve in space',
      question: 'When do two positions get the same vector?',
      caption:
        'See: three sine waves as three coordinates of a curve. With halved frequencies it closes after 25.13 positions: the ring marks two positions with one vector. Try: use frequencies from 1 to 1/b, with base 10,000: the loop opens. Then show 200 positions: the second sine reverses at 157, and the curve returns almost the same way.',
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
      turns: 'One turn of each dial takes',
      describe: (positions: number, distance: string, first: string, second: string) =>
        `Over ${positions} positions, two that are a turn or more apart come as near as ${distance}, at ${first} and ${second}.`,
    },
    zh: {
      title: '三个旋钮画出的空间曲线',
      question: '两个位置什么时候会得到同一个向量？',
      caption:
        '看什么：三条正弦波是曲线的三个坐标。频率逐个减半时，曲线走过 25.13 个位置就闭合：圆圈标出共用一个向量的两个位置。试一试：换成从 1 到 1/b 的频率（底数 10,000），圈就打开了。再显示 200 个位置：第二个正弦在 157 处掉头，曲线几乎沿原路返回。',
      play: { start: '转起来', stop: '暂停' },
      space: '立方体里的曲线；方向键可以转动它。',
      legend: '位置 t',
      gap: '相隔的位置数',
      nearest: '两个向量的最小距离',
      one: '旋钮 0 的一圈',
      collision: '碰撞距离：相隔至少旋钮 0 一圈的两个位置，最近能靠到多近',
      moments: '它们位于',
      apart: '相隔',
      and: (first: string, second: string) => `${first} 与 ${second}`,
      comma: '、',
      turns: '三个旋钮转一圈各需',
      describe: (positions: number, distance: string, first: string, second: string) =>
        `在 ${positions} 个位置里，相隔一圈以上的两个位置，最近时相距 ${distance}，位于 ${first} 与 ${second}。`,
    },
  },
};
