/** Words of the figure `position-rounding`. */
import { whole } from '../../plots/number.ts';

export const roundingText = {
  en: {
    title: 'The dtype microscope',
    question: 'What becomes of positions, angles and scores when they are kept in sixteen bits?',
    caption:
      'Each dot is a position as the format holds it. From 256 on bf16 has only even numbers, from 512 on every fourth: neighbours become one position, and the score of two words at a fixed distance jumps, though exact rotation would draw a straight line. Move the start, switch to fp16, then try where the rounding happens: a rounded angle is nearly as bad as a rounded position, rounded tables and vectors do far less harm.',
  },
  zh: {
    title: '精度显微镜',
    question: '位置、角度和分数只用十六位存放，会变成什么样？',
    caption:
      '每个点是该格式实际存下的位置。从 256 起，bf16 只剩偶数，从 512 起每四个只剩一个：相邻的词落在同一个位置上，相隔固定距离的两个词，分数忽高忽低；而精确的旋转本该画出一条直线。移动起点，换成 fp16，再试试在哪一步舍入：角度舍入和位置舍入差不多一样糟，表和向量舍入的害处小得多。',
  },
};

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
      positionAxis: 'position',
      heldAxis: 'position as held',
      scoreAxis: 'score at the fixed distance',
      exactPosition: 'exact',
      heldPosition: 'as held',
      scores: 'score, rounded',
      exactScore: 'score, exact',
      here: (shown: number) => `Different positions among the ${whole(shown)} shown`,
      first: (count: number) => `Different positions among the first ${whole(count)}`,
      held: (position: number) => `Position ${whole(position)} is held as`,
      exact: (distance: number) => `Exact score at distance ${whole(distance)}`,
      worst: 'Largest error of the scores shown',
      scoresLabel: (exact: string, low: string, high: string) =>
        `Scores at a fixed distance against the position: exactly ${exact} everywhere, rounded between ${low} and ${high}.`,
      describe: (first: number, last: number, distinct: number) =>
        `Positions ${whole(first)} to ${whole(last)} as the format holds them: ${whole(distinct)} different ones are left.`,
    },
    zh: {
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
        `位置 ${whole(first)} 到 ${whole(last)} 在该格式中的值：只剩 ${whole(distinct)} 个不同的。`,
    },
  },
};
