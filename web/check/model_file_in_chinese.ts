/** The verdict on a model file for Chinese readers; the package writes English. */
import type { Correction, FileSetting, ModelFileVerdict } from 'ropewalk/diagnose';
import { phrases } from '../error_text.ts';
import type { Language } from '../languages.ts';
import { faultsInChinese } from './faults_in_chinese.ts';

const ofSays = phrases({
  'The full layers have the base of the sliding ones, {}; the config says {}.':
    '全局层用了滑动窗口层的底数 {}，config 要的是 {}。',
  'The base is {}; the config says {}.': '底数是 {}，config 要的是 {}。',
  'The sliding layers have the base {}; the config says {}.':
    '滑动窗口层的底数是 {}，config 要的是 {}。',
  '{} channels of a head rotate; the config says {}.': '每头旋转 {} 维，config 要的是 {} 维。',
  'The attention factor is {}; the config says {}.': '注意力因子是 {}，config 要的是 {}。',
  'The conversion lost the scaling: the config has one, the file has none.':
    '转换时丢了扩展方法：config 里有，文件里没有。',
  'The scaling factor is {}; the config says {}.': '扩展倍数是 {}，config 要的是 {}。',
  'The original length is {}; the config says {}.': '训练长度是 {}，config 要的是 {}。',
  'Frequencies are divided by the factor of each pair twice.': '每个维度对的频率除了两次因子。',
  'Frequencies are divided by the factor of each pair twice, and the attention factor is squared.':
    '每个维度对的频率除了两次因子，注意力因子也平方了。',
  'Beside the factors of the pairs, all positions are divided by {}.':
    '除了各维度对的因子，所有位置还除以 {}。',
  'The scaling is {}; the config says {}.': '扩展方法是 {}，config 要的是 {}。',
  'The list for long texts is that for short ones.': '长文本的列表其实是短文本的。',
  'The file has no sections; the config says {}. A loader refuses it, or all pairs follow one axis.':
    '文件里没有分段，config 要的是 {}。程序会拒绝加载，或者让所有维度对都用同一个位置。',
  'The sections are {}; the config says {}.': '分段是 {}，config 要的是 {}。',
  'Rows of {} are {}; this architecture pairs {}, so they must be {}.':
    '{} 的行{}；这种架构按{}配对，所以应当{}。',
  '{} has {} rows; the heads of the config need {}.': '{} 有 {} 行，config 的头需要 {} 行。',
  '{} of {} is {}; the model pairs {}.': '{}（{}）是 {}，模型按{}配对。',
  'rotary_embedding_dim of {} is {}; the config rotates {} channels.':
    '{} 的 rotary_embedding_dim 是 {}，config 旋转 {} 维。',
});

const words: readonly (readonly [string, string])[] = [
  ['reordered into adjacent pairs twice', '重排成相邻配对两次'],
  ['reordered into adjacent pairs', '重排成相邻配对'],
  ['reordered from adjacent pairs into halves', '从相邻配对重排成前后半'],
  ['in the order of the checkpoint', '保持 checkpoint 的顺序'],
  ['neighbors', '相邻'],
  ['halves', '前后半'],
  [' and ', ' 和 '],
];

const ofCorrection = phrases({
  'Convert again with a converter that writes {}: no flag replaces a tensor.':
    '用会写入 {} 的转换脚本重新转换：没有参数能代替张量。',
  'Convert again: {}; no flag sets a list.': '重新转换：{}；没有参数能设置列表。',
  'Convert again with the reorder of attn_q and attn_k for adjacent pairs.':
    '重新转换，把 attn_q 和 attn_k 的行重排成相邻配对。',
  'Convert again without the further reorder of attn_q and attn_k.':
    '重新转换，attn_q 和 attn_k 的行不要再重排。',
  'Use the config.json of this checkpoint: {} are heads times head_dim.':
    '使用这个 checkpoint 自己的 config.json：{} 是头数乘 head_dim。',
  'Set {} to {}.': '把 {} 设为 {}。',
});

const ofData = phrases({
  'GGUF version {}, architecture {}, {} keys, {} tensors':
    'GGUF 第 {} 版，架构 {}，{} 个键，{} 个张量',
  'llama.cpp pairs channels 2i and 2i + 1': 'llama.cpp 按相邻两维（2i 和 2i + 1）配对',
  'llama.cpp pairs channels i and i + half': 'llama.cpp 按前后半（i 和 i + 一半）配对',
  'llama.cpp does not rotate this architecture': 'llama.cpp 不旋转这种架构',
  'the architecture is not in the table: its keys are read with the usual defaults':
    '表里没有这种架构：按通常的默认值读它的键',
  '{} has type {}: rows are compared in {}': '{} 的类型是 {}：只比较 {} 的行',
  '{} has shape {}, the reference {}': '{} 的形状是 {}，参考是 {}',
  'the weights of a model, not arrays of a run': '模型的权重，不是运行时的数组',
  '{} of {} safetensors files, {} tensors': '{} / {} 个 safetensors 文件，{} 个张量',
  'not given: {}': '缺少：{}',
  '{} rotary nodes, {} constants': '{} 个旋转节点，{} 个常量',
});

