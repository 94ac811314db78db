/** Lines of a diagnosis in the reader's language; the package writes English. */
import type { Hypothesis } from 'ropewalk/diagnose';
import { phrases } from '../error_text.ts';
import type { Language } from '../languages.ts';
import { faultsInChinese } from './faults_in_chinese.ts';

const axes: Record<string, string> = {
  batch: '批',
  head: '头',
  row: '行',
  position: '位置',
  pair: '维度对',
  channel: '维',
  query: '查询',
  key: '键',
  value: '第几个数',
};

/** What an index counts. */
export const axisIn = (language: Language, name: string): string =>
  language === 'zh' ? (axes[name] ?? name) : name;

const ofData = phrases({
  '{}: inverse frequencies {}': '{}：频率 {}',
  '{}: cosines and sines {}': '{}：cos 和 sin {}',
  '{}: cosines {}': '{}：cos {}',
  '{}: sines {}': '{}：sin {}',
  '{}: queries before rotation {}': '{}：旋转前的查询 {}',
  '{}: keys before rotation {}': '{}：旋转前的键 {}',
  '{}: queries after rotation {}': '{}：旋转后的查询 {}',
  '{}: keys after rotation {}': '{}：旋转后的键 {}',
  '{}: unrotated part of the queries {}': '{}：查询中不旋转的部分 {}',
  '{}: unrotated part of the keys {}': '{}：键中不旋转的部分 {}',
  '{}: positions {}': '{}：位置 {}',
  '{}: attention mask {}': '{}：注意力掩码 {}',
  '{}: scores before the softmax {}': '{}：softmax 之前的分数 {}',
  '{}: attention weights {}': '{}：注意力权重 {}',
  '{}: bias on the scores {}': '{}：加在分数上的偏置 {}',
  '{}: ALiBi slopes {}': '{}：ALiBi 斜率 {}',
  '{}: T5 table of biases {}': '{}：T5 的偏置表 {}',
  '{}: output of the attention {}': '{}：注意力的输出 {}',
  '{}: output before it is rotated back {}': '{}：转回之前的输出 {}',
  '{}: attention sinks {}': '{}：注意力汇（attention sink） {}',
  '{}: weights of the queries {}': '{}：查询的权重矩阵 {}',
  '{}: weights of the keys {}': '{}：键的权重矩阵 {}',
});

const ofConfig = phrases({
  'RoPE on {} of {} channels': 'RoPE 旋转 {} 维（每头 {} 维）',
  'half-split pairs': '前后半配对',
  'interleaved pairs': '相邻配对',
  'half-split pairs in llama.cpp': '前后半配对（llama.cpp）',
  'interleaved pairs in llama.cpp': '相邻配对（llama.cpp）',
  'base {}': '底数 {}',
  'scaling {} ({})': '扩展方法 {}（{}）',
  'attention factor {} on cos and sin': 'cos 和 sin 乘注意力因子 {}',
  'softmax scale times {}': 'softmax 的缩放乘 {}',
  'sections {}': '分段 {}',
  'no rotation in this layer': '这一层不旋转',
  '{} heads': '{} 个头',
  'published slopes': '作者发布的斜率',
  'T5 buckets': 'T5 的桶',
  causal: '因果',
  bidirectional: '双向',
  'no softmax scale': '没有 softmax 的缩放',
  'position scheme {}': '位置方案 {}',
  'scores divided by √d or not (both readings are accepted)':
    '分数除以 √d 或不除（两种读法都接受）',
  'scores divided by √d (as the data are; the code of the model does not divide them: both readings are accepted)':
    '分数除以 √d（数据如此；模型的代码不除，两种读法都接受）',
  'scores not divided by √d (as the data are; both readings are accepted)':
    '分数不除以 √d（数据如此；两种读法都接受）',
});

const assumed = 'no config; assumed: ';

const ofArrays = phrases({
  'scores with q and k before rotation': '分数，连同旋转前的 q 和 k',
  'attn_weights, with fewer queries than keys': '查询比键少时的注意力权重',
  'q before and after rotation': '旋转前后的 q',
  'q before and after rotation, beside a reference': '旋转前后的 q，以及参考实现的 q',
  'q before and after rotation for an image': '输入图像时旋转前后的 q',
  'q, or q_proj.weight, of a correct program as reference':
    '参考实现的 q 或 q_proj.weight，作为 reference',
});

/** What an array is: "q: queries before rotation [1, 2, 8, 16]". */
export const dataIn = (language: Language, line: string): string =>
  language === 'zh' ? (ofData(line) ?? line) : line;

/** What the configuration says: parts with commas between them, but for those in brackets. */
export function configIn(language: Language, line: string): string {
  if (language !== 'zh') return line;
  const isAssumed = line.startsWith(assumed);
  const parts = line.slice(isAssumed ? assumed.length : 0).split(/, (?![^(]*\))/);
  const text = parts.map((part) => ofConfig(part) ?? part).join('，');
  return isAssumed ? `没有 config，假定：${text}` : text;
}

/** The array that would decide. */
export const arrayIn = (language: Language, line: string): string =>
  language === 'zh' ? (ofArrays(line) ?? line) : line;

/** What a hypothesis says of the data, and what to change. */
export function explanationIn(language: Language, hypothesis: Hypothesis) {
  const { faults, parameters, says, fix } = hypothesis;
  if (language !== 'zh') return { says, fix };
  const { unseen } = parameters;
  const further = unseen ? faultsInChinese['weights_permuted_twice']!.says(parameters) : '';
  if (faults.length === 0) return { says: `数据与 config 一致。${further}`, fix: '' };
  const texts = faults.map((id) => faultsInChinese[id]!);
  return {
    says: texts.map((text) => text.says(parameters)).join(''),
    fix: texts.map((text) => text.fix).join(''),
  };
}
