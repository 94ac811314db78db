/** Words of the figure `rotary-clocks`. */
export const clocksText = {
  en: {
    title: 'Query and key as hands of clocks',
    question:
      'Why does a rotated score know the distance, and nothing else of where the words stand?',
    caption:
      'Each pair of numbers is a hand: blue for the query, orange for the key, pale as they were before turning. Drag the shift, or press play: both hands of every clock turn together, the purple angle between them stays, and with it every bar and the score. Now move m alone: the angles open. Exchange m and n: the score is another one. Put m at 0: the query is back where it was. The curve was computed with the query at position 128; the dot on it with your positions.',
  },
  zh: {
    title: '查询和键是钟上的指针',
    question: '旋转之后的分数，为什么只知道相对距离，不知道词在哪里？',
    caption:
      '每一对数是一根指针：蓝色是查询，橙色是键，浅色是旋转之前的样子。拖动“一起平移”，或者按播放：每只钟的两根针一起转，中间的紫色夹角不变，下面的长条和总分也就不变。再单独移动 m：夹角张开了。把 m 和 n 对调：分数变了。让 m = 0：查询回到原处。曲线是把查询放在位置 128 算出来的，上面的点用的是你选的位置。',
  },
};

export const words = {
  query: { en: 'Query position', zh: '查询位置' },
  key: { en: 'Key position', zh: '键位置' },
  shift: { en: 'Shift of both', zh: '一起平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Width of a head', zh: '头的维数' },
  seed: { en: 'Which query and key', zh: '换一组查询和键' },
  strings: {
    en: {
      play: { start: 'Walk both', stop: 'Stop' },
      clock: (pair: number, angle: string, part: string) =>
        `i = ${pair}: angle from key to query ${angle} radians, part of the score ${part}`,
      offsetAxis: 'offset Δ = m − n',
      scoreAxis: 'score',
      score: 'score of all pairs',
      part: (pair: number) => `part of pair ${pair}`,
      placed: (m: string, n: string) => `Score with q at ${m} and k at ${n}`,
      moved: (m: string, n: string) => `Moved: q at ${m} and k at ${n}`,
      exchanged: (m: string, n: string) => `Exchanged: q at ${m} and k at ${n}`,
      angle: (pair: number) => `Angle Δ ⋅ θ that pair ${pair} adds between the hands`,
      pairPart: (pair: number) => `Part of pair ${pair} in the score`,
      norms: 'Length of q, before and after',
      zero: 'Largest change of q at position 0',
      back: 'Turned by n and back by m, against turned by n − m: largest difference',
      describe: (count: number, m: string, n: string, score: string) =>
        `${count} clocks with a query hand turned by position ${m} and a key hand turned by position ${n}; the score is ${score}.`,
      columns: ['pair', 'θ', 'q turned, first', 'second', 'k turned, first', 'second', 'part'],
    },
    zh: {
      play: { start: '一起往前走', stop: '停' },
      clock: (pair: number, angle: string, part: string) =>
        `i = ${pair}：键到查询的夹角 ${angle} 弧度，对分数的贡献 ${part}`,
      offsetAxis: '相对距离 Δ = m − n',
      scoreAxis: '分数',
      score: '全部对的总分',
      part: (pair: number) => `第 ${pair} 对的贡献`,
      placed: (m: string, n: string) => `q 在 ${m}、k 在 ${n} 时的分数`,
      moved: (m: string, n: string) => `平移后：q 在 ${m}、k 在 ${n}`,
      exchanged: (m: string, n: string) => `对调后：q 在 ${m}、k 在 ${n}`,
      angle: (pair: number) => `位置给第 ${pair} 对两针之间增加的角 Δ ⋅ θ`,
      pairPart: (pair: number) => `第 ${pair} 对对分数的贡献`,
      norms: 'q 的长度：旋转前、旋转后',
      zero: '位置 0 处 q 的最大变化',
      back: '先转 n 再退 m，与直接转 n − m 的最大差',
      describe: (count: number, m: string, n: string, score: string) =>
        `${count} 只钟，查询的指针按位置 ${m} 旋转，键的指针按位置 ${n} 旋转；分数是 ${score}。`,
      columns: ['第几对', 'θ', '旋转后的 q，第一', '第二', '旋转后的 k，第一', '第二', '贡献'],
    },
  },
};
