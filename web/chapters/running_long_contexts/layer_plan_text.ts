/** Words of the figure `layer-plan`. */
import { kindIn, stackWords } from '../../figures/layer_stack_text.ts';

export const words = {
  model: { en: 'Model', zh: '模型' },
  own: { en: 'my config.json', zh: '我的 config.json' },
  layer: { en: 'Layer', zh: '层' },
  config: { en: 'Text of a config.json', zh: 'config.json 的内容' },
  strings: {
    en: {
      title: 'The layers of a model',
      question: 'Do all layers of a model treat positions alike?',
      caption:
        'See: one bar per layer, the first at the bottom, as long as the context it sees. The color shows whether it rotates and with which base; dashes mark extended frequencies. Try: compare Llama 4 with Gemma 3. The first leaves positions out of its full layers, the second gives them a larger base. Or read your own config.json.',
      bring: 'Read another config.json',
      file: 'Drop a file here, or choose one:',
      empty: 'Paste the text of a config.json below, or drop the file there.',
      ...stackWords.en,
      kind: kindIn.en,
      layers: 'Layers',
      rotating: 'Layers that rotate',
      limited: 'Layers with a window or chunks',
      scaled: 'Layers with extended frequencies',
      source: (name: string) =>
        name.includes('/')
          ? `Keys from the config.json of ${name}.`
          : `Defaults of ${name} in transformers.`,
      account: (read: number, assumed: number) =>
        `How it was read: ${read} keys of the file, ${assumed} assumed`,
      read: 'In the file',
      assumed: 'Not in the file, assumed',
      contradicts: 'Contradictions',
      key: 'key',
      value: 'value',
      meaning: 'meaning',
      table: {
        columns: [
          'layer',
          'rotates',
          'base',
          'extended',
          'window',
          'chunk',
          'temperature',
          'per step of',
        ],
        yes: 'yes',
        no: 'no',
      },
      describe: (model: string, kinds: string[]) => `Layers of ${model}: ${kinds.join('; ')}.`,
    },
    zh: {
      title: '一个模型的各层',
      question: '一个模型的各层，处理位置的方式都一样吗？',
      caption:
        '看什么：每层一条，最下面是第一层，长短表示这层看多远，颜色表示是否旋转、用哪个底数，虚线表示频率经过扩展。试一试：比较 Llama 4 与 Gemma 3：前者的全注意力层不用位置，后者的全注意力层用更大的底数。也可以读入你自己的 config.json。',
      bring: '读另一个 config.json',
      file: '把文件拖到这里，或选择文件：',
      empty: '请把 config.json 的内容粘贴到下面，或把文件拖进去。',
      ...stackWords.zh,
      kind: kindIn.zh,
      layers: '层数',
      rotating: '旋转的层',
      limited: '有窗口或分块的层',
      scaled: '频率经过扩展的层',
      source: (name: string) =>
        name.includes('/') ? `取自 ${name} 的 config.json。` : `transformers 里 ${name} 的默认值。`,
      account: (read: number, assumed: number) =>
        `怎样读出来的：文件里 ${read} 项，假定 ${assumed} 项`,
      read: '文件里写的',
      assumed: '文件里没有、假定的',
      contradicts: '互相矛盾的',
      key: '键名',
      value: '值',
      meaning: '含义',
      table: {
        columns: ['层', '旋转', '底数', '扩展', '窗口', '分块', '温度', '每级位置数'],
        yes: '是',
        no: '否',
      },
      describe: (model: string, kinds: string[]) => `${model} 的各层：${kinds.join('；')}。`,
    },
  },
};
