/** Words of the figure `same-word`. */
export const words = {
  distance: { en: 'Distance of the copy', zh: '同一个词的距离' },
  scheme: { en: 'Position scheme', zh: '位置编码' },
  sinusoidal: { en: 'sinusoid', zh: '正弦' },
  rope: { en: 'RoPE', zh: 'RoPE' },
  alibi: { en: 'ALiBi', zh: 'ALiBi' },
  seed: { en: 'Seed of the weights', zh: '权重的种子' },
  word: { en: 'dog', zh: '狗' },
  strings: {
    en: {
      title: 'The same word, near and far',
      question: 'Does attention depend on how far away a word is?',
      caption:
        'See: the score of a word with its own copy against the distance between them. Without position the score is the same at every distance: the dashed line is flat. Try: drag the distance, then choose another scheme. The weights are random: another seed changes the solid curve, but the dashed line stays flat with every seed.',
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
        `Over all distances the score of a word with its copy changes by ${without} without position, and by ${withPosition} with it.`,
    },
    zh: {
      title: '同一个词，近处与远处',
      question: '一个词离得远近，会影响注意力吗？',
      caption:
        '看什么：一个词与另一处的同一个词之间的分数，横轴是两者的距离。没有位置信息时，不管隔多远，分数都相同：虚线是平的。试一试：拖动距离，再换一种编码。权重是随机的：换个种子，实线会变，虚线始终是平的。',
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
        `同一个词在远近不同的两处，没有位置信息时分数相差 ${without}，有位置信息时相差 ${withPosition}。`,
    },
  },
};
