/** Words of the figure `position-rounding`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

/** Scores are those at the distance: the exact one, the lowest and the highest. */
interface Finding {
  ends: readonly [first: number, last: number];
  distinct: number;
  distance: number;
  scores: readonly [exact: string, low: string, high: string];
}

export const words = {
  start: { en: 'First position shown', zh: '显示的第一个位置' },
  distance: { en: 'Distance of query and key', zh: '查询与键的距离' },
  format: { en: 'Format', zh: '数值格式' },
  formats: {
    bf16: { en: 'bf16', zh: 'bf16' },
    f16: { en: 'fp16', zh: 'fp16' },
    f32: { en: 'fp32', zh: 'fp32' },
    f64: { en: 'fp64', zh: 'fp64' },
  },
  stage: { en: 'What is rounded', zh: '哪一步舍入' },
  stages: {
    position: { en: 'position', zh: '位置' },
    frequency: { en: 'frequency', zh: '频率' },
    angle: { en: 'angle', zh: '角度' },
    table: { en: 'cos and sin', zh: 'cos 与 sin' },
    vectors: { en: 'q and k', zh: 'q 与 k' },
    all: { en: 'everything', zh: '全部' },
  },
  tries: [
    {
      label: { en: 'Round the angle instead', zh: '改为舍入角度' },
      notice: {
        en: 'Positions are exact now, yet the score still jumps, about half as much: a large angle leaves few bits for its fraction of a turn.',
        zh: '位置精确了，分数仍时高时低，幅度约为一半：角度大了，留给不足一圈那部分的位数就少了。',
      },
      set: { stage: 'angle', format: 'bf16' },
    },
    {
      label: { en: 'Round cos and sin instead', zh: '改为舍入 cos 与 sin' },
      notice: {
        en: 'The score stays within 0.001 of the exact one: cos and sin lie between −1 and 1, where bf16 is fine enough.',
        zh: '分数与精确值相差不到 0.001：cos 和 sin 在 −1 与 1 之间，bf16 的精度够用。',
      },
      set: { stage: 'table', format: 'bf16' },
    },
    {
      label: { en: 'Use fp16', zh: '改用 fp16' },
      notice: {
        en: 'fp16 holds every whole number up to 2,048: no two positions merge, and the score is level.',
        zh: '2,048 以内的整数，fp16 都能存下：没有两个位置混在一起，分数是平的。',
      },
      set: { format: 'f16', stage: 'position', start: 500 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Positions in sixteen bits',
      question: 'What happens to positions, angles and scores that are stored in sixteen bits?',
      caption:
        'Above, a line leads from each position to the value that the format stores for it: several positions become one. Below, the score of a query and a key at a fixed distance. It should be the same everywhere, but jumps with the stored distance.',
      positionAxis: 'position',
      queryAxis: 'position m of the query',
      heldPosition: 'as stored',
      heldIn: (format: string | false) =>
        format ? `position m, as ${format} stores it` : 'position m, stored exactly',
      scoreOf: (distance: number) => `score of query m and key m − ${distance}`,
      scores: 'from what is stored',
      exactScore: 'exact, the same everywhere',
      error: 'error',
      here: (shown: number) => `Different positions among the ${whole(shown)} shown`,
      first: (count: number) => `Different positions among the first ${whole(count)}`,
      held: (position: number) => `Position ${whole(position)} is stored as`,
      exact: (distance: number) => `Exact score at distance ${whole(distance)}`,
      worst: 'Largest error of the scores shown',
      describe: ({
        ends: [first, last],
        distinct,
        distance,
        scores: [exact, low, high],
      }: Finding) =>
        `The ${whole(last - first + 1)} positions from ${whole(first)} to ${whole(last)} become ${distinct} values. The score at distance ${distance} should be ${exact} everywhere${low === high ? ', and it is' : `; it jumps between ${low} and ${high}`}.`,
    },
    zh: {
      title: '16 位格式下的位置',
      question: '位置、角度和分数只用 16 位浮点数存储，会变成什么样？',
      caption:
        '上图：每个位置连到该格式实际存下的值，几个位置并成了一个。下图：距离固定的查询与键的分数，本应处处相同，却随存下的距离时高时低。',
      positionAxis: '位置',
      queryAxis: '查询的位置 m',
      heldPosition: '存下来的值',
      heldIn: (format: string | false) =>
        format ? `位置 m，以及 ${format} 存下的值` : '位置 m，存得准确',
      scoreOf: (distance: number) => `查询 m 与键 m − ${distance} 的分数`,
      scores: '舍入后的分数',
      exactScore: '精确分数，处处相同',
      error: '误差',
      here: (shown: number) => `图中 ${whole(shown)} 个位置里还剩几个不同的`,
      first: (count: number) => `前 ${whole(count)} 个位置里还剩几个不同的`,
      held: (position: number) => `位置 ${whole(position)} 存成`,
      exact: (distance: number) => `距离 ${whole(distance)} 处的精确分数`,
      worst: '图中分数的最大误差',
      describe: ({
        ends: [first, last],
        distinct,
        distance,
        scores: [exact, low, high],
      }: Finding) =>
        `位置 ${whole(first)} 到 ${whole(last)} 共 ${whole(last - first + 1)} 个，存下来只有 ${distinct} 个不同的值。距离 ${distance} 处的分数本应处处是 ${exact}，${low === high ? '没有变化' : `实际却在 ${low} 与 ${high} 之间跳动`}。`,
    },
  },
};
