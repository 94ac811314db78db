/** Words of the figure `learned-table`. */
export const tableText = {
  en: {
    title: 'A learned table and its end',
    question: 'What does a learned table say about a position it never had?',
    caption:
      'Each row is a vector that training is free to move; what you see is the random start. Where the text is longer than the table, its last tokens have no row, and the lookup refuses the whole request; the sentence in red is the package’s own. Shorten the text to the length of the table and every token gets its row. Lengthen the table and the price goes up: rows × width numbers to be learned, each from the texts that were long enough to reach it.',
  },
  zh: {
    title: '可训练的位置表和它的尽头',
    question: '一个从没有过的位置，学出来的表能说什么？',
    caption:
      '每一行是一个可以随训练移动的向量，图中是随机的初始值。文本比表长，末尾的词元就没有对应的行，整次查表都被拒绝；红字是软件包自己的话。把文本缩到和表一样长，每个词元就都有行了。也可以把表加长，代价是要学的数（行数 × 维数）更多，而且每一行只能从够得着它的长文本里学。',
  },
};

export const words = {
  rows: { en: 'Rows of the table (max_len)', zh: '表的行数（max_len）' },
  dim: { en: 'Width', zh: '维数' },
  length: { en: 'Tokens of the text', zh: '文本的词元数' },
  strings: {
    en: {
      rowAxis: 'position t',
      columnAxis: 'column j',
      legend: 'entry',
      none: (from: number, to: number) =>
        from === to ? `position ${from}: no row` : `positions ${from} to ${to}: no row`,
      given: 'Rows given to the text',
      missing: 'Tokens without a row',
      parameters: 'Numbers to learn, rows × width',
      sinusoid: 'Rows the sinusoid has for the same text',
      says: 'The package says: ',
      describe: (rows: number, length: number, missing: number) =>
        `A learned table of ${rows} rows, asked for ${length} positions; ${missing} of them have no row.`,
    },
    zh: {
      rowAxis: '位置 t',
      columnAxis: '列 j',
      legend: '数值',
      none: (from: number, to: number) =>
        from === to ? `位置 ${from}：没有行` : `位置 ${from} 到 ${to}：没有行`,
      given: '文本得到的行数',
      missing: '没有行的词元数',
      parameters: '要学的数：行数 × 维数',
      sinusoid: '同样的文本，正弦编码有多少行',
      says: '软件包说：',
      describe: (rows: number, length: number, missing: number) =>
        `一张 ${rows} 行的可训练位置表，被查询 ${length} 个位置，其中 ${missing} 个没有行。`,
    },
  },
};
