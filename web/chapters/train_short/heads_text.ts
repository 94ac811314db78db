/** Words of the figure `trained-heads`. */
export const words = {
  scheme: { en: 'Scheme', zh: '位置方案' },
  period: { en: 'Period', zh: '周期' },
  length: { en: 'Length', zh: '长度' },
  layer: { en: 'Layer', zh: '层' },
  layers: { 1: { en: 'first', zh: '第一层' }, 2: { en: 'second', zh: '第二层' } },
  model: { en: 'Model', zh: '模型' },
  models: {
    recorded: { en: 'recorded', zh: '录制的' },
    own: { en: 'trained here', zh: '本机训练的' },
  },
  strings: {
    en: {
      title: 'Inside a trained head',
      question: 'What does a trained head attend to when the input grows past the training length?',
      caption:
        'See: attention weights of a trained model on a repeating block; the dashed lines mark the training length. An induction head draws stripes: each symbol looks one step after its earlier occurrences. Try: compare the schemes, and lengthen the input. Some stripes continue beyond the dashed line, others break off.',
      setting: (steps: string) =>
        `Task: induction, as above: a block of symbols repeats, and the model predicts the next symbol. Two layers of width 48, ${steps} steps of 32 texts of 32 symbols, one recorded model per scheme (seed 0), so details of one head may be due to chance.`,
      missing: 'No model yet: choose “trained here” and press the button.',
      head: (head: number) => `head ${head}`,
      best: { 1: 'looks one back', 2: 'induction' },
      axes: 'Down: queries. Across: keys. Every row sums to 1.',
      placeAxis: 'place of the query',
      weightAxis: {
        1: 'weight on the symbol before',
        2: 'weight on the symbol to copy',
      },
      strongest: { 1: 'Head that looks one back', 2: 'Induction head' },
      within: 'Mean weight there, trained length',
      beyond: 'Mean weight there, beyond',
      query: 'query',
      describe: (scheme: string, head: number, within: string, beyond: string) =>
        `Under ${scheme}, head ${head} gives its target a weight of ${within} in the mean within the training length, and ${beyond} beyond it.`,
    },
    zh: {
      title: '看看训练好的头',
      question: '输入超过训练长度以后，训练好的头关注哪里？',
      caption:
        '看什么：训练好的模型在重复序列上的注意力权重，虚线处是训练长度的尽头。归纳头画出几条斜线：每个符号都去看它以前各次出现之后的那一个。试一试：换几种方案，再把输入加长，看哪些斜线越过虚线继续延伸，哪些断掉。',
      setting: (steps: string) =>
        `任务：归纳，与上图相同：一段符号不断重复，预测下一个。模型两层，宽 48，训练 ${steps} 步，每步 32 条、每条 32 个符号；每种方案只录制一个模型（种子 0），所以某个头的细节可能只是偶然。`,
      missing: '还没有模型：请选“本机训练的”，再按按钮。',
      head: (head: number) => `第 ${head} 个头`,
      best: { 1: '看前一个', 2: '归纳' },
      axes: '竖向是查询，横向是键；每行之和为 1。',
      placeAxis: '查询的位置',
      weightAxis: {
        1: '前一个符号得到的权重',
        2: '该抄的符号得到的权重',
      },
      strongest: { 1: '看前一个符号的头', 2: '归纳头' },
      within: '训练长度以内的平均权重',
      beyond: '训练长度以外的平均权重',
      query: '查询',
      describe: (scheme: string, head: number, within: string, beyond: string) =>
        `${scheme}：第 ${head} 个头给目标的平均权重，训练长度以内是 ${within}，以外是 ${beyond}。`,
    },
  },
};
