/** Words of the figure `attention-factor`. */
import type { Try } from '../../figures/figure.ts';

/** One of three texts, by a factor of the scores: above 1 attention is sharper. */
const sharpness = (logits: string, [less, same, more]: readonly [string, string, string]) =>
  Number(logits) > 1 ? more : Number(logits) < 1 ? less : same;

export const words = {
  factor: { en: 'Factor', zh: '倍数' },
  given: { en: 'attention_factor (0: not given)', zh: 'attention_factor（0 表示没写）' },
  mscale: { en: 'mscale (0: not given)', zh: 'mscale（0 表示没写）' },
  mscaleAllDim: { en: 'mscale_all_dim (0: not given)', zh: 'mscale_all_dim（0 表示没写）' },
  tries: [
    {
      label: { en: 'Set both mscale numbers', zh: '两个 mscale 都写上' },
      notice: {
        en: 'As in some DeepSeek models: cos and sin are multiplied by 1, and the softmax scale by all of it. For the logits nothing changes.',
        zh: 'DeepSeek 的一些模型就是这样：cos 和 sin 只乘 1，全部转到 softmax 的缩放上，分数没有变化。',
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
        'How much the logits are multiplied, against the factor s by which a model is extended. Grey: the default of YaRN. Red: by this configuration. The higher, the sharper the attention; at 1 nothing changes.',
      factorAxis: 'factor s',
      logitsAxis: 'logits are multiplied by',
      yarn: 'YaRN: cos and sin × (0.1 ln s + 1)',
      squared: 'YaRN’s default: (0.1 ln s + 1)²',
      now: 'this configuration',
      plain: 'as in training',
      twice: 'cos and sin, in q and k',
      scale: 'softmax scale',
      product: 'logits',
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
      describe: (factor: string, rule: 0 | 1 | 2, cosSin: string, logits: string) =>
        `At s = ${factor} ${['the attention_factor', 'the pair of mscale numbers', 'the default rule'][rule]!} multiplies cos and sin by ${cosSin}. Scores are multiplied by ${logits}, so attention is ${sharpness(logits, ['blunter', 'as sharp as before', 'sharper'])}.`,
    },
    zh: {
      title: '注意力因子从哪里来',
      question: '扩展之后的模型，注意力因子是多少？由哪条规则决定？',
      caption:
        '分数共乘以多少，随模型的扩展倍数 s 的变化。灰线：YaRN 的默认值。红线：按这份配置。越高，注意力越尖锐；等于 1 就没有变化。',
      factorAxis: '倍数 s',
      logitsAxis: '分数的倍数',
      yarn: 'YaRN：cos、sin × (0.1 ln s + 1)',
      squared: 'YaRN 的默认值：(0.1 ln s + 1)²',
      now: '这份配置',
      plain: '与训练时相同',
      twice: 'cos 和 sin，q 与 k 各一次',
      scale: 'softmax 的缩放',
      product: '分数',
      longrope: 'LongRoPE：cos、sin × √(1 + ln s / ln L₀)，L₀ = 4,096',
      resolver: '规则按优先次序排列，标出的是当前生效的一条',
      rules: [
        '写了 attention_factor：直接使用。',
        'mscale 和 mscale_all_dim 都写了：(0.1 ⋅ mscale ⋅ ln s + 1) / (0.1 ⋅ mscale_all_dim ⋅ ln s + 1)。',
        '其余情形：0.1 ln s + 1；s 不大于 1 时为 1。',
      ],
      cosSin: 'cos 和 sin 乘以',
      softmax: 'softmax 的缩放再乘以（只有 DeepSeek 的模型）',
      logits: '旋转过的维，分数共乘以',
      describe: (factor: string, rule: 0 | 1 | 2, cosSin: string, logits: string) =>
        `s = ${factor} 时，按${['写明的 attention_factor', '两个 mscale', '默认规则'][rule]!}，cos 和 sin 乘以 ${cosSin}，分数共乘 ${logits}，注意力${sharpness(logits, ['变钝', '不变', '更尖锐'])}。`,
    },
  },
};
