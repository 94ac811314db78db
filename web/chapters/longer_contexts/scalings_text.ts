/** Words of the figure `frequency-scalings`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

/** Of a method: how many pairs it leaves as they are, and how many it slows by the factor. */
export type Counts = readonly [name: string, kept: number, slowed: number];

/** A space follows Latin letters, and no mark of full width. */
const beforeChinese = (name: string) => (name.endsWith('）') ? name : `${name} `);

export const words = {
  factor: { en: 'Factor', zh: '扩展倍数' },
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Present length', zh: '当前长度' },
  dim: { en: 'Head dimension', zh: '每头维度' },
  pair: { en: 'Pair', zh: '第几对' },
  tries: [
    {
      label: { en: 'Compare both forms of YaRN', zh: '比较两种 YaRN' },
      notice: {
        en: 'The published ramp follows the number of turns and falls sooner; the coded one follows the index of the pair. Between the ends the published frequencies are lower.',
        zh: '论文的过渡段随圈数变化，降得早；代码的过渡段随维度对的编号变化。两端之间，论文的频率更低。',
      },
      set: { 'yarn-paper': true },
    },
    {
      label: { en: 'Compare all four NTKs', zh: '比较四种 NTK' },
      notice: {
        en: 'One name, four formulas. Su’s fixed form slows even the fastest pair; his mixed form lies between that and interpolation.',
        zh: '四个公式，同一个名字。苏剑林的修正版连最快的维度对也放慢；混合版介于修正版与内插之间。',
      },
      set: { 'ntk-old': true, 'ntk-fixed': true, 'ntk-mixed': true },
    },
    {
      label: { en: 'Add dynamic NTK', zh: '加上动态 NTK' },
      notice: {
        en: 'It falls below 1/8: with a factor of 8 at eight times the training length, the formula in use takes 57 for s.',
        zh: '它降到了 1/8 以下：factor 是 8，文本是训练长度的 8 倍，实际使用的公式取 s = 57。',
      },
      set: { 'dynamic-ntk': true, factor: 8, length: 32768, trained: 4096 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'The methods compared',
      question: 'Which pairs does each method slow down, and how far?',
      caption:
        'The frequency of each pair (two channels that turn together), relative to training. At the upper dashed line a pair turns as in training and tells neighbors apart. At the lower one it is slowed by s and meets no unseen angle.',
      methods: 'Methods shown',
      others: 'Other methods',
      pairAxis: 'pair i, fast to slow',
      ratioAxis: 'frequency, relative to training: θ′/θ',
      kept: '1: as in training',
      slowed: '1/s: as interpolated',
      distanceAxis: 'distance m − n',
      scoreAxis: 'score of equal q and k',
      distanceLabel: (last: number) =>
        `The score of equal query and key at distances from 1 to ${whole(last)}, one line per method; the values are in the table below for the chosen pair.`,
      recipes: 'Each method at the chosen pair',
      columns: (pair: number) => [
        'Method',
        `θ′/θ at i = ${pair}`,
        `θ′ at i = ${pair}`,
        'base',
        'cos, sin ×',
        'logits ×',
      ],
      describe: (pairs: number, factor: string, counts: readonly Counts[]) =>
        `Of ${pairs} pairs ${counts.map(([name, kept, slowed]) => (slowed === pairs ? `${name} slows all to 1/${factor}` : `${name} keeps ${kept} and slows ${slowed} as far`)).join('; ')}.`,
    },
    zh: {
      title: '各种方法的比较',
      question: '每种方法放慢哪些维度对，放慢多少？',
      caption:
        '各维度对（一起旋转的两个维度）的频率与训练时之比。在上面的虚线上，转得和训练时一样，相邻的词元分得清；在下面的虚线上，降到原来的 1/s，不会遇到没见过的角度。',
      methods: '显示的方法',
      others: '其他方法',
      pairAxis: '第 i 对，由快到慢',
      ratioAxis: '频率与训练时之比 θ′/θ',
      kept: '1：与训练时相同',
      slowed: '1/s：与内插相同',
      distanceAxis: '距离 m − n',
      scoreAxis: 'q 与 k 相同时的分数（含温度）',
      distanceLabel: (last: number) =>
        `距离从 1 到 ${whole(last)}，查询与键相同时的分数，每种方法一条线；所选维度对的数值见下表。`,
      recipes: '各种方法在所选维度对上的数值',
      columns: (pair: number) => [
        '方法',
        `i = ${pair} 的 θ′/θ`,
        `i = ${pair} 的 θ′`,
        '底数',
        'cos、sin ×',
        'logits ×',
      ],
      describe: (pairs: number, factor: string, counts: readonly Counts[]) =>
        `${pairs} 个维度对里：${counts.map(([name, kept, slowed]) => (slowed === pairs ? `${beforeChinese(name)}全部放慢到 1/${factor}` : `${beforeChinese(name)}有 ${kept} 个不变，${slowed} 个放慢到 1/${factor}`)).join('；')}。`,
    },
  },
};
