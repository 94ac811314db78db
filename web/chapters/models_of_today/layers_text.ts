/** Words of the figure `models-by-layer`. */
import { kindIn, stackWords } from '../../figures/layer_stack_text.ts';

export const words = {
  model: { en: 'Model', zh: '模型' },
  strings: {
    en: {
      title: 'Models side by side',
      question: 'Which layers of today’s models still rotate?',
      caption:
        'See: one row per model, one bar per layer, the first at the left. The color says what the layer does with positions, a short bar that it sees only a window. Try: choose Llama 4, then Gemma 3: each leaves one kind of layer to look far.',
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
      },
      columns: ['model', 'layers', 'what they do'],
      describe: (verdicts: string[]) =>
        `Layers of ${verdicts.length} models. ${verdicts.join(' ')}`,
    },
    zh: {
      title: '各模型逐层比较',
      question: '今天的模型里，还有哪些层在旋转？',
      caption:
        '看什么：一行是一个模型，一条是一层，最左边是第一层。颜色表示这层怎样处理位置，短条表示只看一个窗口。试一试：先选 Llama 4，再选 Gemma 3：两者都只留一种层看远处。',
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
      },
      columns: ['模型', '层数', '怎样处理位置'],
      describe: (verdicts: string[]) => `${verdicts.length} 个模型的各层。${verdicts.join('')}`,
    },
  },
};
