/** Words of the figure `log-n-entropy`. */
import { whole } from '../../plots/number.ts';

export const words = {
  sharpness: { en: 'Standard deviation, scores', zh: '分数的标准差' },
  trained: { en: 'Training length', zh: '训练长度' },
  seed: { en: 'Seed', zh: '随机种子' },
  strings: {
    en: {
      title: 'Entropy of attention and log-n scaling',
      question: 'As more and more keys arrive, does attention stay as concentrated as it was?',
      caption:
        'See: mean entropy of attention against the number of keys n. Unscaled, it grows almost like ln n, the value of uniform weights. Times ln n / ln L₀, it is nearly flat beyond L₀. Try: set σ to 1: the scaled line rises, too. Set σ to 4: it falls. Other seeds give the same result.',
      lengthAxis: 'number of keys n',
      entropyAxis: 'mean entropy of a row, in nats',
      plain: 'unscaled',
      scaled: 'scores × ln n / ln L₀',
      uniform: 'ln n: all keys alike',
      growth: (from: number, to: number) =>
        `Entropy gained from n = ${whole(from)} to ${whole(to)}`,
      growthScaled: 'The same with log-n',
      factor: (length: number) => `Factor of the scores at n = ${whole(length)}`,
      factorColumn: 'factor',
      describe: (length: number, plain: string, scaled: string) =>
        `With ${whole(length)} keys the mean entropy is ${plain} nats; log-n scaling makes it ${scaled}.`,
    },
    zh: {
      title: '注意力的熵与 log-n 缩放',
      question: '键越来越多，注意力还像原来那样集中吗？',
      caption:
        '看什么：注意力的平均熵随键的个数 n 的变化。不缩放时，它几乎和 ln n（平均分给所有键）同步上升；乘以 ln n / ln L₀ 以后，过了 L₀ 几乎是平的。试一试：把 σ 调到 1，缩放后的线也会上升；调到 4，它反而下降。换一个种子，结论一样。',
      lengthAxis: '键的个数 n',
      entropyAxis: '每行的平均熵（nat）',
      plain: '不缩放',
      scaled: '分数 × ln n / ln L₀',
      uniform: 'ln n：平均分配',
      growth: (from: number, to: number) => `n 从 ${whole(from)} 到 ${whole(to)}，熵增加（不缩放）`,
      growthScaled: '同上，用 log-n',
      factor: (length: number) => `n = ${whole(length)} 时分数的因子`,
      factorColumn: '因子',
      describe: (length: number, plain: string, scaled: string) =>
        `有 ${whole(length)} 个键时，平均熵是 ${plain} nat；用 log-n 缩放是 ${scaled} nat。`,
    },
  },
};
