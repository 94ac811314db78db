/** Words of the comparison of two schemes and of the score in four terms. */
import type { Language } from '../../languages.ts';
import type { TermName } from '../../toy/pass.ts';
import type { Place } from '../../toy/schemes.ts';

const en = {
  pairLabel: 'Two schemes, one sentence, one set of weights',
  /** B - A of the weights; `mean`, `change`: numbers, `pair`: which token attends to which. */
  changed: (mean: string, change: string, pair: string) =>
    `From A to B a weight changes by ${mean} on average, and most, by ${change}, where ${pair}.`,
  pair: (query: string, key: string) => `${query} attends to ${key}`,
  token: (word: string, position: number) => `“${word}” (${position})`,
  same: 'A and B give the same weights, bit for bit.',
  named: (letter: 'A' | 'B', what: string) => `${letter}: ${what}`,
  without: 'Compare with no position',
  differenceTitle: (view: string) => `B − A: ${view}`,
  noTerms: {
    nowhere: 'Without position there is one term: content with content.',
    input:
      'A trained layer normalizes the sum of content and position before it multiplies by weights, so its scores have no four terms.',
    rotation:
      'A rotation multiplies instead of adding: content and position stay one product, which is no sum of four terms.',
    score:
      'The bias is added to the score, not multiplied by weights: a score is content with content plus the bias.',
    two: 'Each of the two rotations multiplies instead of adding: content and position stay one product.',
    text: 'What the text decides acts on scores or rotations: position is not added to a vector, so there are no four terms.',
    softmax: 'The scores have no position here: only the order in which keys take their shares.',
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
  pair: (query, key) => `${query}关注${key}`,
  token: (word, position) => `“${word}”（位置 ${position}）`,
  same: 'A 与 B 的权重逐位相同。',
  named: (letter, what) => `${letter}：${what}`,
  without: '与“没有位置”对照',
  differenceTitle: (view) => `B − A：${view}`,
  noTerms: {
    nowhere: '没有位置时只有一项：内容对内容。',
    input: '训练好的层先把内容与位置之和归一化，再乘以权重，所以分数拆不成四项。',
    rotation: '旋转是相乘，不是相加：内容与位置始终在同一个乘积里，拆不成几项之和。',
    score: '偏置直接加在分数上，不经过权重：只有“内容对内容”和按距离的偏置两部分，没有四项。',
    two: '两套旋转都是相乘，不是相加：内容与位置始终在同一个乘积里。',
    text: '由文本决定的量作用在分数或旋转上，没有加在向量上，所以没有四项。',
    softmax: '这里的分数不含位置，位置只在于各键取走份额的先后。',
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
