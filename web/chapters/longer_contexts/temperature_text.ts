/** Words of the figure `attention-factor`. */
export const temperatureText = {
  en: {
    title: 'The attention factor and where it comes from',
    question:
      'Which number sharpens the attention of a stretched model, and which rule supplied it?',
    caption:
      'Drag s: with nothing else given, the third rule answers, 0.1 ln s + 1. Now write mscale 1 and mscale_all_dim 1, as some DeepSeek models do: the second rule fires and the factor of cos and sin becomes exactly 1, while the softmax scale takes over its square. Write only one of the two and the third rule is back. Any attention_factor at all silences both.',
  },
  zh: {
    title: '注意力因子从哪里来',
    question: '拉长之后的模型，注意力由哪个数来收紧？这个数又是哪条规则给的？',
    caption:
      '拖动 s：其他都不写时，由第三条规则回答，0.1 ln s + 1。再把 mscale 和 mscale_all_dim 都写成 1，像 DeepSeek 的一些模型那样：第二条规则生效，cos 和 sin 的因子恰好变成 1，它的平方则转到 softmax 的缩放上。两个只写一个，又回到第三条。只要写了 attention_factor，后两条都不作声。',
  },
};

export const words = {
  factor: { en: 'Factor', zh: '倍数' },
  given: { en: 'attention_factor (0: not given)', zh: 'attention_factor（0 表示没写）' },
  mscale: { en: 'mscale (0: not given)', zh: 'mscale（0 表示没写）' },
  mscaleAllDim: { en: 'mscale_all_dim (0: not given)', zh: 'mscale_all_dim（0 表示没写）' },
  strings: {
    en: {
      factorAxis: 'factor s',
      multiplierAxis: 'multiplier',
      yarn: 'YaRN: cos and sin × (0.1 ln s + 1)',
      squared: 'its square: the factor of the logits',
      longrope: 'LongRoPE: cos and sin × √(1 + ln s / ln L₀), L₀ = 4,096',
      resolver: 'The rules in the order in which they are asked; the current one answered',
      rules: [
        'attention_factor is given: it is taken as it is.',
        'mscale and mscale_all_dim are both given: (0.1 ⋅ mscale ⋅ ln s + 1) / (0.1 ⋅ mscale_all_dim ⋅ ln s + 1).',
        'Otherwise: 0.1 ln s + 1, and 1 when s is at most 1.',
      ],
      cosSin: 'cos and sin are multiplied by',
      softmax: 'The softmax scale is multiplied by (DeepSeek’s models only)',
      logits: 'Logits of rotated values, in all',
      describe: (factor: string, cosSin: string) =>
        `The multiplier of cos and sin against the factor, for YaRN and LongRoPE. At factor ${factor} the rule that answers gives ${cosSin}.`,
    },
    zh: {
      factorAxis: '倍数 s',
      multiplierAxis: '乘数',
      yarn: 'YaRN：cos、sin × (0.1 ln s + 1)',
      squared: '它的平方：logits 的因子',
      longrope: 'LongRoPE：cos、sin × √(1 + ln s / ln L₀)，L₀ = 4,096',
      resolver: '按询问的先后列出的规则；当前这一条给出了答案',
      rules: [
        '写了 attention_factor：照写的用。',
        'mscale 和 mscale_all_dim 都写了：(0.1 ⋅ mscale ⋅ ln s + 1) / (0.1 ⋅ mscale_all_dim ⋅ ln s + 1)。',
        '其余情形：0.1 ln s + 1；s 不大于 1 时为 1。',
      ],
      cosSin: 'cos 和 sin 乘以',
      softmax: 'softmax 的缩放再乘以（只有 DeepSeek 的模型）',
      logits: '旋转过的维，logits 合计乘以',
      describe: (factor: string, cosSin: string) =>
        `cos 和 sin 的乘数随倍数变化的曲线，YaRN 与 LongRoPE 各一条。倍数为 ${factor} 时，生效的规则给出 ${cosSin}。`,
    },
  },
};
