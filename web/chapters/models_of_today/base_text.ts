/** Words of the figure `base-bound`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  model: { en: 'Model', zh: '模型' },
  tries: [
    {
      label: { en: 'Choose Llama 3', zh: '选 Llama 3' },
      notice: {
        en: 'It lies above the line: for 8,192 tokens the smallest base is about 84,000, and it has 500,000.',
        zh: '它在曲线的上方：8,192 个词元至少要用底数 84,000，它用的是 500,000。',
      },
      set: { model: 'llama-3' },
    },
    {
      label: { en: 'Choose SmolLM3', zh: '选 SmolLM3' },
      notice: {
        en: 'A context eight times as long as that of Llama 3 needs a base 25 times as large. SmolLM3 has more than that.',
        zh: '上下文是 Llama 3 的 8 倍，要用的底数是它的 25 倍；SmolLM3 的底数比这还大。',
      },
      set: { model: 'smollm3' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'The smallest base for a length',
      question: 'Is a model’s RoPE base large enough for its context?',
      caption:
        'The line is the smallest base for which a similar key scores above a random one, on average, at every distance up to the length. Dots are models: a dot below the line has a base that is too small.',
      lengthAxis: 'context length',
      baseAxis: 'RoPE base',
      bound: 'smallest base',
      tooSmall: 'base too small',
      models: 'models',
      chosen: (model: string) => model,
      verdict: (model: string, length: string, least: string, base: string, isEnough: boolean) =>
        `${model}: ${length} tokens need a base of at least ${least}. It has ${base}: ${isEnough ? 'enough' : 'too small'}.`,
      columns: ['context length', 'smallest base'],
    },
    zh: {
      title: '一定长度至少要多大的底数',
      question: '模型的 RoPE 底数，够它的上下文长度用吗？',
      caption:
        '曲线是所需的最小底数；底数不低于它，在这个长度以内的每个距离上，相似的键平均得分都高于随机的键。圆点是各个模型，落在曲线下方的，底数不够。',
      lengthAxis: '上下文长度',
      baseAxis: 'RoPE 底数',
      bound: '所需的最小底数',
      tooSmall: '底数太小',
      models: '模型',
      chosen: (model: string) => model,
      verdict: (model: string, length: string, least: string, base: string, isEnough: boolean) =>
        `${model}：${length} 个词元至少要用底数 ${least}，它用的是 ${base}，${isEnough ? '够用' : '不够'}。`,
      columns: ['上下文长度', '所需的最小底数'],
    },
  },
};
