/** Words of the figure `extend-without-training`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  task: { en: 'Task', zh: '任务' },
  tasks: {
    repeats: { en: 'induction', zh: '归纳' },
    drawers: { en: 'drawers', zh: '抽屉' },
  },
  length: { en: 'Test length', zh: '测试长度' },
  lengths: { 4: { en: '4 L₀ = 128', zh: '4 L₀ = 128' }, 8: { en: '8 L₀ = 256', zh: '8 L₀ = 256' } },
  method: { en: 'Method to measure', zh: '要测量的方法' },
  factor: { en: 'Scaling factor', zh: '扩展倍数' },
  window: { en: 'Window', zh: '窗口' },
  leak: { en: 'Slowdown factor', zh: '放慢倍数' },
  logN: { en: 'With log n', zh: '加上 log n' },
  model: { en: 'Model to measure', zh: '要测量的模型' },
  models: {
    off: { en: 'none', zh: '不测' },
    recorded: { en: 'recorded', zh: '预先训练的' },
    own: { en: 'trained here', zh: '本机训练的' },
  },
  tries: [
    {
      label: { en: 'Switch to the drawers', zh: '换成抽屉任务' },
      notice: {
        en: 'Now PI is far ahead of NTK-aware, 0.85 to 0.50. The nearer key must win, whatever its exact distance, and PI keeps all angles within the trained arc.',
        zh: '现在 PI 远胜 NTK-aware：0.85 对 0.50。只要近的胜过远的，不需要确切的距离，而 PI 让所有角度都留在训练过的弧里。',
      },
      set: { task: 'drawers', length: '8' },
    },
    {
      label: { en: 'Test at 128 tokens', zh: '改在 128 个词元上测试' },
      notice: {
        en: 'Nearly every method does better at four times the length than at eight: YaRN reaches 0.97. PI stays last.',
        zh: '长度只有 4 倍时，几乎每种方法都比 8 倍时好，YaRN 达到 0.97；PI 仍然最差。',
      },
      set: { length: '4', task: 'repeats' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Extending a trained model',
      question: 'Which way of extending a trained RoPE model works, if no weight may change?',
      caption:
        'Accuracy of trained RoPE models far beyond their training length, with each method. Filled: the chosen task, best first; the line spans the seeds. Hollow: the other task. Where a long dotted line joins them, a method suits one task only.',
      repeats: (steps: string, count: string) =>
        `Task: a block of 4 to 16 symbols repeats; name the next symbol. The model must look one step behind the last occurrence of the present symbol: an induction head. One text in five does not repeat: there each symbol has a favorite successor. Two layers of width 64, ${steps} steps of 32 texts of 32 symbols, ${count} recorded models. Chance is 3%.`,
      drawers: (steps: string, count: string) =>
        `Task: the latest thing put into a drawer, as in the race above. The model must prefer the nearer of several matching keys, and its exact distance does not matter. One layer of width 64, ${steps} steps of 32 sequences of 32 tokens, ${count} recorded models. Chance is 17%.`,
      needs: [
        'induction: copy what came after the last occurrence',
        'drawers: name what was put in last',
      ],
      workshop: 'Train a model, and measure any method on it',
      lossAxis: 'training loss, nats',
      stepAxis: 'training step',
      accuracy: 'accuracy',
      accuracyOver: (axis: string) => `accuracy over ${axis}`,
      repeated: (task: string) =>
        task === 'repeats' ? 'accuracy where the text repeats' : 'accuracy',
      fresh: 'accuracy on fresh text',
      methodColumn: 'method',
      seedColumn: 'seed',
      oursRepeated: 'here, repeated',
      ours: 'here',
      oursFresh: 'here, fresh',
      publishedRepeated: 'Su, repeated',
      publishedFresh: 'Su, fresh',
      methods: 'Methods, measured and published',
      source:
        'Su: 100 M parameters, trained at 512, tested at 4,096 (kexue.fm 9706, 9708). ReRoPE there: w = 256. Ours: w = 16 = L₀/2.',
      pairAxis: 'pair i, fast to slow',
      ratioAxis: 'frequency, relative to training',
      methodLine: (name: string) => `${name}, s as set`,
      neighbors: 'one step, as trained',
      order: (factor: string) => `1/${factor}: longest distance`,
      windowAxis: 'ReRoPE window w',
      leakAxis: 'Leaky ReRoPE c, w = 16',
      limit: 'L₀',
      rule: 'fits from here',
      measured: 'Measured on this model',
      measuredFresh: 'On fresh text',
      seconds: 'Time to measure',
      missing: 'There is no such model: train one with the button above, and choose it.',
      describe: (both: readonly string[], pi: readonly string[], ntk: readonly string[]) =>
        `${both.length > 0 ? `Above 0.8 on both tasks: ${both.join(', ')}. ` : ''}PI has ${pi[0]} on induction and ${pi[1]} on the drawers, NTK-aware ${ntk[0]} and ${ntk[1]}.`,
    },
    zh: {
      title: '不训练，只扩展',
      question: '一个训练好的 RoPE 模型，不改权重，哪种扩展方法管用？',
      caption:
        '训练好的 RoPE 模型用各种方法扩展到远超训练长度时的正确率。实心点是所选的任务，由好到差排列，横线是各个种子的范围；空心点是另一个任务。虚线长，说明这种方法只适合一个任务。',
      repeats: (steps: string, count: string) =>
        `任务：一段 4 到 16 个符号不断重复，预测下一个符号。模型要找到当前符号上一次出现的地方，再看它后面那一个，这叫归纳（induction）。五条文本里有一条不重复，每个符号有一个偏爱的后继。模型两层，宽 64，训练 ${steps} 步，每步 32 条、每条 32 个符号；${count} 个预先训练的模型。随机猜测的正确率是 3%。`,
      drawers: (steps: string, count: string) =>
        `任务：说出最后放进抽屉的东西，与上面的比赛相同。模型只需在几个相符的键里偏向更近的，具体距离无关紧要。模型一层，宽 64，训练 ${steps} 步，每步 32 条、每条 32 个词元；${count} 个预先训练的模型。随机猜测的正确率是 17%。`,
      needs: ['归纳：抄出同一符号上次出现时后面跟的那个', '抽屉：答最后一次放进去的'],
      workshop: '训练一个模型，在它上面测量任何方法',
      lossAxis: '训练损失（nat）',
      stepAxis: '训练步数',
      accuracy: '正确率',
      accuracyOver: (axis: string) => `正确率，横轴是${axis}`,
      repeated: (task: string) => (task === 'repeats' ? '重复处的正确率' : '正确率'),
      fresh: '不重复文本上的正确率',
      methodColumn: '方法',
      seedColumn: '种子',
      oursRepeated: '本页，重复',
      ours: '本页',
      oursFresh: '本页，不重复',
      publishedRepeated: '苏剑林，重复',
      publishedFresh: '苏剑林，不重复',
      methods: '各方法：本页测得与已发表',
      source:
        '苏剑林：1 亿参数，训练长度 512，测试长度 4,096（kexue.fm 9706、9708），其中 ReRoPE 的 w = 256。本页 w = 16 = L₀/2。',
      pairAxis: '第 i 对，由快到慢',
      ratioAxis: '频率与训练时之比',
      methodLine: (name: string) => `${name}，s 取滑块的值`,
      neighbors: '一步与训练时相同',
      order: (factor: string) => `1/${factor}：最长距离不出界`,
      windowAxis: 'ReRoPE 的窗口 w',
      leakAxis: 'Leaky ReRoPE 的 c（w = 16）',
      limit: 'L₀',
      rule: '从这里起不出界',
      measured: '在此模型上测得',
      measuredFresh: '不重复的文本上',
      seconds: '测量用时',
      missing: '没有这样的模型：请用上面的按钮训练一个，再选它。',
      describe: (both: readonly string[], pi: readonly string[], ntk: readonly string[]) =>
        `${both.length > 0 ? `两个任务都在 0.8 以上的有 ${both.join('、')}。` : ''}PI 在归纳上是 ${pi[0]}，在抽屉上是 ${pi[1]}；NTK-aware 是 ${ntk[0]} 和 ${ntk[1]}。`,
    },
  },
};
