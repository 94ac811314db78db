/** Words of the figure `dial-curve`. */
export const curveText = {
  en: {
    title: 'Three dials as a curve in space',
    question: 'When do two positions end up in the same place?',
    caption:
      'Three dials are three coordinates, so a text walks along a curve; drag the cube, or use the arrow keys. With halved frequencies the curve closes after 25.13 positions and runs over itself from then on: the ring marks two positions with one vector. Slow the dials down (frequencies 1 to 1/b, base 10000) and the loop opens. Then go on to 200 positions: the second sine turns back at 157, and the curve comes home along almost the same way. A single sine per frequency cannot tell rising from falling.',
  },
  zh: {
    title: '三个旋钮画出的空间曲线',
    question: '两个位置什么时候会撞在一起？',
    caption:
      '三个旋钮就是三个坐标，文本沿着一条曲线往前走；拖动立方体，或者用方向键。频率逐个减半时，曲线走过 25.13 个位置就闭合，此后一遍遍重走老路：圆圈标出共用一个向量的两个位置。把旋钮放慢（频率从 1 到 1/b，底数 10000），圈就打开了。再把位置加到 200：第二个正弦在 157 处掉头，曲线几乎沿原路返回。每个频率只有一个正弦，分不出是在上升还是在下降。',
  },
};

export const words = {
  frequencies: { en: 'Frequencies', zh: '频率' },
  spread: { en: '1 to 1/b', zh: '从 1 到 1/b' },
  base: { en: 'Base of the slower ones', zh: '放慢时的底数' },
  positions: { en: 'Positions', zh: '位置数' },
  turn: { en: 'Turn', zh: '转动' },
  tilt: { en: 'Tilt', zh: '俯仰' },
  strings: {
    en: {
      play: { start: 'Turn it', stop: 'Stop' },
      space: 'The curve in a cube; arrow keys turn it.',
      legend: 'position t',
      gap: 'positions apart',
      nearest: 'nearest two such positions come',
      one: 'one turn of dial 0',
      collision:
        'Collision distance: the nearest that two positions come, one turn of dial 0 or more apart',
      moments: 'They stand at',
      apart: 'Apart',
      and: (first: string, second: string) => `${first} and ${second}`,
      comma: ', ',
      turns: 'One turn of each dial takes',
      describe: (positions: number, distance: string, first: string, second: string) =>
        `Curve of three dials over ${positions} positions. The nearest that two positions a turn or more apart come is ${distance}, at ${first} and ${second}.`,
    },
    zh: {
      play: { start: '转起来', stop: '停' },
      space: '立方体里的曲线；方向键可以转动它。',
      legend: '位置 t',
      gap: '相隔的位置数',
      nearest: '这样两个位置的最近距离',
      one: '旋钮 0 的一圈',
      collision: '碰撞距离：相隔至少旋钮 0 一圈的两个位置，最近能靠到多近',
      moments: '它们位于',
      apart: '相隔',
      and: (first: string, second: string) => `${first} 与 ${second}`,
      comma: '、',
      turns: '三个旋钮转一圈各需',
      describe: (positions: number, distance: string, first: string, second: string) =>
        `三个旋钮在 ${positions} 个位置上画出的曲线。相隔一圈以上的两个位置最近相距 ${distance}，位于 ${first} 与 ${second}。`,
    },
  },
};
