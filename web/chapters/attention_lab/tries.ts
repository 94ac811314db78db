/** What a reader of the lab can try. */
import type { Try } from '../../figures/figure.ts';

export const tries: readonly Try[] = [
  {
    label: { en: 'Shuffle without position', zh: '没有位置，打乱词序' },
    notice: {
      en: 'Rows and columns change places together, and no number in them changes: every token keeps its output. Without position, a sentence is a bag of words.',
      zh: '行和列一起换了地方，里面的数一个也没变，每个词元的输出都和原来一样。没有位置，一句话只是个词袋。',
    },
    set: { scheme: 'none', shuffle: 1 },
  },
  {
    label: { en: 'Shuffle with RoPE', zh: '用 RoPE，再打乱' },
    notice: {
      en: 'The same words in another order now get other weights, and the bars show how much each output has changed: RoPE makes scores depend on distances.',
      zh: '同样的词换了次序，权重就变了，短条是各个输出变了多少：在 RoPE 下，分数取决于词与词的距离。',
    },
    set: { scheme: 'rope-half-split', shuffle: 1 },
  },
  {
    label: { en: 'Start at position 1,000,000', zh: '从位置 1,000,000 开始' },
    notice: {
      en: 'RoPE’s weights stay the same up to rounding, since distances do. Choose the sinusoidal encoding, and they change.',
      zh: '距离没有变，所以 RoPE 的权重除了舍入误差都不变。换成正弦编码，权重就变了。',
    },
    set: { scheme: 'rope-half-split', offset: 1_000_000 },
  },
  {
    label: { en: 'Compare RoPE with ReRoPE', zh: '对照 RoPE 与 ReRoPE' },
    notice: {
      en: 'The scores differ only for keys more than four tokens back. From there on ReRoPE rotates all pairs as if they were four tokens apart.',
      zh: '只有往前超过四个词元的键，分数才不同：从那里起，ReRoPE 一律当作相距四个词元来旋转。',
    },
    set: { scheme: 'rope-half-split', compare: 'rerope', difference: true, view: 'scores' },
  },
  {
    label: { en: 'Split scores into four terms', zh: '把分数拆成四项' },
    notice: {
      en: 'Content–content is the map without position; position–position contains no words. The four numbers of a cell add up to its score.',
      zh: '“内容–内容”就是没有位置时的分数，“位置–位置”里没有词。同一格的四个数加起来，就是这一格的分数。',
    },
    set: { mode: 'inside', scheme: 'sinusoidal', view: 'terms' },
  },
  {
    label: { en: 'Watch a trained induction head', zh: '看训练出来的归纳头' },
    notice: {
      en: 'A word that has come before gives most of its weight to the words that followed its earlier copies. This is the one thing the small model has learned: to continue what repeats.',
      zh: '出现过的词，把大部分权重给了上一次紧跟在它后面的词。这个小模型只学会了这一件事：延续反复出现的文本。',
    },
    set: { scheme: 'rope-half-split', weights: 'trained', head: 4 },
  },
];
