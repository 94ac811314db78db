/** Words of the figure `attention-factor`. */
export const words = {
  factor: { en: 'Factor', zh: '倍数' },
  given: { en: 'attention_factor (0: not given)', zh: 'attention_factor（0 表示没写）' },
  mscale: { en: 'mscale (0: not given)', zh: 'mscale（0 表示没写）' },
  mscaleAllDim: { en: 'mscale_all_dim (0: not given)', zh: 'mscale_all_dim（0 表示没写）' },
  strings: {
    en: {
      title: 'The attention factor and where it comes from',
      question:
        'Which number sharpens the attention of an extended model, and which rule gives it?',
      caption:
        'See: the attention factor and the rule that sets it; by default, 0.1 ln s + 1. Try: set mscale and mscale_all_dim to 1, as in some DeepSeek models. Cos and sin then have the factor 1, and (0.1 ln s + 1)² goes to the softmax scale. With only one of them the default applies. An attention_factor overrides both.',
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
        '看什么：注意力因子，以及它出自哪条规则；默认是 0.1 ln s + 1。试一试：把 mscale 和 mscale_all_dim 都设为 1，像 DeepSeek 的一些模型那样：cos 和 sin 的因子变成 1，(0.1 ln s + 1)² 转到 softmax 的缩放上。只设其中一个，仍用默认规则。设了 attention_factor，就以它为准。',
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
