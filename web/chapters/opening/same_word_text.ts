/** Words of the figure `same-word`. */
export const sameWordText = {
  en: {
    title: 'The same word, near and far',
    question: 'Does attention care how far away a word is?',
    caption:
      'One word asks, a copy of it answers from further and further back. Without position the score is one number at every distance: the dashed line is flat. Slide the distance and compare; choose another scheme and see what each makes of the same words. The weights are random, and another seed bends the solid curve differently, but no seed bends the dashed one.',
  },
  zh: {
    title: '同一个词，近处与远处',
    question: '一个词离得多远，注意力在乎吗？',
    caption:
      '一个词发问，它的副本在越来越远的地方应答。没有位置信息时，不管隔多远，分数都是同一个数：虚线是平的。拖动距离比一比；再换一种编码，看它怎样对待同样的词。权重是随机的，换个种子，实线会换一种弯法，而没有哪个种子能让虚线弯一点。',
  },
};

export const words = {
  distance: { en: 'Distance of the copy', zh: '副本的距离' },
  scheme: { en: 'Position told by', zh: '位置编码' },
  sinusoidal: { en: 'sinusoid', zh: '正弦' },
  rope: { en: 'RoPE', zh: 'RoPE' },
  alibi: { en: 'ALiBi', zh: 'ALiBi' },
  seed: { en: 'Seed of the weights', zh: '权重的种子' },
  word: { en: 'dog', zh: '狗' },
  strings: {
    en: {
      distance: 'places back, m − n',
      score: 'score',
      with: 'with position',
      without: 'without position',
      here: (distance: number, name: string) => `Score ${distance} places back, ${name}`,
      spread: {
        without: 'Highest − lowest score, without position',
        with: 'Highest − lowest score, with position',
      },
      describe: (without: string, withPosition: string) =>
        `Score of a word with its own copy against their distance. It varies by ${without} without position and by ${withPosition} with it.`,
    },
    zh: {
      distance: '向前隔多少个位置，m − n',
      score: '分数',
      with: '有位置信息',
      without: '没有位置信息',
      here: (distance: number, name: string) => `相隔 ${distance} 个位置的分数，${name}`,
      spread: {
        without: '最高分 − 最低分：没有位置信息',
        with: '最高分 − 最低分：有位置信息',
      },
      describe: (without: string, withPosition: string) =>
        `词与自己的副本的分数随距离的变化。没有位置信息时相差 ${without}，有位置信息时相差 ${withPosition}。`,
    },
  },
};
