/** Words of the figure `trained-heads`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  scheme: { en: 'Scheme', zh: '位置方案' },
  period: { en: 'Period', zh: '周期' },
  length: { en: 'Length', zh: '长度' },
  layer: { en: 'Layer', zh: '层' },
  layers: { 1: { en: 'first', zh: '第一层' }, 2: { en: 'second', zh: '第二层' } },
  model: { en: 'Model', zh: '模型' },
  models: {
    recorded: { en: 'recorded', zh: '预先训练的' },
    own: { en: 'trained here', zh: '本机训练的' },
  },
  tries: [
    {
      label: { en: 'Choose FoX', zh: '选 FoX' },
      notice: {
        en: 'The stripes go on: the symbols to copy get 0.97 of the weight beyond the training length, and 0.94 within it.',
        zh: '斜线继续延伸：该抄的符号得到的权重，训练长度以外是 0.97，以内是 0.94。',
      },
      set: { scheme: 'fox' },
    },
    {
      label: { en: 'Choose the sinusoid', zh: '选正弦编码' },
      notice: {
        en: 'The stripes fade: the symbols to copy get 0.65 of the weight beyond the training length, and 0.88 within it.',
        zh: '斜线变淡：该抄的符号得到的权重，训练长度以外是 0.65，以内是 0.88。',
      },
      set: { scheme: 'sinusoidal' },
    },
    {
      label: { en: 'Look at the first layer', zh: '看第一层' },
      notice: {
        en: 'Its best head looks one symbol back: with 0.73 of its weight within the training length, and 0.39 beyond it.',
        zh: '这一层最强的头看前一个符号：训练长度以内的权重是 0.73，以外只有 0.39。',
      },
      set: { layer: '1' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Inside a trained head',
      question: 'What does a trained head attend to when the input grows past the training length?',
      caption:
        'Above, the weight that each query gives to the right places; red: less than half. Below, all weights of the queries past the training length: blue at the right places, orange elsewhere.',
      setting: (steps: string) =>
        `Task: induction, as above: a block of symbols repeats, and the model predicts the next symbol. Two layers of width 48, ${steps} steps of 32 texts of 32 symbols, one recorded model per scheme (seed 0), so details of one head may be due to chance.`,
      missing: 'No model yet: choose “trained here” and press the button.',
      head: (head: number) => `head ${head}`,
      best: { 1: ' looks one back', 2: ', induction' },
      past: ', queries past the training length',
      example: {
        1: 'In A B C … A B, the last B should look at the A before it.',
        2: 'In A B C … A B C … A, the last A should look at each B, to copy it.',
      },
      right: 'right',
      elsewhere: 'elsewhere',
      placeAxis: 'place of the query',
      weightAxis: {
        1: 'weight on the symbol before',
        2: 'weight on the symbol to copy',
      },
      strongest: { 1: 'Head that looks one back', 2: 'Induction head' },
      within: 'Mean weight there, trained length',
      beyond: 'Mean weight there, beyond',
      query: 'query',
      key: 'key',
      weight: 'weight',
      target: { 1: 'the symbol before', 2: 'the symbols to copy' },
      wrong: 'wrong',
      describe: (
        [scheme, head, target]: readonly [string, number, string],
        within: string,
        [wrong, all]: readonly [number, number],
      ) => {
        if (all === 0)
          return `${scheme}, up to 32 tokens: head ${head} gives ${within} of its weight to ${target}.`;
        return wrong > 0
          ? `${scheme}: past the training length, ${wrong} of ${all} queries look in the wrong place.`
          : `${scheme}: past the training length, all ${all} queries still look in the right place.`;
      },
    },
    zh: {
      title: '看看训练好的头',
      question: '输入超过训练长度以后，训练好的头关注哪里？',
      caption:
        '上图是每个查询给该看的地方的权重，不到一半的标红；下图是超出训练长度的查询的全部权重，该看的地方是蓝色，别处是橙色。',
      setting: (steps: string) =>
        `任务：归纳，与上图相同：一段符号不断重复，预测下一个。模型两层，宽 48，训练 ${steps} 步，每步 32 条、每条 32 个符号；每种方案只有一个预先训练的模型（种子 0），所以某个头的细节可能只是偶然。`,
      missing: '还没有模型：请选“本机训练的”，再点击按钮。',
      head: (head: number) => `第 ${head} 个头`,
      best: { 1: '看前一个', 2: '（归纳）' },
      past: '，超出训练长度的查询',
      example: {
        1: '在 A B C …… A B 里，最后的 B 应当看它前面的 A。',
        2: '在 A B C …… A B C …… A 里，最后的 A 应当看每个 B，把它抄下来。',
      },
      right: '该看',
      elsewhere: '别处',
      placeAxis: '查询的位置',
      weightAxis: {
        1: '前一个符号得到的权重',
        2: '该抄的符号得到的权重',
      },
      strongest: { 1: '看前一个符号的头', 2: '归纳头' },
      within: '训练长度以内的平均权重',
      beyond: '训练长度以外的平均权重',
      query: '查询',
      key: '键',
      weight: '权重',
      target: { 1: '前一个符号', 2: '该抄的符号' },
      wrong: '看错',
      describe: (
        [scheme, head, target]: readonly [string, number, string],
        within: string,
        [wrong, all]: readonly [number, number],
      ) => {
        if (all === 0)
          return `${scheme}：32 个词元以内，第 ${head} 个头给${target}的权重平均是 ${within}。`;
        return wrong > 0
          ? `${scheme}：超出训练长度后，${all} 个查询里有 ${wrong} 个看错了地方。`
          : `${scheme}：超出训练长度后，${all} 个查询仍然都看对了地方。`;
      },
    },
  },
};
