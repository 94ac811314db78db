/**
 * Errors of the package and of the worker, in the reader's language. Both write English; Chinese
 * readers get the same line in Chinese from a table.
 */
import type { ErrorText } from './worker/error_parts.ts';
import type { Language } from './languages.ts';

export { errorTextOf, type ErrorText } from './worker/error_parts.ts';

/** English to Chinese: `{}` stands for a name or number that the line fills in. */
type Table = Readonly<Record<string, string>>;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The Chinese of a line, by the first English one that fits; undefined for a line that the table
 * does not have. What fills it in goes through `fill`.
 */
export function phrases(table: Table, fill = (part: string): string => part) {
  const patterns = Object.entries(table).map(([english, chinese]) => {
    const parts = english.split('{}').map(escaped);
    return { pattern: new RegExp(`^${parts.join('(.+?)')}$`, 's'), chinese };
  });
  return (line: string): string | undefined => {
    for (const { pattern, chinese } of patterns) {
      const found = pattern.exec(line);
      if (!found) continue;
      let filled = 0;
      return chinese.replaceAll('{}', () => fill(found[++filled]!));
    }
    return undefined;
  };
}

/** Whole lines, of the engine and the browser. */
export const errors: Table = {
  'The engine was started again and stopped again: {}': '计算引擎重启之后又停了：{}',
  'the worker could not be loaded': '无法加载计算线程',
  'a reply could not be read': '读不出计算结果',
  'the picture is too large': '图片太大',
};

/** What a parameter must be; the line goes on with the value. */
export const rules: Table = {
  'names no position scheme: {} "absent" is not known, and it has none of {}':
    '没有说明用哪种位置方案：没有 {}，也没有 {} 中的任何一项',
  'names no position scheme: {} is not known, and it has none of {}':
    '没有说明用哪种位置方案：不认识 {}，也没有 {} 中的任何一项',
  'gives no valid frequencies: {}': '给不出有效的频率：{}',
  'must have an even number of values': '每头中参与旋转的维数必须是偶数',
  'is missing; it must be {}': '没有给出，它必须是{}',
  'must be JSON: {}': '必须是合法的 JSON',
  'must not be that of GIT, which does not rotate: Grok-2 has it, and is not described here':
    '不能是 GIT 的类型，GIT 不旋转：Grok-2 写的正是它，而这里没有描述 Grok-2',
  'must have one divisor per pair, {}; it is missing': '没有给出，它必须给每一对一个除数（{} 个）',
  'must have one divisor per pair, {}; got {}': '必须给每一对一个除数（{} 个），现在有 {} 个',
  'must be a row of the table, {} to {}': '必须是表里的一行（{} 到 {}）',
  'must exceed the {} rows before position 0': '必须大于位置 0 之前的行数（{}）',
  'must be at least beta_slow, {}': '不能小于 beta_slow（{}）',
  'must be at least low_freq_factor, {}': '不能小于 low_freq_factor（{}）',
  'must be a model of text: positions of an image have two dimensions':
    '必须是文本模型：图像的位置是二维的',
  'must be a model of text whose positions are one scheme that is described here':
    '必须是文本模型，并且只用一种这里能描述的位置方案',
  "must be 'encoder' or 'decoder': those of {} have positions of their own, {} ({}) and {} ({})":
    "必须是 'encoder' 或 'decoder'：{} 的编码器和解码器各有自己的位置，{}（{}）和 {}（{}）",
  'must be at most the width of a head, {}': '不能超过每头维度（{}）',
  'must have at most {} characters': '不能超过 {} 个字符',
  'must have at most {} entries': '不能超过 {} 项',
  'must have {} entries': '必须有 {} 项',
  'must be at least {}': '不能小于 {}',
  'must be greater than {} and at most {}': '必须大于 {} 且不超过 {}',
  'must be {}': '必须是{}',
};

/** What fills in a rule or stands for a value. */
export const parts: Table = {
  'true or false': ' true 或 false',
  text: '文本',
  'an object': '对象',
  'a list of numbers': '数的列表',
  'a name': '名字',
  'a list of {} names': ' {} 个名字的列表',
  'a number or L…LG': '数，或 L…LG 这样的文本',
  'a list of {}': '长度为 {} 的列表',
  'a JSON object or its text': ' JSON 对象或它的文本',
  'one of {}': '这些之一：{}',
  'a number greater than {} and at most {}': '大于 {} 且不超过 {} 的数',
  'a number at least {} and at most {}': '不小于 {} 且不超过 {} 的数',
  'a number greater than {}': '大于 {} 的数',
  'a whole number at least {} and at most {}': '不小于 {} 且不超过 {} 的整数',
  'a whole number from {} to {}': ' {} 到 {} 之间的整数',
  '{}, {} of {}': '{}（{} × {}）',
};

const partInChinese = phrases(parts);
const filled = (part: string) => partInChinese(part) ?? part;
const inChinese = phrases(errors, filled);
const ruleInChinese = phrases(rules, filled);

function parameterInChinese({ message, parameter, rule = '' }: ErrorText): string | undefined {
  const chinese = ruleInChinese(rule);
  if (chinese === undefined) return undefined;
  const [, got] = message.slice(message.indexOf(rule) + rule.length).split(/^, got /);
  return `${parameter} ${chinese}${got === undefined ? '' : `，现在是 ${filled(got)}`}`;
}

/** A message of the package or the engine; what is not in the list stays as it was. */
export function errorIn(language: Language, given: string | ErrorText): string {
  const error = typeof given === 'string' ? { message: given } : given;
  if (language !== 'zh') return error.message;
  return inChinese(error.message) ?? parameterInChinese(error) ?? error.message;
}
