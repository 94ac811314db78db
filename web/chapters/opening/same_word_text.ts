/** Words of the figure `same-word`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  distance: { en: 'Distance of the copy', zh: '同一个词的距离' },
  scheme: { en: 'Position scheme', zh: '位置编码' },
  sinusoidal: { en: 'sinusoid', zh: '正弦编码' },
  rope: { en: 'RoPE', zh: 'RoPE' },
  alibi: { en: 'ALiBi', zh: 'ALiBi' },
  seed: { en: 'Seed of the weights', zh: '参数的随机种子' },
  word: { en: 'dog', zh: '狗' },
  tries: [
    {
      label: { en: 'Take the copy 60 places away', zh: '移到 60 个位置以外' },
      notice: {
        en: 'The thick line has the same score here as next to the word: without position, attention cannot tell near from far.',
        zh: '粗线在这里的分数与紧挨着时一样：没有位置信息，注意力分不清远近。',
      },
      set: { distance: 60 },
    },
    {
      label: { en: 'Change to ALiBi', zh: '换成 ALiBi' },
      notice: {
        en: 'ALiBi takes the same amount off the score for each place of distance, so the purple line falls evenly to the left.',
        zh: '距离每增加一个位置，ALiBi 就从分数里减去同样多，所以紫线向左匀速下降。',
      },
      set: { scheme: 'alibi' },
    },
    {
      label: { en: 'Draw other weights', zh: '换一组参数' },
      notice: {
        en: 'Other random weights give another curve with position. The thick line has another height, but it is as flat.',
        zh: '参数换了一组，紫线变了样；粗线高度变了，却照样是平的。',
      },
      set: { seed: 7 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'The same word, near and far',
      question: 'Does attention depend on how far away a word is?',
      caption:
        'Blue is a word, orange an earlier copy of it; drag the copy. The thick line is the score of the two without position: it is the same at every place. The purple curve is the score with position.',
      distance: 'places back, m − n',
      place: 'place of the copy, from the word',
      copy: 'copy of the word',
      score: 'score',
      with: 'with position',
      without: 'without position',
      here: (distance: number, name: string) => `Score ${distance} places back, ${name}`,
      spread: {
        without: 'Highest − lowest score, without position',
        with: 'Highest − lowest score, with position',
      },
      describe: (without: string, low: string, high: string) =>
        `Without position, no: the score is ${without} at every distance. With position it is between ${low} and ${high}.`,
    },
    zh: {
      title: '同一个词隔得远近',
      question: '同一个词，离得远还是近，注意力分数会变吗？',
      caption:
        '蓝色是当前的词，橙色是前文里的同一个词，可以拖动。粗线是没有位置信息时两者的分数：放在哪里都一样。紫线是有位置信息时的分数。',
      distance: '向前隔多少个位置，m − n',
      place: '同一个词的位置（当前词为 0）',
      copy: '前面的同一个词',
      score: '分数',
      with: '有位置信息',
      without: '没有位置信息',
      here: (distance: number, name: string) => `相隔 ${distance} 个位置的分数，${name}`,
      spread: {
        without: '最高分 − 最低分：没有位置信息',
        with: '最高分 − 最低分：有位置信息',
      },
      describe: (without: string, low: string, high: string) =>
        `没有位置信息时不变：不管多远，分数都是 ${without}。有位置信息时，分数在 ${low} 与 ${high} 之间变化。`,
    },
  },
};
