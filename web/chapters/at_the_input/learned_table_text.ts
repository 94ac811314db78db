/** Words of the figure `learned-table`. */
export const words = {
  rows: { en: 'Rows of the table (max_len)', zh: '表的行数（max_len）' },
  dim: { en: 'Width', zh: '维数' },
  length: { en: 'Tokens of the text', zh: '文本的词元数' },
  strings: {
    en: {
      title: 'A learned table and its end',
      question: 'What does a learned table return for a position beyond its end?',
      caption:
        'See: each row is a vector that training changes, shown with its random initial values. The red line is the error of the package: the last tokens have no row. Try: shorten the text until every token has a row. Then lengthen the table: the number of parameters grows with rows × width.',
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
          ? `Each of the ${length} positions has a row of its own; the table ends at ${rows - 1}.`
          : `Nothing: ${missing} of ${length} positions lie beyond the last of the ${rows} rows.`,
    },
    zh: {
      title: '可学习的位置表和它的最后一行',
      question: '位置超出最后一行，可学习的表会给出什么？',
      caption:
        '看什么：每一行是一个可训练的向量，图中是随机的初始值。红字是计算库 ropewalk 的报错：末尾的词元没有对应的行。试一试：把文本缩短，直到每个词元都有行。再把表加长：参数的个数按行数 × 维数增加。',
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
          ? `${length} 个位置各有一行；表到 ${rows - 1} 为止。`
          : `什么也给不出：${length} 个位置里有 ${missing} 个超出了表的 ${rows} 行。`,
    },
  },
};
