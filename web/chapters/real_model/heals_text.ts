/** Words of the figure `interpolation-heals`. */
const count = (steps: number) => ({ en: String(steps), zh: String(steps) });

export const healsWords = {
  method: { en: 'Positions', zh: '位置' },
  methods: {
    pi: { en: 'PI, s = 4', zh: 'PI，s = 4' },
    ntk: { en: 'NTK, s = 4', zh: 'NTK，s = 4' },
    direct: { en: 'direct', zh: '直接外推' },
  },
  steps: { en: 'Training steps', zh: '训练步数' },
  stepCounts: {
    0: count(0),
    5: count(5),
    10: count(10),
    20: count(20),
    40: count(40),
    80: count(80),
  },
  strings: {
    en: {
      title: 'Interpolation heals',
      question: 'PI breaks the model. How much training does it take to mend it?',
      caption:
        'See: the loss by place, and a story, after some steps of training with the changed positions; bands span three recorded seeds. Try: go from 0 steps to 80 and read the story. Choose direct, the same training with the positions unchanged. Then train the model here.',
      unchanged: 'unchanged model',
      trained: (step: number) => `after ${step} steps, recorded`,
      live: (step: number) => `after ${step} steps, here`,
      here: 'trained here',
      limit: 'L₀',
      placeAxis: 'place in the text',
      lossAxis: 'loss, nats a token',
      stepAxis: 'training steps',
      farAxis: 'loss at places 1,024–2,047',
      preparing: 'the unchanged model writes the test texts',
      far: 'Loss at places 1,024–2,047',
      farUnchanged: 'There, unchanged model',
      short: 'Loss on short stories alone',
      shortUnchanged: 'On these, unchanged model',
      methodColumn: 'positions',
      seedColumn: 'seed',
      stepColumn: 'steps',
      shortColumn: 'short stories',
      describe: (method: string, step: number, far: string, unchanged: string) =>
        `${method}, after ${step} steps of training: at places 1,024 to 2,047 the loss is ${far} nats, that of the unchanged model ${unchanged}.`,
    },
    zh: {
      title: '内插可以治好',
      question: 'PI 弄坏了模型，要训练多少步才能恢复？',
      caption:
        '看什么：换了位置之后再训练若干步，各个位置上的损失，以及模型写的故事；色带是录制的三个种子的范围。试一试：把步数从 0 调到 80，读一读故事。再看“直接外推”：位置不改，训练同样多。然后在本机训练一次。',
      unchanged: '未改动的模型',
      trained: (step: number) => `训练 ${step} 步之后（录制）`,
      live: (step: number) => `训练 ${step} 步之后（本机）`,
      here: '本机训练',
      limit: 'L₀',
      placeAxis: '在文本中的位置',
      lossAxis: '损失（nat／词元）',
      stepAxis: '训练步数',
      farAxis: '位置 1,024–2,047 上的损失',
      preparing: '未改动的模型正在写测试文本',
      far: '位置 1,024–2,047 上的损失',
      farUnchanged: '同处，未改动的模型',
      short: '单独的短故事上的损失',
      shortUnchanged: '同样的短故事，未改动的模型',
      methodColumn: '位置',
      seedColumn: '种子',
      stepColumn: '步数',
      shortColumn: '短故事',
      describe: (method: string, step: number, far: string, unchanged: string) =>
        `${method}，训练 ${step} 步之后：位置 1,024 到 2,047 上的损失是 ${far} nat，未改动的模型是 ${unchanged} nat。`,
    },
  },
};
