/** Words of the figure `models-by-layer`. */
import type { Try } from '../../figures/figure.ts';
import { kindIn, stackWords } from '../../figures/layer_stack_text.ts';

export const words = {
  model: { en: 'Model', zh: '模型' },
  tries: [
    {
      label: { en: 'Choose Llama 4', zh: '选 Llama 4' },
      notice: {
        en: 'Three of four layers rotate and see a chunk. The fourth sees everything, and has no positions.',
        zh: '四层里有三层旋转，只看一块文本；第四层看到全部，不用位置。',
      },
      set: { model: 'llama-4-scout' },
    },
    {
      label: { en: 'Choose Gemma 3', zh: '选 Gemma 3' },
      notice: {
        en: 'All layers rotate. Five of six see a window; the sixth sees everything and has a larger base.',
        zh: '每层都旋转。六层里有五层只看窗口；第六层看到全部，底数也更大。',
      },
      set: { model: 'gemma-3-27b' },
    },
    {
      label: { en: 'Choose Inkling', zh: '选 Inkling' },
      notice: {
        en: 'No layer rotates: a bias that each token computes for each distance takes its place.',
        zh: '没有一层旋转：代替旋转的是由词元和距离算出的偏置。',
      },
      set: { model: 'inkling' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Models side by side',
      question: 'Which layers of today’s models still rotate?',
      caption:
        'One row per model, one bar per layer, the first at the left. The color says what the layer does with positions; a short bar sees only a window or a chunk.',
      ...stackWords.en,
      kind: kindIn.en,
      verdict: (model: string, rotating: number, layers: number) =>
        rotating === 0
          ? `${model}: none of its ${layers} layers rotates.`
          : rotating === layers
            ? `${model}: all of its ${layers} layers rotate.`
            : `${model}: ${rotating} of its ${layers} layers rotate.`,
      legend: {
        rotates: 'rotates',
        larger: 'rotates, larger base',
        unrotated: 'no position',
        recurrent: 'linear attention, with decay',
        biased: 'bias per token',
        short: 'window or chunk',
        compressed: 'window, earlier text compressed',
      },
      columns: ['model', 'layers', 'what they do'],
      describe: (verdicts: string[]) =>
        `Layers of ${verdicts.length} models. ${verdicts.join(' ')}`,
    },
    zh: {
      title: '各模型逐层比较',
      question: '今天的模型里，还有哪些层在旋转？',
      caption:
        '一行是一个模型，一条是一层，最左边是第一层。颜色表示这层怎样处理位置，短条表示只看一个窗口或一块。',
      ...stackWords.zh,
      kind: kindIn.zh,
      verdict: (model: string, rotating: number, layers: number) =>
        rotating === 0
          ? `${model}：${layers} 层全都不旋转。`
          : rotating === layers
            ? `${model}：${layers} 层全都旋转。`
            : `${model}：${layers} 层里有 ${rotating} 层旋转。`,
      legend: {
        rotates: '旋转',
        larger: '旋转，底数更大',
        unrotated: '不用位置',
        recurrent: '线性注意力，带衰减',
        biased: '逐词元的偏置',
        short: '窗口或分块',
        compressed: '窗口，更早的文本压缩',
      },
      columns: ['模型', '层数', '怎样处理位置'],
      describe: (verdicts: string[]) => `${verdicts.length} 个模型的各层。${verdicts.join('')}`,
    },
  },
};
