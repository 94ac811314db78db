/** Words of the figure `sinusoid-four-terms`. */
import type { TermName } from './four_terms_jobs.ts';

const en = {
  title: 'The four terms of a score',
  question: 'Position is added to the word: which parts of the score depend on it?',
  caption:
    'See: the score of each pair, split into four terms. Without matrices the last map has one color along every diagonal, and is symmetric. Try: point at a pair. Then add the matrices: diagonals become uneven and the symmetry is lost. Move the start of the text: the first map stays, since words do not depend on position.',
  terms: {
    contentContent: 'word with word',
    contentPosition: 'word with position',
    positionContent: 'position with word',
    positionPosition: 'position with position',
  } satisfies Record<TermName, string>,
  queryAxis: 'query m',
  keyAxis: 'key n',
  term: 'term',
  value: (m: number, n: number) => `at m\u00a0=\u00a0${m}, n\u00a0=\u00a0${n}`,
  spread: 'varies at one distance by up to',
  asymmetry: 'differs between (m,\u00a0n) and (n,\u00a0m) by up to',
  score: 'sum, the score',
  residual: 'Largest difference of the sum and the score itself, over all pairs (32-bit rounding)',
  describe: (spread: string, asymmetry: string) =>
    `Three of four. In position with position, scores at one distance differ by up to ${spread}, and those of (m, n) and (n, m) by up to ${asymmetry}.`,
};

const zh: typeof en = {
  title: '分数的四项',
  question: '位置加进了词向量，分数的哪些部分取决于它？',
  caption:
    '看什么：每对词的分数拆成的四项。没有矩阵时，最后一张图沿每条对角线颜色不变，而且两侧对称。试一试：指向一对词。再加上矩阵：对角线不再均匀，也不再对称。移动文本的起点，第一张图不变，因为词向量与位置无关。',
  terms: {
    contentContent: '词与词',
    contentPosition: '词与位置',
    positionContent: '位置与词',
    positionPosition: '位置与位置',
  },
  queryAxis: '查询 m',
  keyAxis: '键 n',
  term: '项',
  value: (m, n) => `m\u00a0=\u00a0${m}、n\u00a0=\u00a0${n} 处`,
  spread: '同一距离下，最多相差',
  asymmetry: '(m,\u00a0n) 与 (n,\u00a0m)，最多相差',
  score: '合计，即分数',
  residual: '四项之和与分数本身在所有词对上的最大差（32 位舍入）',
  describe: (spread, asymmetry) =>
    `四项里的三项。其中“位置与位置”一项，同一距离下最多相差 ${spread}，(m, n) 与 (n, m) 最多相差 ${asymmetry}。`,
};

export const words = {
  tokens: { en: 'Tokens', zh: '词元数' },
  start: { en: 'Position of the first token', zh: '首个词元的位置' },
  weights: { en: 'Between the vectors', zh: '向量之间' },
  none: { en: 'nothing', zh: '无矩阵' },
  random: { en: 'random matrices', zh: '随机矩阵' },
  seed: { en: 'Seed of words and matrices', zh: '词与矩阵的随机种子' },
  query: { en: 'Query', zh: '查询' },
  key: { en: 'Key', zh: '键' },
  strings: { en, zh },
};
