/** Words of the figure `learned-table`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  rows: { en: 'Table rows (max_len)', zh: '表的行数（max_len）' },
  dim: { en: 'Width', zh: '维数' },
  length: { en: 'Tokens of the text', zh: '文本的词元数' },
  tries: [
    {
      label: { en: 'Write 20 tokens', zh: '写 20 个词元' },
      notice: {
        en: 'Positions 16 to 19 have no row. The red line is the error of the library, ropewalk: it returns nothing rather than a wrong vector.',
        zh: '位置 16 到 19 没有对应的行。红字是计算库 ropewalk 的报错：宁可什么都不给，也不给错的向量。',
      },
      set: { length: 20 },
    },
    {
      label: { en: 'Lengthen the table to 64 rows', zh: '把表加长到 64 行' },
      notice: {
        en: 'Now there is room for 64 tokens. But the table has 4,096 numbers to learn instead of 1,024, and this text trains only the first 12 rows.',
        zh: '现在放得下 64 个词元，但要学的数从 1,024 个变成 4,096 个，而这段文本只训练前 12 行。',
      },
      set: { rows: 64 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'A learned table and its end',
      question: 'How long a text does a learned table hold?',
      caption:
        'Each row is the vector of one position, a set of numbers that training changes; here they are the random initial ones. The bracket shows how many rows the text uses. The table ends at its last row.',
      rowAxis: 'position t',
      columnAxis: 'column j',
      legend: 'entry',
      none: (from: number, to: number) =>
        from === to ? `position ${from}: no row` : `positions ${from} to ${to}: no row`,
      given: 'Rows that the text uses',
      missing: 'Tokens without a row',
      parameters: 'Numbers to learn, rows × width',
      sinusoid: 'Rows the sinusoid has for the same text',
      says: 'Error of the package: ',
      describe: (rows: number, length: number, missing: number) =>
        missing === 0
          ? `One of up to ${rows} tokens: each of the ${length} tokens here has a row of its own.`
          : `Not this one: ${missing} of its ${length} tokens lie beyond the last of the ${rows} rows.`,
    },
    zh: {
      title: '可学习的位置表和它的最后一行',
      question: '可学习的位置表装得下多长的文本？',
      caption:
        '每一行是一个位置的向量，里面的数由训练得到，图中是随机的初始值。右边的括号是这段文本用到的行；表到最后一行为止。',
      rowAxis: '位置 t',
      columnAxis: '列 j',
      legend: '数值',
      none: (from: number, to: number) =>
        from === to ? `位置 ${from}：没有行` : `位置 ${from} 到 ${to}：没有行`,
      given: '文本用到的行数',
      missing: '没有行的词元数',
      parameters: '要学的数：行数 × 维数',
      sinusoid: '同样的文本，正弦编码有多少行',
      says: 'ropewalk 报错：',
      describe: (rows: number, length: number, missing: number) =>
        missing === 0
          ? `最多 ${rows} 个词元：这里的 ${length} 个词元各有一行。`
          : `装不下这一段：${length} 个词元里有 ${missing} 个超出了表的 ${rows} 行。`,
    },
  },
};
