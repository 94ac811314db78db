/** Words about a model and its configuration, and of the panel in which the reader names one. */
import type { PositionScheme } from 'ropewalk/config';
import { errorIn, type ErrorText } from './error_text.ts';
import type { Language } from './languages.ts';
import { fieldsOf } from './model.ts';

const count = (value: number) => value.toLocaleString('en');

export const words = {
  en: {
    choose: 'Follow a model',
    none: 'none: each figure’s values',
    own: 'your config.json',
    bring: 'Bring your own config.json',
    hint: 'Paste it here, choose the file, or drop it anywhere on this page. It stays in your browser.',
    file: 'File',
    text: 'Text of a config.json',
    fault: (reason: string | ErrorText) =>
      `This config was not used: ${errorIn('en', reason)}. Everything stays as it was.`,
    tooLarge: 'the file is larger than 8 MB, and no config.json is',
    unknown: (name: string) => `The link names a model “${name}”, which is not in the list.`,
    source: (source: string) => `From the config.json published as ${source}.`,
    account: (read: number, assumed: number, contradicts: number) =>
      `The account: ${read} read, ${assumed} assumed, ${contradicts} contradicting`,
    read: 'Read',
    assumed: 'Assumed',
    contradicts: 'Contradicts',
    key: 'Key',
    value: 'Value',
    meaning: 'What it means here',
    rotary: (dim: number, headDim: number, base: number) =>
      `It rotates: ${dim} of ${count(headDim)} values per head, base ${count(base)}`,
    layouts: { interleaved: 'neighbors are pairs', 'half-split': 'pairs are half a width apart' },
    plain: 'no extension',
    extended: (type: string, factor: number | undefined) =>
      `extended by ${type}${factor === undefined ? '' : `, ${factor} times`}`,
    upTo: (length: number) => `up to ${count(length)} positions`,
    other: {
      t5: 'It adds T5’s bias, learned per bucket of distance',
      alibi: 'It adds ALiBi’s straight slopes to the scores',
      learned: 'It adds a learned vector per position at the input',
      sinusoidal: 'It adds the sinusoid at the input',
      deberta: 'It has DeBERTa’s terms of content and position',
      'transformer-xl': 'It has Transformer-XL’s relative terms',
      'relative-key': 'It adds a learned vector per distance to the keys',
      'relative-key-query': 'It adds learned vectors per distance to keys and queries',
      none: 'It has no position encoding',
    },
  },
  zh: {
    choose: '跟随一个模型',
    none: '不跟随：各图用自己的数',
    own: '你的 config.json',
    bring: '用你自己的 config.json',
    hint: '粘贴到这里、选择文件，或把文件拖到页面任意位置。内容只留在你的浏览器里。',
    file: '文件',
    text: 'config.json 的文本',
    fault: (reason: string | ErrorText) =>
      `没有采用这份配置：${errorIn('zh', reason)}。一切保持原样。`,
    tooLarge: '文件超过 8 MB，config.json 不会这么大',
    unknown: (name: string) => `链接里的模型“${name}”不在列表中。`,
    source: (source: string) => `取自随 ${source} 发布的 config.json。`,
    account: (read: number, assumed: number, contradicts: number) =>
      `解读过程：读到 ${read} 项，推定 ${assumed} 项，矛盾 ${contradicts} 项`,
    read: '读到',
    assumed: '推定',
    contradicts: '矛盾',
    key: '键',
    value: '值',
    meaning: '在这里的含义',
    rotary: (dim: number, headDim: number, base: number) =>
      `旋转位置编码：每个头的 ${count(headDim)} 个值里转 ${dim} 个，底数 ${count(base)}`,
    layouts: { interleaved: '相邻两个成对', 'half-split': '相隔半宽的两个成对' },
    plain: '没有扩展',
    extended: (type: string, factor: number | undefined) =>
      `用 ${type} 扩展${factor === undefined ? '' : `，${factor} 倍`}`,
    upTo: (length: number) => `最长 ${count(length)} 个位置`,
    other: {
      t5: '给分数加上 T5 的偏置，每个距离桶学一个值',
      alibi: '给分数加上 ALiBi 的线性偏置',
      learned: '在输入处加上可学习的位置向量',
      sinusoidal: '在输入处加上正弦编码',
      deberta: '用 DeBERTa 的内容与位置交叉项',
      'transformer-xl': '用 Transformer-XL 的相对位置项',
      'relative-key': '按距离给键加上可学习的向量',
      'relative-key-query': '按距离给键和查询加上可学习的向量',
      none: '没有得到任何位置信息',
    },
  },
} satisfies Record<Language, unknown>;

/** The positions of a model in one sentence. */
export function modelSentence(language: Language, scheme: PositionScheme): string {
  const strings = words[language];
  const { dim, base, factor, length, scaling } = fieldsOf(scheme);
  const parts =
    scheme.type === 'rotary'
      ? [
          strings.rotary(dim!, scheme.headDim, base!),
          strings.layouts[scheme.layout],
          scaling === 'none' ? strings.plain : strings.extended(scaling!, factor),
        ]
      : [strings.other[scheme.type]];
  if (length) parts.push(strings.upTo(length));
  return language === 'zh' ? `${parts.join('，')}。` : `${parts.join(', ')}.`;
}
