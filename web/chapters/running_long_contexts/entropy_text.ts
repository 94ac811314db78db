/** Words of the figure `log-n-entropy`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

export const words = {
  sharpness: { en: 'Spread of the scores', zh: '分数的标准差' },
  trained: { en: 'Training length', zh: '训练长度' },
  seed: { en: 'Seed', zh: '随机种子' },
  tries: [
    {
      label: { en: 'Set σ to 1', zh: '把 σ 设为 1' },
      notice: {
        en: 'Scores hardly differ, so a larger factor changes little: the scaled line still rises.',
        zh: '分数相差不大，放大了也没多少作用：缩放后的线仍然上升。',
      },
      set: { sharpness: 1 },
    },
    {
      label: { en: 'Set σ to 4', zh: '把 σ 设为 4' },
      notice: {
        en: 'Scores differ much, and the factor does too much: beyond L₀ the scaled line no longer rises, and it ends below its value at L₀.',
        zh: '分数相差很大，因子又嫌太强：过了 L₀，缩放后的线不再上升，末端比 L₀ 处还低。',
      },
      set: { sharpness: 4 },
    },
    {
      label: { en: 'Draw other vectors', zh: '换一批随机向量' },
      notice: {
        en: 'The levels move a little, the finding does not: unscaled, entropy grows with n; scaled, hardly.',
        zh: '高低略有变化，结论不变：不缩放，熵随 n 增长；缩放以后，几乎不增长。',
      },
      set: { seed: 2 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Entropy of attention and log-n scaling',
      question: 'As more and more keys arrive, does attention stay as concentrated as it was?',
      caption:
        'Mean entropy of attention against the number of keys n. Unscaled, it grows almost like ln n, the value of uniform weights. With log-n, scores times ln n / ln L₀, it is nearly flat beyond L₀.',
      lengthAxis: 'number of keys n',
      entropyAxis: 'mean entropy, nats: more spread ↑',
      plain: 'unscaled',
      scaled: 'with log-n',
      uniform: 'all keys alike',
      trained: 'training length L₀',
      growth: (from: number, to: number) =>
        `Entropy gained from n = ${whole(from)} to ${whole(to)}`,
      growthScaled: 'The same with log-n',
      factor: (length: number) => `Factor of the scores at n = ${whole(length)}`,
      factorColumn: 'factor',
      describe: (
        [from, to]: readonly number[],
        [first, plain, scaled]: readonly string[],
        times: string,
      ) =>
        `No: from ${whole(from!)} to ${whole(to!)} keys its entropy goes from ${first} to ${plain} nats, as if spread over ${times} times as many keys. With log-n it ends at ${scaled}.`,
    },
    zh: {
      title: '注意力的熵与 log-n 缩放',
      question: '键越来越多，注意力还像原来那样集中吗？',
      caption:
        '注意力的平均熵随键的个数 n 的变化。不缩放时，它几乎和 ln n（平均分给所有键）同步上升；log-n 缩放把分数乘以 ln n / ln L₀，超过 L₀ 后几乎不再上升。',
      lengthAxis: '键的个数 n',
      entropyAxis: '平均熵（nat），越高越散 ↑',
      plain: '不缩放',
      scaled: '用 log-n 缩放',
      uniform: '平均分配',
      trained: '训练长度 L₀',
      growth: (from: number, to: number) => `n 从 ${whole(from)} 到 ${whole(to)}，熵增加（不缩放）`,
      growthScaled: '同上，用 log-n',
      factor: (length: number) => `n = ${whole(length)} 时分数的因子`,
      factorColumn: '因子',
      describe: (
        [from, to]: readonly number[],
        [first, plain, scaled]: readonly string[],
        times: string,
      ) =>
        `不如原来集中：键从 ${whole(from!)} 个增加到 ${whole(to!)} 个，熵从 ${first} 变成 ${plain} nat，相当于分散到 ${times} 倍的键上；用 log-n 缩放，最后是 ${scaled} nat。`,
    },
  },
};
