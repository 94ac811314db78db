/** Words of the figure `learned-table`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  rows: { en: 'Table rows (max_len)', zh: '表的行数（max_len）' },
  dim: { en: 'Width', zh: '维数' },
  length: { en: 'Tokens of the text', zh: '文本的词元数' },
  tries: [
    {
      label: { en: 'Write 12 tokens', zh: '改成 12 个词元' },
      notice: {
        en: 'Each of the 12 tokens has a row. This text does not train the last four rows, which it does not use.',
        zh: '12 个词元各有一行。最后四行没有用到，这段文本也就训练不到它们。',
      },
      set: { length: 12 },
    },
    {
      label: { en: 'Lengthen the table to 64 rows', zh: '把表加长到 64 行' },
      notice: {
        en: 'Now there is room for 64 tokens. But the table has 4,096 numbers to learn instead of 1,024, and this text trains only the first 20 rows.',
        zh: '现在放得下 64 个词元，但要学的数从 1,024 个变成 4,096 个，而这段文本只训练前 20 行。',
      },
      set: { rows: 64 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'A learned table and its end',
      question: 'How long a text does a learned table hold?',
      caption:
        'Each row is the vector of a position, at first random, then changed by training. The bracket is the text, the dashed frame its tokens beyond the last row. The library, ropewalk, gives an error rather than a wrong vector.',
      rowAxis: 'position t',
      columnAxis: 'column j',
      legend: 'entry',
      none: (from: number, to: number) =>
        from === to ? `position ${from}: no row` : `positions ${from} to ${to}: no row`,
      given: 'Rows that the text uses',
      missing: 'Tokens without a row',
      parameters: 'Numbers to learn, rows × width',
      sinusoid: 'Rows the sinusoid has for the same text',
      says: 'ropewalk says: ',
      describe: (rows: number, length: number, missing: number) =>
        missing === 0
          ? `Up to ${rows} tokens, one for each row: this text has ${length}, and each has a row of its own.`
          : `Up to ${rows} tokens, one for each row: this text has ${length}, so ${missing} of them get no position at all.`,
    },
    zh: {
      title: '可学习的位置表和它的最后一行',
      question: '可学习的位置表装得下多长的文本？',
      caption:
        '每一行是一个位置的向量，里面的数由训练得到，图中是随机的初始值。右边的括号是整段文本，虚线框里的词元在表外，没有行。计算库 ropewalk 遇到它们会报错，不会给出错误的向量。',
      rowAxis: '位置 t',
      columnAxis: '列 j',
      legend: '数值',
      none: (from: number, to: number) =>
        from === to ? `位置 ${from}：表里没有` : `位置 ${from} 到 ${to}：表里没有`,
      given: '文本用到的行数',
      missing: '没有行的词元数',
      parameters: '要学的数：行数 × 维数',
      sinusoid: '同样的文本，正弦编码有多少行',
      says: 'ropewalk 报错：',
      describe: (rows: number, length: number, missing: number) =>
        missing === 0
          ? `最多 ${rows} 个词元，一行一个：这里的 ${length} 个词元各有一行。`
          : `最多 ${rows} 个词元，一行一个：这段文本有 ${length} 个，其中 ${missing} 个没有位置可用。`,
    },
  },
};
