/** Words of the comparison of two schemes and of the score in four terms. */
import type { Language } from '../../languages.ts';
import type { TermName } from '../../toy/pass.ts';
import type { Place } from '../../toy/schemes.ts';

const en = {
  pairLabel: 'Two schemes, one sentence, one set of weights',
  /** B - A of the weights; `mean`, `change`: numbers, `pair`: who looks at whom. */
  changed: (mean: string, change: string, pair: string) =>
    `From A to B a weight changes by ${mean} on average, and most, by ${change}, where ${pair}.`,
  pair: (query: string, key: string) => `${query} looks at ${key}`,
  token: (word: string, position: number) => `“${word}” (${position})`,
  same: 'A and B give the same weights, bit for bit.',
  named: (letter: 'A' | 'B', what: string) => `${letter}: ${what}`,
  without: 'Compare with no position',
  differenceTitle: (view: string) => `B − A: ${view}`,
  noTerms: {
    nowhere: 'Without position there is one term: content with content.',
    input: '',
    rotation:
      'A rotation multiplies instead of adding: content and position stay one product, and no sum splits them.',
    score:
      'The bias is added to the score and meets no weights: content with content, and a bias for the distance, are all there is.',
    two: 'Each of the two rotations multiplies instead of adding: content and position stay one product.',
    temperature:
      'A temperature scales what a rotation has multiplied: there is no sum to split here.',
  } satisfies Record<Place, string>,
  terms: {
    contentContent: 'content–content',
    contentPosition: 'content–position',
    positionContent: 'position–content',
    positionPosition: 'position–position',
  } satisfies Record<TermName, string>,
  entropy: 'entropy',
};

const zh: typeof en = {
  pairLabel: '同一句话、同一组权重，两种位置编码',
  changed: (mean, change, pair) =>
    `从 A 换到 B，权重平均改变 ${mean}；变得最多的是${pair}，改变了 ${change}。`,
  pair: (query, key) => `${query}看${key}`,
  token: (word, position) => `“${word}”（位置 ${position}）`,
  same: 'A 与 B 的权重逐位相同。',
  named: (letter, what) => `${letter}：${what}`,
  without: '与“无位置”对照',
  differenceTitle: (view) => `B − A：${view}`,
  noTerms: {
    nowhere: '没有位置时只有一项：内容对内容。',
    input: '',
    rotation: '旋转是相乘，不是相加：内容与位置始终在同一个乘积里，拆不成几项之和。',
    score: '偏置直接加在分数上，不经过权重：只有“内容对内容”和按距离的偏置两部分，没有四项。',
    two: '两套旋转都是相乘，不是相加：内容与位置始终在同一个乘积里。',
    temperature: '温度只是放大旋转之后的乘积，没有可拆的和。',
  },
  terms: {
    contentContent: '内容–内容',
    contentPosition: '内容–位置',
    positionContent: '位置–内容',
    positionPosition: '位置–位置',
  },
  entropy: '熵',
};

export const compareText: Record<Language, typeof en> = { en, zh };
