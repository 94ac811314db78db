/** Words of the figure `position-rounding`. */
import { whole } from '../../plots/number.ts';

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
  strings: {
    en: {
      title: 'Positions in sixteen bits',
      question: 'What happens to positions, angles and scores that are stored in sixteen bits?',
      caption:
        'See: each dot is a position as the format stores it. From 256 to 512, bf16 holds only even numbers, so the score at a fixed distance jumps; exact rotation gives a straight line. Try: change the rounded stage. Rounded angles are nearly as bad as rounded positions; rounded tables and vectors are much better.',
      positionAxis: 'position',
      heldAxis: 'position as stored',
      scoreAxis: 'score at the fixed distance',
      exactPosition: 'exact',
      heldPosition: 'as stored',
      scores: 'score, rounded',
      exactScore: 'score, exact',
      here: (shown: number) => `Different positions among the ${whole(shown)} shown`,
      first: (count: number) => `Different positions among the first ${whole(count)}`,
      held: (position: number) => `Position ${whole(position)} is stored as`,
      exact: (distance: number) => `Exact score at distance ${whole(distance)}`,
      worst: 'Largest error of the scores shown',
      scoresLabel: (exact: string, low: string, high: string) =>
        `Scores at a fixed distance against the position: exactly ${exact} everywhere, rounded between ${low} and ${high}.`,
      describe: (first: number, last: number, distinct: number) =>
        `Of the ${whole(last - first + 1)} positions from ${whole(first)} to ${whole(last)} the format keeps ${whole(distinct)} apart.`,
    },
    zh: {
      title: '十六位的位置',
      question: '位置、角度和分数只用十六位存放，会变成什么样？',
      caption:
        '看什么：每个点是该格式实际存下的位置。从 256 到 512，bf16 只能表示偶数，所以固定距离的分数忽高忽低；精确的旋转会给出一条直线。试一试：改变舍入的环节。角度舍入和位置舍入差不多一样糟，表和向量舍入的影响小得多。',
      positionAxis: '位置',
      heldAxis: '存下来的位置',
      scoreAxis: '固定距离处的分数',
      exactPosition: '精确值',
      heldPosition: '存下来的值',
      scores: '舍入后的分数',
      exactScore: '精确分数',
      here: (shown: number) => `图中 ${whole(shown)} 个位置里还剩几个不同的`,
      first: (count: number) => `前 ${whole(count)} 个位置里还剩几个不同的`,
      held: (position: number) => `位置 ${whole(position)} 存成`,
      exact: (distance: number) => `距离 ${whole(distance)} 处的精确分数`,
      worst: '图中分数的最大误差',
      scoresLabel: (exact: string, low: string, high: string) =>
        `固定距离处的分数随位置变化：精确值处处为 ${exact}，舍入后在 ${low} 与 ${high} 之间。`,
      describe: (first: number, last: number, distinct: number) =>
        `位置 ${whole(first)} 到 ${whole(last)} 共 ${whole(last - first + 1)} 个，存成该格式后只分得出 ${whole(distinct)} 个。`,
    },
  },
};
