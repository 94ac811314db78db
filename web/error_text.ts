/**
 * Errors of the package and of the worker, in the reader's language. Both write English; Chinese
 * readers get the same line in Chinese from a table.
 */
import type { Language } from './languages.ts';

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

/** A rule or a value that fills a line in is a line of its own, in `parts`. */
export const errors: Table = {
  // Configurations.
  'config must be JSON: {}': 'config 必须是合法的 JSON',
  'config names no position scheme: {} absent is not known, and it has none of {}':
    'config 没有说明用哪种位置方案：没有 {}，也没有 {} 中的任何一项',
  'config names no position scheme: {} is not known, and it has none of {}':
    'config 没有说明用哪种位置方案：不认识 {}，也没有 {} 中的任何一项',
  '{} gives no valid frequencies: {}': '{} 给不出有效的频率：{}',
  '{}: the rotated part of a head must have an even number of values, got {}, {} of {}':
    '{}：每头中参与旋转的维数必须是偶数，现在是 {}（{} × {}）',
  '{}: the rotated part of a head must have an even number of values, got {}':
    '{}：每头中参与旋转的维数必须是偶数，现在是 {}',
  '{} must be at least beta_slow, {}, got {}': '{} 不能小于 beta_slow（{}），现在是 {}',
  '{} must be greater than low_freq_factor, {}, got {}':
    '{} 必须大于 low_freq_factor（{}），现在是 {}',
  '{} must be at most the width of a head, {}, got {}': '{} 不能超过每头维数（{}），现在是 {}',
  '{} must have one divisor per pair, {}; got {}': '{} 必须给每一对一个除数（{} 个），现在有 {} 个',
  '{} must have one divisor per pair, {}; it is missing':
    '缺少 {}，它必须给每一对一个除数（{} 个）',
  '{} must exceed the {} rows before position 0, got {}':
    '{} 必须大于位置 0 之前的行数（{}），现在是 {}',
  '{} must have at most {} characters, got {}': '{} 不能超过 {} 个字符，现在有 {} 个',
  '{} must have at most {} entries, got {}': '{} 不能超过 {} 项，现在有 {} 项',
  '{} must have {} entries, got {}': '{} 必须有 {} 项，现在有 {} 项',
  // Tables and codes.
  '{} must be a row of the table, {} to {}, got {}': '{} 必须是表里的一行（{} 到 {}），现在是 {}',
  // The engine and the browser.
  'The engine was started again and stopped again: {}': '计算引擎重启之后又停了：{}',
  'the worker could not be loaded': '无法加载计算线程',
  'a reply could not be read': '读不出计算结果',
  'the picture is too large': '图片太大',
  // Any parameter.
  '{} is missing; it must be {}': '缺少 {}，它必须是{}',
  '{} must be at least {}, got {}': '{} 不能小于 {}，现在是 {}',
  '{} must be greater than {} and at most {}, got {}': '{} 必须大于 {} 且不超过 {}，现在是 {}',
  '{} must be {}, got {}': '{} 必须是{}，现在是 {}',
};

export const parts: Table = {
  'true or false': ' true 或 false',
  text: '文本',
  'an object': '对象',
  'a list of numbers': '数的列表',
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
};

const partInChinese = phrases(parts);
const inChinese = phrases(errors, (part) => partInChinese(part) ?? part);

/** A message of the package or the engine; what is not in the list stays as it was. */
export const errorIn = (language: Language, message: string): string =>
  language === 'zh' ? (inChinese(message) ?? message) : message;
