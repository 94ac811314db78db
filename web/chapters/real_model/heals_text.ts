/** Words of the figure `interpolation-heals`. */
import type { Try } from '../../figures/figure.ts';

const count = (steps: number) => ({ en: String(steps), zh: String(steps) });

export const healsWords = {
  method: { en: 'Positions', zh: '位置' },
  methods: {
    pi: { en: 'PI, s = 4', zh: 'PI，s = 4' },
    ntk: { en: 'NTK, s = 4', zh: 'NTK，s = 4' },
    yarn: { en: 'YaRN, s = 4', zh: 'YaRN，s = 4' },
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
  tries: [
    {
      label: { en: 'Look before the training', zh: '看训练之前' },
      notice: {
        en: 'PI has broken the model: the loss is above 3 nats at every place, and the story is hardly English.',
        zh: 'PI 弄坏了模型：各个位置上的损失都在 3 nat 以上，故事几乎不成英文。',
      },
      set: { method: 'pi', steps: '0' },
    },
    {
      label: { en: 'Train for ten steps', zh: '训练十步' },
      notice: {
        en: 'The recorded story is English again, but the loss at the far places is still 2.28 nats.',
        zh: '录下的故事又是英文了，但远处的损失还有 2.28 nat。',
      },
      set: { method: 'pi', steps: '10' },
    },
    {
      label: { en: 'Train with the positions unchanged', zh: '位置不改，照样训练' },
      notice: {
        en: 'The same 80 steps end at 1.38 nats at the far places, just below PI with 1.40: here the training helps, not the interpolation.',
        zh: '同样 80 步，远处的损失降到 1.38 nat，比 PI 的 1.40 略低：在这里起作用的是训练，不是内插。',
      },
      set: { method: 'direct', steps: '80' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Interpolation heals',
      question: 'PI breaks the model. How much training does it take to mend it?',
      caption:
        'The loss by place, and a story, after some steps of training with the changed positions; bands span three recorded seeds. The button trains the model here.',
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
        '换了位置之后再训练若干步，各个位置上的损失，以及模型写的故事；色带是录制的三个种子的范围。按按钮可以在本机训练一次。',
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
