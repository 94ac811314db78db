/** Words of the figure `beyond-512`. */
export const beyondWords = {
  factor: { en: 'Factor of PI, NTK, YaRN', zh: 'PI、NTK、YaRN 的倍数' },
  reach: { en: 'Reach of ReRoPE', zh: 'ReRoPE 的最大距离' },
  keys: { en: 'Keys in the window', zh: '窗口内的键数' },
  methods: {
    direct: { en: 'direct', zh: '直接外推' },
    window: { en: 'window', zh: '窗口' },
    rerope: { en: 'ReRoPE', zh: 'ReRoPE' },
    pi: { en: 'PI', zh: 'PI' },
    ntk: { en: 'NTK-aware', zh: 'NTK-aware' },
    'by-parts': { en: 'NTK-by-parts', zh: 'NTK-by-parts' },
    yarn: { en: 'YaRN', zh: 'YaRN' },
    'log-n': { en: 'log n', zh: 'log n' },
  },
  strings: {
    en: {
      title: 'Beyond 512 places',
      question: 'Which method helps a trained model beyond its 512 places, and what does it cost?',
      caption:
        'See: the loss at each place of a text of 1,100 tokens; no weight is changed. Try: lower the factor to 1, where PI, NTK and YaRN change nothing, and raise it again. Then set the distance of ReRoPE to 16: too short, it costs even inside 512.',
      methods: 'Methods',
      method: 'method',
      means: 'Mean loss by section of the text',
      places: (first: string, last: string) => `${first}–${last}`,
      placeAxis: 'place in the text',
      lossAxis: 'loss, nats a token',
      trained: 'trained to 512',
      recorded: 'Recorded; every change runs the model here, on the same text.',
      live: 'Computed here, by the model in your browser.',
      more: 'More: keys in the window',
      describe: (best: readonly string[], direct: string) =>
        `Beyond the 512 places ${best[0]} has the lowest mean loss, ${best[2]} nats, and ${best[1]} within them; direct has ${direct}.`,
    },
    zh: {
      title: '超过 512 个位置',
      question: '文本超过训练时的 512 个位置，哪种方法有用，代价是什么？',
      caption:
        '看什么：一段 1,100 个词元的文本，各个位置上的损失；权重一律不变。试一试：把倍数降到 1，PI、NTK、YaRN 就什么也没改；再慢慢调大。然后把 ReRoPE 的最大距离设为 16：太短了，512 以内也要付出代价。',
      methods: '方法',
      method: '方法',
      means: '文本各段的平均损失',
      places: (first: string, last: string) => `${first}–${last}`,
      placeAxis: '在文本中的位置',
      lossAxis: '损失（nat／词元）',
      trained: '训练到 512',
      recorded: '预先算好；任何改动都会在你的浏览器里用同一段文本重算。',
      live: '由你浏览器里的模型算出。',
      more: '更多：窗口内的键数',
      describe: (best: readonly string[], direct: string) =>
        `512 个位置以外，${best[0]} 的平均损失最低，是 ${best[2]} nat，以内是 ${best[1]}；直接外推是 ${direct}。`,
    },
  },
};
