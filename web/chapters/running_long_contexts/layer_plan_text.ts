/** Words of the figure `layer-plan`. */
import type { Try } from '../../figures/figure.ts';
import { kindIn, stackWords } from '../../figures/layer_stack_text.ts';

type Kind = readonly [count: number, kind: string];

export const words = {
  model: { en: 'Model', zh: '模型' },
  own: { en: 'my config.json', zh: '我的 config.json' },
  layer: { en: 'Layer', zh: '层' },
  config: { en: 'Text of a config.json', zh: 'config.json 的内容' },
  tries: [
    {
      label: { en: 'Choose Gemma 3', zh: '选 Gemma 3' },
      notice: {
        en: 'Five of six layers see a window of 1,024 and have the base 10,000. The sixth sees everything and still rotates, with base 1,000,000; in Llama 4 it would not.',
        zh: '六层里有五层只看 1,024 的窗口，底数 10,000。第六层看到全部，仍然旋转，底数 1,000,000；Llama 4 的这种层不旋转。',
      },
      set: { model: 'gemma-3-27b' },
    },
    {
      label: { en: 'Choose SmolLM3', zh: '选 SmolLM3' },
      notice: {
        en: 'All bars are equally long: every layer sees everything. But every fourth does not rotate.',
        zh: '各条一样长：每层都看到全部。但每四层有一层不旋转。',
      },
      set: { model: 'smollm3-3b' },
    },
    {
      label: { en: 'Choose Qwen3.5', zh: '选 Qwen3.5' },
      notice: {
        en: 'Three of four layers are linear attention, which does not rotate. Every fourth sees everything and rotates.',
        zh: '四层里有三层是线性注意力，不旋转；第四层看到全部，并且旋转。',
      },
      set: { model: 'qwen3-5-27b' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'The layers of a model',
      question: 'Do all layers of a model treat positions alike?',
      caption:
        'One bar per layer, the first at the bottom, as long as the context it sees. The color shows whether it rotates and with which base; dashes mark extended frequencies. “Read another config.json” shows your own model.',
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
      describe: (model: string, kinds: readonly Kind[], every?: number) =>
        kinds.length === 1
          ? `Yes: all ${kinds[0]![0]} layers of ${model} have ${kinds[0]![1]}.`
          : every
            ? `No: in ${model} one layer in ${every}, ${kinds[1]![0]} in all, is different: ${kinds[1]![1]}.`
            : `No, ${model} has ${kinds.length} kinds: ${kinds.map(([count, kind]) => `${count} × ${kind}`).join('; ')}.`,
    },
    zh: {
      title: '一个模型的各层',
      question: '一个模型的各层，处理位置的方式都一样吗？',
      caption:
        '每层一条，最下面是第一层，长短表示这层看多远，颜色表示是否旋转、用哪个底数，虚线表示频率经过扩展。“读另一个 config.json”可以换成你自己的模型。',
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
      account: (read: number, assumed: number) => `依据：${read} 项取自文件，${assumed} 项为默认值`,
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
      describe: (model: string, kinds: readonly Kind[], every?: number) =>
        kinds.length === 1
          ? `一样：${model} 的 ${kinds[0]![0]} 层都是“${kinds[0]![1]}”。`
          : every
            ? `不一样：${model} 每 ${every} 层有一层（共 ${kinds[1]![0]} 层）与众不同：${kinds[1]![1]}。`
            : `不一样：${model} 有 ${kinds.map(([count, kind]) => `${count} 层“${kind}”`).join('、')}。`,
    },
  },
};