const names: Record<string, string> = {
  base: '底数',
  'rotated channels': '旋转的维数',
  scaling: '扩展方法',
  'attention factor': '注意力因子',
  sections: '分段',
  'lists of LongRoPE': 'LongRoPE 的列表',
  layout: '配对方式',
  frequencies: '频率',
  inv_freq: 'inv_freq',
};

const ofName = phrases({
  'order of rows of {}': '{} 的行序',
  'rows of {}': '{} 的行数',
});

const fates: Record<FileSetting['fate'], string> = {
  kept: '保留',
  lost: '丢失',
  changed: '改变',
  'only-file': '文件里',
};

const furthers: Record<string, string> = {
  'q_proj and k_proj of the checkpoint, for the order of their rows':
    'checkpoint 的 q_proj 和 k_proj，用来判断行序',
};

const ofFurther = phrases({
  'inv_freq or q and k of the running model: these files hold no frequencies':
    '运行时的 inv_freq，或者 q 和 k：这些文件里没有频率',
  'inv_freq or cos and sin of the running model: no constant of the graph has them':
    '运行时的 inv_freq，或者 cos 和 sin：图里没有这样的常量',
});

const inWords = (text: string) =>
  words.reduce((line, [english, chinese]) => line.replaceAll(english, chinese), text);

/** The sentences of a hypothesis: its own, and those of faults that arrays show. */
function saysInChinese({ hypotheses: [first] }: ModelFileVerdict): string {
  if (!first || first.faults.length === 0) return '';
  const sentences = first.says.split(/(?<=\.) (?!A loader)/);
  const known = sentences.flatMap((sentence) => {
    const text = ofSays(sentence);
    return text === undefined ? [] : [inWords(text)];
  });
  const others = first.faults
    .slice(0, first.faults.length - known.length)
    .map((id) => faultsInChinese[id]?.says(first.parameters) ?? '');
  return [...others, ...known].join('');
}

/** What corrects the file: lines about keys and flags, and those about arrays by fault. */
function correctionsInChinese({ hypotheses: [first], corrections }: ModelFileVerdict) {
  const ofFaults = first?.faults.map((id) => faultsInChinese[id]?.fix ?? '').join('');
  return corrections.map(({ text, flags }): Correction =>
    flags ? { text, flags } : { text: ofCorrection(text) ?? ofFaults ?? text },
  );
}

/** The parts of a verdict in the reader's language. */
export function modelFileIn(language: Language, verdict: ModelFileVerdict) {
  const { data, settings, corrections, further, hypotheses } = verdict;
  if (language !== 'zh') {
    const plain = settings.map((setting) => ({ ...setting, outcome: setting.fate as string }));
    return { data, settings: plain, corrections, further, says: hypotheses[0]?.says ?? '' };
  }
  return {
    data: data.map((line) => ofData(line) ?? line),
    settings: settings.map((setting) => ({
      ...setting,
      name: names[setting.name] ?? ofName(setting.name) ?? setting.name,
      outcome: fates[setting.fate],
    })),
    corrections: correctionsInChinese(verdict),
    further: further && (furthers[further] ?? ofFurther(further) ?? further),
    says: saysInChinese(verdict),
  };
}

const ofSetting = phrases({
  none: '没有',
  'divisors per pair': '每个维度对的除数',
  'as in the checkpoint': '与 checkpoint 相同',
  'adjacent pairs': '相邻配对',
  'adjacent pairs, reordered twice': '重排成相邻配对两次',
  'halves, from adjacent pairs': '从相邻配对重排成前后半',
  'none that is known: is the reference its checkpoint?': '认不出来：参考是它的 checkpoint 吗？',
  'the frequencies of the config': '与 config 一致的频率',
  'half-split': '前后半配对',
  interleaved: '相邻配对',
  '{}, or {} with a gate': '{}，带门控时 {}',
  'these without their scaling, as older checkpoints have them':
    '没有扩展的频率，旧的 checkpoint 就是这样存的',
  'those of the config': '与 config 一致',
  others: '不一致',
  'as wide as the caches': '与缓存同宽',
  '{}, softmax scale × {}': '{}，softmax 的缩放乘 {}',
  'no {}: {} by default': '没有 {}，默认 {}',
  'no {}: the width of a head': '没有 {}，取每头维度',
  'no {}: by the scaling type': '没有 {}，由扩展方法决定',
  'no {}, no {}': '没有 {}，也没有 {}',
  'no {}': '没有 {}',
});

/** The value of a setting, or its place in the file. */
export const settingIn = (language: Language, text: string): string =>
  language === 'zh' ? (ofSetting(text) ?? text) : text;
