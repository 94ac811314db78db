/** Words of the figure `poems-that-count`. */
import type { Try } from '../../figures/figure.ts';

const count = (number: number) => ({ en: String(number), zh: String(number) });

export const poemsWords = {
  scheme: { en: 'Position scheme', zh: '位置方案' },
  schemes: {
    rope: { en: 'RoPE', zh: 'RoPE' },
    sinusoidal: { en: 'sinusoidal', zh: '正弦' },
    alibi: { en: 'ALiBi', zh: 'ALiBi' },
    none: { en: 'none', zh: '不用位置' },
  },
  sample: { en: 'Recorded poem', zh: '录制的诗' },
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
        en: 'It slips early, by one character, and counts on: 0.85 of lines 17 to 24 have five characters, with RoPE 0.56.',
        zh: '它早早就错一个字，但接着照样数：第 17 到 24 句里，五字句占 0.85，RoPE 是 0.56。',
      },
      set: { scheme: 'alibi' },
    },
    {
      label: { en: 'Follow the sinusoid', zh: '看正弦编码' },
      notice: {
        en: 'Its curve drops at row 9, the first that no training poem had: 0.60, less than without any mark.',
        zh: '它的曲线在第 9 行骤降到 0.60，还不如一个标点也不写；训练时的诗都没有这一行。',
      },
      set: { scheme: 'sinusoidal' },
    },
    {
      label: { en: 'Read the fourth poem', zh: '读第四首' },
      notice: {
        en: 'RoPE counts for eleven lines and then writes one of twelve characters. ALiBi slips by one in line 14, and counts on.',
        zh: 'RoPE 数对了十一句，第十二句写了十二个字；ALiBi 到第十四句才错一个字，接着照样数。',
      },
      set: { sample: '4' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Poems that count',
      question: 'Who still counts to five after the eighth line?',
      caption:
        'Poems by four models in rows of six places, for five characters and a punctuation mark. A model that counts keeps the marks in one column. Below: characters in each line. The button trains a model here.',
      inColumn: 'mark at the end of a row',
      stray: 'mark elsewhere',
      column: 'none at the end of a row',
      limit: 'trained up to here',
      lines: (first: number, last: number) => `lines ${first}–${last}`,
      poem: (name: string, lengths: string) => `${name}: characters in each line: ${lengths}`,
      live: (name: string, step: number) => `${name}, trained here, after ${step} steps`,
      here: (name: string) => `${name}, trained here`,
      preparing: 'loading the poems',
      rowAxis: 'row',
      rightAxis: 'share of places right: mark or none',
      never: 'never a mark',
      known: 'Places right, rows 1–8',
      ninth: 'Places right, row 9',
      beyond: 'Places right, rows 9–16',
      schemeColumn: 'scheme',
      seedColumn: 'seed',
      row: (row: number) => `row ${row}`,
      fives: (first: number, last: number) => `Lines of five, ${first}–${last}`,
      describe: (name: string, known: string, beyond: string, far: string) =>
        `${name}: a share of ${known} of the places is right in rows 1 to 8, as in training, and ${beyond} in rows 9 to 16; of lines 17 to 24, ${far} have five characters.`,
    },
    zh: {
      title: '会数数的诗',
      question: '写过第八句，谁还数得清五个字？',
      caption:
        '四个模型各写一首五言诗，每行排六格，五个字加一个标点。字数没数错，标点就都落在最后一列。诗下面是每一句的字数。按按钮可以在本机训练一个模型。',
      inColumn: '标点在行末',
      stray: '标点错位',
      column: '行末缺标点',
      limit: '训练只到这里',
      lines: (first: number, last: number) => `第 ${first}–${last} 句`,
      poem: (name: string, lengths: string) => `${name}：各句字数 ${lengths}`,
      live: (name: string, step: number) => `${name}，本机训练 ${step} 步之后`,
      here: (name: string) => `${name}，本机训练`,
      preparing: '正在载入诗',
      rowAxis: '行',
      rightAxis: '位置正确率（标点有无）',
      never: '从不写标点',
      known: '位置正确率，第 1–8 行',
      ninth: '位置正确率，第 9 行',
      beyond: '位置正确率，第 9–16 行',
      schemeColumn: '方案',
      seedColumn: '种子',
      row: (row: number) => `第 ${row} 行`,
      fives: (first: number, last: number) => `五字句比例，第 ${first}–${last} 句`,
      describe: (name: string, known: string, beyond: string, far: string) =>
        `${name}：标点位置的正确率，训练过的第 1 到 8 行是 ${known}，第 9 到 16 行是 ${beyond}；第 17 到 24 句里，五字句占 ${far}。`,
    },
  },
};
