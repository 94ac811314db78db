/** Words of the figure `attention-factor`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  factor: { en: 'Factor', zh: '倍数' },
  given: { en: 'attention_factor (0: not given)', zh: 'attention_factor（0 表示没写）' },
  mscale: { en: 'mscale (0: not given)', zh: 'mscale（0 表示没写）' },
  mscaleAllDim: { en: 'mscale_all_dim (0: not given)', zh: 'mscale_all_dim（0 表示没写）' },
  tries: [
    {
      label: { en: 'Set both mscale numbers', zh: '两个 mscale 都写上' },
      notice: {
        en: 'As in some DeepSeek models: cos and sin keep the factor 1, and all of it goes to the softmax scale. The logits are as before.',
        zh: 'DeepSeek 的一些模型就是这样：cos 和 sin 的因子是 1，全部转到 softmax 的缩放上，logits 与原来一样。',
      },
      set: { mscale: 1, mscaleAllDim: 1, given: 0 },
    },
    {
      label: { en: 'Set only mscale', zh: '只写 mscale' },
      notice: {
        en: 'Nothing changes: one of the two alone is ignored, and the default rule applies.',
        zh: '什么也没变：两个里只写一个不起作用，仍用默认规则。',
      },
      set: { mscale: 1, mscaleAllDim: 0, given: 0 },
    },
    {
      label: { en: 'Give an attention_factor of 1', zh: '把 attention_factor 设为 1' },
      notice: {
        en: 'It comes before all rules: cos and sin are multiplied by 1, and attention is not sharpened.',
        zh: '它优先于所有规则：cos 和 sin 只乘 1，注意力没有变尖锐。',
      },
      set: { given: 1 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'The attention factor and where it comes from',
      question:
        'Which number sharpens the attention of an extended model, and which rule gives it?',
      caption:
        'The factor on cos and sin, and its square, which is the factor of the logits, against s. Below are the rules that set it, in order of precedence; the one in force is marked.',
      factorAxis: 'factor s',
      multiplierAxis: 'multiplier',
      yarn: 'YaRN: cos and sin × (0.1 ln s + 1)',
      squared: 'its square: the factor of the logits',
      longrope: 'LongRoPE: cos and sin × √(1 + ln s / ln L₀), L₀ = 4,096',
      resolver: 'The rules in order of precedence; the current one is marked',
      rules: [
        'attention_factor is given: it is used unchanged.',
        'mscale and mscale_all_dim are both given: (0.1 ⋅ mscale ⋅ ln s + 1) / (0.1 ⋅ mscale_all_dim ⋅ ln s + 1).',
        'Otherwise: 0.1 ln s + 1, and 1 when s is at most 1.',
      ],
      cosSin: 'cos and sin are multiplied by',
      softmax: 'The softmax scale is multiplied by (DeepSeek’s models only)',
      logits: 'Logits of rotated values, in all',
      describe: (factor: string, cosSin: string) =>
        `At factor ${factor} the rule in force multiplies cos and sin by ${cosSin}.`,
    },
    zh: {
      title: '注意力因子从哪里来',
      question: '扩展之后的模型，注意力因子是多少？由哪条规则决定？',
      caption:
        'cos 和 sin 的因子，以及它的平方（即 logits 的因子），随 s 的变化。下面是决定因子的各条规则，按优先次序排列，标出的一条正在生效。',
      factorAxis: '倍数 s',
      multiplierAxis: '乘数',
      yarn: 'YaRN：cos、sin × (0.1 ln s + 1)',
      squared: '它的平方：logits 的因子',
      longrope: 'LongRoPE：cos、sin × √(1 + ln s / ln L₀)，L₀ = 4,096',
      resolver: '规则按优先次序排列，标出的是当前生效的一条',
      rules: [
        '写了 attention_factor：直接使用。',
        'mscale 和 mscale_all_dim 都写了：(0.1 ⋅ mscale ⋅ ln s + 1) / (0.1 ⋅ mscale_all_dim ⋅ ln s + 1)。',
        '其余情形：0.1 ln s + 1；s 不大于 1 时为 1。',
      ],
      cosSin: 'cos 和 sin 乘以',
      softmax: 'softmax 的缩放再乘以（只有 DeepSeek 的模型）',
      logits: '旋转过的维，logits 合计乘以',
      describe: (factor: string, cosSin: string) =>
        `倍数为 ${factor} 时，按生效的规则，cos 和 sin 乘以 ${cosSin}。`,
    },
  },
};
