/** Words of the figure `rotary-clocks`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  query: { en: 'Query position', zh: '查询位置' },
  key: { en: 'Key position', zh: '键位置' },
  shift: { en: 'Shift of both', zh: '一起平移' },
  pair: { en: 'Pair', zh: '第几对' },
  dim: { en: 'Head dimension', zh: '每头维度' },
  seed: { en: 'Which query and key', zh: '换一组查询和键' },
  tries: [
    {
      label: { en: 'Move both by 1,000', zh: '一起平移 1,000' },
      notice: {
        en: 'All hands have turned, each pair at its own pace, but no angle between query and key has changed. So the score is still −5.64.',
        zh: '每只钟的两根指针都转了，快慢各不相同，但查询与键的夹角一个也没变，所以分数仍是 −5.64。',
      },
      set: { shift: 1000 },
    },
    {
      label: { en: 'Move the query alone', zh: '只移动查询' },
      notice: {
        en: 'The distance is 31 in place of 3. Each pair adds another angle between its hands, and the score is another number.',
        zh: '相对距离从 3 变成 31，每个维度对两根指针之间增加的角都变了，分数也变了。',
      },
      set: { query: 40 },
    },
    {
      label: { en: 'Exchange query and key', zh: '对调查询和键的位置' },
      notice: {
        en: 'The distance is still 3, but the query now stands before the key. The added angles change their sign, and the score is no longer −5.64.',
        zh: '距离仍是 3，但查询跑到了键的前面。增加的角变号，分数不再是 −5.64。',
      },
      set: { query: 9, key: 12 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Query and key as hands of clocks',
      question: 'Why does a rotated score depend only on the distance between the words?',
      caption:
        'The large clock is one pair, two channels that turn together: blue is the query, orange the key, pale before the shift. Drag the words, or press “Walk both”: moving both turns both hands and keeps the angle. Small clocks are all pairs; press one.',
      play: { start: 'Walk both', stop: 'Pause' },
      clock: (pair: number, angle: string, part: string) =>
        `i = ${pair}: angle from key to query ${angle} radians, part of the score ${part}`,
      words: { query: 'query', key: 'key' },
      position: 'position',
      kept: ['m', 'n', 'angle', 'score'],
      before: 'before',
      after: 'shifted',
      pairs: 'All pairs, with their parts of the score',
      offsetAxis: 'offset Δ = m − n',
      scoreAxis: 'score',
      score: 'score',
      allPairs: 'score of all pairs',
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
        '大钟是其中一个维度对（一起旋转的两个维度）：蓝指针是查询，橙指针是键，淡的是平移之前。可以拖动词，也可以点击“一起往后移”：一起平移时两根指针一起转，夹角不变。小钟是全部维度对，点一下可放大。',
      play: { start: '一起往后移', stop: '暂停' },
      clock: (pair: number, angle: string, part: string) =>
        `i = ${pair}：键到查询的夹角 ${angle} 弧度，对分数的贡献 ${part}`,
      words: { query: '查询', key: '键' },
      position: '位置',
      kept: ['m', 'n', '夹角', '分数'],
      before: '平移前',
      after: '平移后',
      pairs: '全部维度对，以及各自对分数的贡献',
      offsetAxis: '相对距离 Δ = m − n',
      scoreAxis: '分数',
      score: '分数',
      allPairs: '所有维度对的总分',
      part: (pair: number) => `第 ${pair} 对的贡献`,
      placed: (m: string, n: string) => `q 在 ${m}、k 在 ${n} 时的分数`,
      moved: (m: string, n: string) => `平移后：q 在 ${m}、k 在 ${n}`,
      exchanged: (m: string, n: string) => `对调后：q 在 ${m}、k 在 ${n}`,
      angle: (pair: number) => `位置给第 ${pair} 对两根指针之间增加的角 Δ ⋅ θ`,
      pairPart: (pair: number) => `第 ${pair} 对对分数的贡献`,
      norms: 'q 的长度：旋转前、旋转后',
      zero: '位置 0 处 q 的最大变化',
      back: '先按 n 正转、再按 m 反转，与直接按 n − m 旋转的最大差',
      describe: (m: string, n: string, shift: string, before: string, after: string) =>
        before === after
          ? `位置 ${m} 和 ${n} 一起平移 ${shift}：夹角都不变，分数仍是 ${after}。`
          : `位置 ${m} 和 ${n} 一起平移 ${shift}：分数原是 ${before}，因舍入变成 ${after}。`,
      columns: ['第几对', 'θ', '旋转后的 q，第一', '第二', '旋转后的 k，第一', '第二', '贡献'],
    },
  },
};
