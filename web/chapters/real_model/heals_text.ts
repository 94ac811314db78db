/** Words of the figure `interpolation-heals`. */
import type { Try } from '../../figures/figure.ts';

const count = (steps: number) => ({ en: String(steps), zh: String(steps) });

export const healsWords = {
  method: { en: 'Positions, factor 4', zh: '扩展 4 倍的方法' },
  methods: {
    pi: { en: 'PI', zh: 'PI' },
    ntk: { en: 'NTK', zh: 'NTK' },
    yarn: { en: 'YaRN', zh: 'YaRN' },
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
        zh: '故事又是英文了，但远处的损失还有 2.28 nat。',
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
      title: 'Training mends what interpolation breaks',
      question: 'PI breaks the model. How much training does it take to mend it?',
      caption:
        'The loss far beyond the training length, over steps of training with changed positions; below, a story before the training and after the chosen steps. Bands span three recorded seeds. The button trains the model here.',
      unchanged: 'unchanged model',
      unchangedWith: (loss: string) => `unchanged model, ${loss}`,
      before: 'before the training',
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
      needsNone: (method: string, before: string, unchanged: string) =>
        `${method} needs no training: it begins at ${before} nats, below the unchanged model’s ${unchanged}.`,
      needs: (method: string, steps: readonly number[], losses: readonly string[]) =>
        `${method} needs ${steps[0]} to ${steps[1]} steps to fall from ${losses[0]} nats to below the unchanged model’s ${losses[1]}.`,
      describeDirect: (step: number, far: string, unchanged: string) =>
        `After ${step} steps with its own positions the model has ${far} nats, before them ${unchanged}.`,
    },
    zh: {
      title: '内插造成的损伤，训练可以补回来',
      question: 'PI 弄坏了模型，要训练多少步才能恢复？',
      caption:
        '换了位置之后继续训练，远处的损失随训练步数的变化；下面是训练之前和所选步数之后模型写的故事。色带是预先训练的三个种子的范围。点击按钮可以在本机训练一次。',
      unchanged: '原模型（未再训练）',
      unchangedWith: (loss: string) => `原模型（未再训练），${loss}`,
      before: '训练之前',
      trained: (step: number) => `训练 ${step} 步之后（预先训练）`,
      live: (step: number) => `训练 ${step} 步之后（本机）`,
      here: '本机训练',
      limit: 'L₀',
      placeAxis: '在文本中的位置',
      lossAxis: '损失（nat／词元）',
      stepAxis: '训练步数',
      farAxis: '位置 1,024–2,047 上的损失',
      preparing: '原模型正在写测试文本',
      far: '位置 1,024–2,047 上的损失',
      farUnchanged: '同处，原模型',
      short: '单独的短故事上的损失',
      shortUnchanged: '同样的短故事，原模型',
      methodColumn: '位置',
      seedColumn: '种子',
      stepColumn: '步数',
      shortColumn: '短故事',
      needsNone: (method: string, before: string, unchanged: string) =>
        `${method} 不用训练：损失一开始就是 ${before} nat，低于原模型的 ${unchanged} nat。`,
      needs: (method: string, steps: readonly number[], losses: readonly string[]) =>
        `${method} 要训练 ${steps[0]} 到 ${steps[1]} 步，损失才会从 ${losses[0]} nat 降到原模型的 ${losses[1]} nat 以下。`,
      describeDirect: (step: number, far: string, unchanged: string) =>
        `位置不改，训练 ${step} 步之后，损失是 ${far} nat，原来是 ${unchanged} nat。`,
    },
  },
};
