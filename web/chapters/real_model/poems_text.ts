/** Words of the figure `poems-that-count`. */
import type { Try } from '../../figures/figure.ts';

const count = (number: number) => ({ en: String(number), zh: String(number) });

export const poemsWords = {
  scheme: { en: 'Position scheme', zh: '位置方案' },
  schemes: {
    rope: { en: 'RoPE', zh: 'RoPE' },
    sinusoidal: { en: 'sinusoidal', zh: '正弦编码' },
    alibi: { en: 'ALiBi', zh: 'ALiBi' },
    none: { en: 'none', zh: '无位置编码' },
  },
  sample: { en: 'Recorded poem', zh: '预先生成的诗' },
  samples: {
    1: count(1),
    2: count(2),
    3: count(3),
    4: count(4),
    5: count(5),
    6: count(6),
  },
  tries: [
    {
      label: { en: 'Follow ALiBi', zh: '看 ALiBi' },
      notice: {
        en: 'It slips at times, by one character, and counts on: 0.85 of lines 17 to 24 have five characters, with RoPE 0.56.',
        zh: '它偶尔错一个字，但接着照样数：第 17 到 24 句里，五字句占 0.85，RoPE 是 0.56。',
      },
      set: { scheme: 'alibi' },
    },
    {
      label: { en: 'Follow the sinusoid', zh: '看正弦编码' },
      notice: {
        en: 'It loses count at once: of lines 9 to 16, which no training poem had, only 0.44 have five characters, of lines 1 to 8 0.75.',
        zh: '它一出训练范围就数不准：第 1 到 8 句里五字句占 0.75，第 9 到 16 句里只占 0.44；训练时的诗都没有这些句。',
      },
      set: { scheme: 'sinusoidal' },
    },
    {
      label: { en: 'Read the first poem', zh: '读第一首' },
      notice: {
        en: 'RoPE counts for nine lines and then writes one of thirteen characters. ALiBi slips by one in lines 3 and 17, and counts on.',
        zh: 'RoPE 数对了九句，第十句写了十三个字；ALiBi 在第三句和第十七句各少一个字，接着照样数。',
      },
      set: { sample: '1' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Poems that count',
      question: 'Who still counts to five after the eighth line?',
      caption:
        'A poem by each of four models, a line a row, long ones cut. The last column has the mark of a line of five characters, or the length of another. Below: the share of lines of five. The button trains a model.',
      five: 'line of five characters',
      other: 'other line, with its length',
      limit: 'trained up to here',
      poem: (name: string, lengths: string) => `${name}: characters in each line: ${lengths}`,
      live: (name: string, step: number) => `${name}, trained here, after ${step} steps`,
      here: (name: string) => `${name}, trained here`,
      preparing: 'loading the poems',
      lineAxis: 'line, in groups of eight',
      fivesAxis: 'share of lines with five characters',
      known: 'Places right, rows 1–8',
      ninth: 'Places right, row 9',
      beyond: 'Places right, rows 9–16',
      schemeColumn: 'scheme',
      seedColumn: 'seed',
      row: (row: number) => `row ${row}`,
      fives: (first: number, last: number) => `Lines of five, ${first}–${last}`,
      counts: (name: string, known: string, far: string) =>
        `${name} does: ${far} of its lines 17 to 24 have five characters, of lines 1 to 8 ${known}.`,
      loses: (name: string, known: string, far: string, best: readonly string[]) =>
        `${best[0]}: ${best[1]} of its lines 17 to 24 still have five characters. ${name} falls from ${known} in lines 1 to 8 to ${far}.`,
    },
    zh: {
      title: '会数数的诗',
      question: '写到第八句以后，谁还能保持一句五个字？',
      caption:
        '四个模型各写一首诗，一句一行，太长的截短。五个字的句子，最后一格是标点；不是五个字的，那里写着字数。诗下面是五字句的比例。点击按钮可以在本机训练一个模型。',
      five: '五字句',
      other: '不是五个字，写出字数',
      limit: '训练只到这里',
      poem: (name: string, lengths: string) => `${name}：各句字数 ${lengths}`,
      live: (name: string, step: number) => `${name}，本机训练 ${step} 步之后`,
      here: (name: string) => `${name}，本机训练`,
      preparing: '正在载入诗',
      lineAxis: '句（八句一组）',
      fivesAxis: '五字句的比例',
      known: '标点正确率，第 1–8 行',
      ninth: '标点正确率，第 9 行',
      beyond: '标点正确率，第 9–16 行',
      schemeColumn: '方案',
      seedColumn: '种子',
      row: (row: number) => `第 ${row} 行`,
      fives: (first: number, last: number) => `五字句比例，第 ${first}–${last} 句`,
      counts: (name: string, known: string, far: string) =>
        `${name} 数得准：第 17 到 24 句里，五字句占 ${far}（第 1 到 8 句是 ${known}）。`,
      loses: (name: string, known: string, far: string, best: readonly string[]) =>
        `${best[0]} 数得准：第 17 到 24 句里，五字句仍占 ${best[1]}。${name} 则从第 1 到 8 句的 ${known} 降到 ${far}。`,
    },
  },
};
