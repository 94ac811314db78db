/** Words of the figure `attention-factor`. */
import type { Try } from '../../figures/figure.ts';
import { fixed, whole } from '../../plots/number.ts';
import { trainedKeys } from './jobs.ts';
import type { RowWords } from './temperature_rows.ts';

export const words = {
  factor: { en: 'Factor', zh: '扩展倍数' },
  given: { en: 'attention_factor (0: not given)', zh: 'attention_factor（0 表示未设置）' },
  mscale: { en: 'mscale (0: not given)', zh: 'mscale（0 表示未设置）' },
  mscaleAllDim: { en: 'mscale_all_dim (0: not given)', zh: 'mscale_all_dim（0 表示未设置）' },
  tries: [
    {
      label: { en: 'Set both mscale numbers', zh: '两个 mscale 都设' },
      notice: {
        en: 'As in some DeepSeek models: cos and sin are multiplied by 1, and the softmax scale by all of it. For the scores nothing changes.',
        zh: 'DeepSeek 的一些模型就是这样：cos 和 sin 只乘 1，全部转到 softmax 的缩放上，分数没有变化。',
      },
      set: { mscale: 1, mscaleAllDim: 1, given: 0 },
    },
    {
      label: { en: 'Set only mscale', zh: '只设 mscale' },
      notice: {
        en: 'Nothing changes: one of the two alone is ignored, and the default rule applies.',
        zh: '什么也没变：两个里只写一个不起作用，仍用默认规则。',
      },
      set: { mscale: 1, mscaleAllDim: 0, given: 0 },
    },
    {
      label: { en: 'Give an attention_factor of 1', zh: '把 attention_factor 设为 1' },
      notice: {
        en: 'It comes before all rules: cos and sin are multiplied by 1, so the third row is like the second.',
        zh: '它优先于所有规则：cos 和 sin 只乘 1，第三行和第二行一样，什么也没补回来。',
      },
      set: { given: 1 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'The attention factor and where it comes from',
      question: 'A longer text spreads attention. How much does the attention factor bring back?',
      caption:
        'Attention weights of one query: one key fits it, other scores are random. More keys take weight from it; larger scores give some back. Below, the factor of the scores by YaRN’s default (gray) and by this configuration (red).',
      factorAxis: 'factor s',
      logitsAxis: 'scores are multiplied by',
      yarn: 'YaRN: cos and sin × (0.1 ln s + 1)',
      squared: 'YaRN’s default: (0.1 ln s + 1)²',
      now: 'this configuration',
      plain: 'as in training',
      twice: 'cos and sin, in q and k',
      scale: 'softmax scale',
      product: 'scores',
      longrope: 'LongRoPE: cos and sin × √(1 + ln s / ln L₀), L₀ = 4,096',
      resolver: 'The rules in order of precedence; the current one is marked',
      rules: [
        'attention_factor is given: it is used unchanged.',
        'mscale and mscale_all_dim are both given: (0.1 ⋅ mscale ⋅ ln s + 1) / (0.1 ⋅ mscale_all_dim ⋅ ln s + 1).',
        'Otherwise: 0.1 ln s + 1, and 1 when s is at most 1.',
      ],
      cosSin: 'cos and sin are multiplied by',
      softmax: 'The softmax scale is multiplied by (DeepSeek’s models only)',
      logits: 'Scores of rotated values, in all',
      weightOf: ['in training', 'over more keys', 'with the factor'].map(
        (when) => `Weight of the fitting key, ${when}`,
      ),
      share: (weight: number) => `${fixed(100 * weight, 0)}%`,
      row: (factor: string, logits: string): RowWords => ({
        rows: [
          'in training',
          `${factor} × keys, same scores`,
          `${factor} × keys, scores × ${logits}`,
        ],
        fitting: 'the fitting key: ',
        trainedKeys: `${trainedKeys} keys of training`,
        moreKeys: (count: number) => `${whole(count)} more`,
      }),
      describe: (
        rule: 0 | 1 | 2,
        logits: string,
        keys: string,
        [trained, plain, scaled]: readonly string[],
      ) =>
        `Among ${keys} keys the fitting one falls from ${trained} of the attention to ${plain}. ${['The attention_factor', 'The pair of mscale numbers', 'The default rule'][rule]!} multiplies scores by ${logits}: it gets ${scaled}.`,
    },
    zh: {
      title: '注意力因子从哪里来',
      question: '文本变长，注意力被摊薄。注意力因子能补回多少？',
      caption:
        '上面三行是同一个查询的注意力权重：只有一个键与它匹配，其余的分数是随机的。键多了，匹配的键分到的就少；把分数放大，又补回一些。下图是分数的倍数：灰线是 YaRN 的默认值，红点按这份配置。',
      factorAxis: '扩展倍数 s',
      logitsAxis: '分数的倍数',
      yarn: 'YaRN：cos、sin × (0.1 ln s + 1)',
      squared: 'YaRN 的默认值：(0.1 ln s + 1)²',
      now: '这份配置',
      plain: '与训练时相同',
      twice: 'cos、sin 的倍数，q 与 k 各乘一次',
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
      weightOf: ['训练时', '键变多以后', '乘上因子'].map((when) => `匹配的键的权重：${when}`),
      share: (weight: number) => `${fixed(100 * weight, 0)}%`,
      row: (factor: string, logits: string): RowWords => ({
        rows: [
          '训练时',
          `键变成 ${factor} 倍，分数不变`,
          `键变成 ${factor} 倍，分数乘以 ${logits}`,
        ],
        fitting: '匹配的键：',
        trainedKeys: `训练时的 ${trainedKeys} 个键`,
        moreKeys: (count: number) => `另 ${whole(count)} 个键`,
      }),
      describe: (
        rule: 0 | 1 | 2,
        logits: string,
        keys: string,
        [trained, plain, scaled]: readonly string[],
      ) =>
        `键增加到 ${keys} 个，匹配的键分到的注意力从 ${trained} 降到 ${plain}。按${['写明的 attention_factor', '两个 mscale', '默认规则'][rule]!}，分数共乘 ${logits}，它得到 ${scaled}。`,
    },
  },
};
