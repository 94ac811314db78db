/** Words of the figure `rotary-clocks`. */
export const words = {
  query: { en: 'Query position', zh: '查询位置' },
  key: { en: 'Key position', zh: '键位置' },
  shift: { en: 'Shift of both', zh: '一起平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Head dimension', zh: '每头维度' },
  seed: { en: 'Which query and key', zh: '换一组查询和键' },
  strings: {
    en: {
      title: 'Query and key as hands of clocks',
      question: 'Why does a rotated score depend only on the distance between the words?',
      caption:
        'See: each pair as a hand, blue for the query and orange for the key; pale hands are not rotated. Try: move the shift. Both hands of each clock rotate together, so the angles between them and the score stay. Then move m alone, or exchange m and n: the score changes. The curve has its query at position 128.',
      play: { start: 'Walk both', stop: 'Pause' },
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
      back: 'Rotated by n and back by m, against rotated by n − m: largest difference',
      describe: (m: string, n: string, shift: string, before: string, after: string) =>
        before === after
          ? `Moved by ${shift}, from ${m} and ${n}: every angle stays, and the score is still ${after}.`
          : `Moved by ${shift}, from ${m} and ${n}: the score was ${before} and is ${after}, by rounding.`,
      columns: ['pair', 'θ', 'q rotated, first', 'second', 'k rotated, first', 'second', 'part'],
    },
    zh: {
      title: '查询和键是钟上的指针',
      question: '旋转之后的分数，为什么只取决于相对距离？',
      caption:
        '看什么：每个维度对是一只钟，蓝针是查询，橙针是键；浅色是旋转之前的位置。试一试：拖动“一起平移”，每只钟的两根针一起转，夹角和分数都不变。再单独移动 m，或者对调 m 和 n，分数就变了。曲线是把查询放在位置 128 算出来的。',
      play: { start: '一起往前走', stop: '暂停' },
      clock: (pair: number, angle: string, part: string) =>
        `i = ${pair}：键到查询的夹角 ${angle} 弧度，对分数的贡献 ${part}`,
      offsetAxis: '相对距离 Δ = m − n',
      scoreAxis: '分数',
      score: '所有维度对的总分',
      part: (pair: number) => `第 ${pair} 对的贡献`,
      placed: (m: string, n: string) => `q 在 ${m}、k 在 ${n} 时的分数`,
      moved: (m: string, n: string) => `平移后：q 在 ${m}、k 在 ${n}`,
      exchanged: (m: string, n: string) => `对调后：q 在 ${m}、k 在 ${n}`,
      angle: (pair: number) => `位置给第 ${pair} 对两针之间增加的角 Δ ⋅ θ`,
      pairPart: (pair: number) => `第 ${pair} 对对分数的贡献`,
      norms: 'q 的长度：旋转前、旋转后',
      zero: '位置 0 处 q 的最大变化',
      back: '先按 n 正转、再按 m 反转，与直接按 n − m 旋转的最大差',
      describe: (m: string, n: string, shift: string, before: string, after: string) =>
        before === after
          ? `从 ${m} 和 ${n} 一起平移 ${shift}：夹角都不变，分数仍是 ${after}。`
          : `从 ${m} 和 ${n} 一起平移 ${shift}：分数原是 ${before}，因舍入变成 ${after}。`,
      columns: ['第几对', 'θ', '旋转后的 q，第一', '第二', '旋转后的 k，第一', '第二', '贡献'],
    },
  },
};
