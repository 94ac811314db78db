/** What the package's account says of each key of a config.json, for Chinese readers. */
import { phrases } from './error_text.ts';

/** English to Chinese, for `phrases`. */
export const meanings: Readonly<Record<string, string>> = {
  // What a key means.
  'which architecture': '哪种结构',
  heads: '头数',
  'width of the model': '模型宽度',
  'width of a head': '每头维数',
  'how many positions there are': '共有多少个位置',
  'how many positions training saw': '训练见过多少个位置',
  'how many positions the table is made for': '表为多少个位置而做',
  'longest length': '最大长度',
  'base of the frequencies': '频率的底数',
  'base of the frequencies in sliding layers': '滑动窗口层的频率底数',
  'share of a head that turns': '每头中参与旋转的比例',
  'how many values of a head turn': '每头中参与旋转的维数',
  'how many do not': '不参与旋转的维数',
  'which extension': '用哪种扩展方法',
  'which extension, older spelling': '用哪种扩展方法（旧写法）',
  'which scheme of position': '用哪种位置方案',
  'how many times further to reach': '要扩到原来的多少倍',
  'divides every frequency': '每个频率都除以它',
  'base · alpha^(d/(d−2)), whatever the length': '底数 · alpha^(d/(d−2))，与长度无关',
  "exponent of Su's mixed form": '苏剑林混合形式的指数',
  'the base follows the length, in powers of two': '底数随长度变化，按 2 的幂取整',
  'temperature: multiplies cos and sin': '温度：乘在 cos 和 sin 上',
  'temperature, numerator': '温度的分子',
  'temperature, denominator, and on the softmax scale': '温度的分母，也乘在 softmax 的缩放上',
  'are the ends of the ramp whole pairs?': '过渡段的两端是否取整到某一对？',
  'turns from which a pair is kept': '转够多少圈的对保持不变',
  'turns up to which a pair is interpolated': '转不满多少圈的对做内插',
  'one divisor per pair, up to the trained length': '每对一个除数，用于训练长度以内',
  'one divisor per pair, beyond it': '每对一个除数，用于训练长度以外',
  'pairs that follow time, height and width': '分别跟随时间、高、宽的对数',
  'are the sections interleaved?': '各段是否交错排列？',
  '1: positions; 0: none in that layer': '1：该层有位置；0：该层没有',
  "strength of Llama 4's temperature": 'Llama 4 温度的强度',
  'positions per step of it': '温度每升一级隔多少个位置',
  'interleaved pairs in, half-split order out': '输入按相邻配对，输出按前后半配对',
  'one bias per bucket and head': '每个桶、每个头一个偏置',
  'from here on one bucket': '从这个距离起归入同一个桶',
  'slopes are 2^(−this · h/H)': '斜率是 2^(−此数 · h/H)',
  'ALiBi on?': '是否用 ALiBi？',
  'furthest distance told apart, or −1': '能区分的最远距离，或 −1',
  'log buckets on either side, or −1': '每一侧的对数桶数，或 −1',
  'terms of the score besides content': '分数中除内容以外的项',
  'are positions also added at the input?': '输入处是否也加位置？',
  // What was assumed.
  'not given: default': '未给出：取 default',
  'not given: {} / {}': '未给出：取 {} / {}',
  'not given: 10000, as in the paper and as transformers assumes':
    '未给出：取 10000，与论文和 transformers 一致',
  'not given: 32, as T5 has': '未给出：取 32，与 T5 一致',
  'not given: 128, which older files leave out': '未给出：取 128，旧文件常省略它',
  'not given: ALiBi, as MPT has': '未给出：按 MPT 的做法用 ALiBi',
  'not given: the longest length stands in': '未给出：用最大长度代替',
  'not given: what this model type does': '未给出：按这类模型的惯例',
  'no length asked for: the short list': '没有指定长度：用短的那组',
  'no rope_scaling or rope_parameters: nothing is extended':
    '没有 rope_scaling 或 rope_parameters：不做扩展',
  'sliding layers have a base of their own and no extension': '滑动窗口层有自己的底数，不做扩展',
  'one rope serves every kind of layer': '各类层共用一套旋转',
  'every kind of layer has its own settings ({}); these are for {}':
    '各类层各有设置（{}）；这里用的是 {}',
  'unknown model type: pairs (i, i + dim/2), as nearly all of transformers has them':
    '不认识的模型类型：按 (i, i + dim/2) 配对，transformers 里几乎都这样',
  'this model type leaves {} rows before position 0': '这类模型在位置 0 之前留 {} 行',
  // What contradicts.
  '{} is there too, and wins, as in transformers 5':
    '同时还有 {}，以它为准，与 transformers 5 一致',
  '{} says {}, and wins': '{} 写的是 {}，以它为准',
  '{} heads do not divide it; transformers drops the remainder: {}':
    '不能被 {} 个头整除；transformers 舍去余数，得 {}',
  'over {} it is {} times, but factor says {}, and wins':
    '与 {} 之比是 {} 倍，而 factor 写的是 {}，以 factor 为准',
  'dynamic counts from max_position_embeddings, {}, in transformers':
    '在 transformers 里，dynamic 从 max_position_embeddings（{}）算起',
  'attention_factor {} wins over mscale and mscale_all_dim':
    '以 attention_factor {} 为准，不看 mscale 和 mscale_all_dim',
  'has no effect on cos and sin unless the other one stands beside it':
    '另一个不在时，它对 cos 和 sin 不起作用',
  'transformers looks for it one level up only, and would truncate here':
    'transformers 只在上一层找它，在这里会取整',
  'has no effect with rope_type {}': '在 rope_type 为 {} 时不起作用',
};

/** The Chinese of one line of the account; undefined for a line that this list does not have. */
export const inChinese = phrases(meanings);
