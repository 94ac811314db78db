/** Words of the figure `log-n-entropy`. */
import { whole } from '../../plots/number.ts';

export const entropyText = {
  en: {
    title: 'Entropy of attention and log-n scaling',
    question: 'As more and more keys arrive, does attention stay as concentrated as it was?',
    caption:
      'The unscaled line climbs almost in step with the dashed one, ln n, which is attention spread evenly: more keys, more blur. The purple line multiplies the logits by ln n / ln m and lies nearly flat beyond m. Nearly, and only for logits as sharp as these: set σ to 1 and it climbs almost as the unscaled one does; set σ to 4 and it falls. Another seed draws other numbers and tells the same story.',
  },
  zh: {
    title: '注意力的熵与 log-n 缩放',
    question: '键越来越多，注意力还像原来那样集中吗？',
    caption:
      '不缩放的线几乎和虚线 ln n（平均分给所有键）同步上升：键越多，越涣散。紫线把 logits 乘以 ln n / ln m，过了 m 几乎是平的。只是几乎，而且只对这个尖锐程度成立：把 σ 调到 1，它差不多和不缩放的线一起升；调到 4，它反而下降。换一个种子，抽到的数不同，结论一样。',
  },
};

export const words = {
  sharpness: { en: 'Deviation of the logits', zh: 'logits 的标准差' },
  trained: { en: 'Training length', zh: '训练长度' },
  seed: { en: 'Seed', zh: '随机种子' },
  strings: {
    en: {
      lengthAxis: 'number of keys n',
      entropyAxis: 'mean entropy of a row, in nats',
      plain: 'unscaled',
      scaled: 'logits × ln n / ln m',
      uniform: 'ln n: all keys alike',
      growth: (from: number, to: number) =>
        `Entropy gained from n = ${whole(from)} to ${whole(to)}`,
      growthScaled: 'The same with log-n',
      factor: (length: number) => `Factor of the logits at n = ${whole(length)}`,
      factorColumn: 'factor',
      describe: (length: number, plain: string, scaled: string) =>
        `Mean entropy of attention against the number of keys: at ${whole(length)} keys ${plain} nats unscaled and ${scaled} with log-n scaling.`,
    },
    zh: {
      lengthAxis: '键的个数 n',
      entropyAxis: '每行的平均熵（nat）',
      plain: '不缩放',
      scaled: 'logits × ln n / ln m',
      uniform: 'ln n：平均分配',
      growth: (from: number, to: number) => `n 从 ${whole(from)} 到 ${whole(to)}，熵增加（不缩放）`,
      growthScaled: '同上，用 log-n',
      factor: (length: number) => `n = ${whole(length)} 时 logits 的因子`,
      factorColumn: '因子',
      describe: (length: number, plain: string, scaled: string) =>
        `注意力的平均熵随键数变化：${whole(length)} 个键时，不缩放为 ${plain} nat，用 log-n 为 ${scaled} nat。`,
    },
  },
};
