/** Words of the figure `rotary-decay`. */
export const words = {
  dim: { en: 'Head dimension', zh: '每头维度' },
  range: { en: 'Largest distance shown', zh: '显示的最大距离' },
  offset: { en: 'Distance to read off', zh: '读数处的距离' },
  vectors: { en: 'Query and key', zh: '查询和键' },
  random: { en: 'drawn at random', zh: '随机' },
  ones: { en: 'all ones', zh: '全 1' },
  seed: { en: 'Which draw', zh: '第几次抽取' },
  strings: {
    en: {
      title: 'Decay with distance, and its bound',
      question: 'Must a rotated score fade as the words move apart?',
      caption:
        'See: above, the mean length of the partial sums, which times a factor of the words alone bounds the score. It falls with distance, but not steadily. Below, one score and its bound, on a logarithmic axis. Try: draw other vectors, then use all ones: now the score itself falls. Raise the base: the upper curve falls later.',
      offsetAxis: 'distance Δ = m − n',
      meanAxis: 'mean of |S|',
      sizeAxis: 'size of the score',
      yours: (base: string) => `base ${base}`,
      usual: (base: string) => `base ${base}, for comparison`,
      bound: 'bound',
      magnitude: '|Σ g e|, the size of the complex sum',
      score: '|score|',
      scoreColumn: 'score',
      mean: (offset: number) => `Mean of |S| at Δ = ${offset}`,
      climbs: (range: number) => `Steps up to Δ = ${range} on which it climbs`,
      scoreAt: (offset: number) => `Score at Δ = ${offset}`,
      boundAt: (offset: number) => `Its bound at Δ = ${offset}`,
      closest: (range: number) =>
        `Largest share of the bound that |Σ g e| reaches up to Δ = ${range}`,
      describe: (first: string, range: number, last: string) =>
        `No: below a bound, whose mean goes from ${first} at distance 0 to ${last} at ${range} with ups and downs, it may rise again.`,
    },
    zh: {
      title: '随距离衰减及其上界',
      question: '两个词越离越远，旋转之后的分数一定会变小吗？',
      caption:
        '看什么：上图是部分和的平均长度，乘上只取决于词的因子，就是分数的上界：随距离下降，但不是一路下降。下图是一对查询和键的分数和它的上界，纵轴是对数。试一试：换几组向量，再换成全 1，这时分数本身也下降。调大底数：上面的曲线掉得更晚。',
      offsetAxis: '距离 Δ = m − n',
      meanAxis: '|S| 的平均值',
      sizeAxis: '分数的大小',
      yours: (base: string) => `底数 ${base}`,
      usual: (base: string) => `底数 ${base}（对照）`,
      bound: '上界',
      magnitude: '|Σ g e|：复数和的模',
      score: '|分数|',
      scoreColumn: '分数',
      mean: (offset: number) => `Δ = ${offset} 处 |S| 的平均值`,
      climbs: (range: number) => `到 Δ = ${range} 为止回升的步数`,
      scoreAt: (offset: number) => `Δ = ${offset} 处的分数`,
      boundAt: (offset: number) => `Δ = ${offset} 处的上界`,
      closest: (range: number) => `到 Δ = ${range} 为止，|Σ g e| 最多占上界的比例`,
      describe: (first: string, range: number, last: string) =>
        `不一定：上界里的平均值从距离 0 处的 ${first} 起伏着变到距离 ${range} 处的 ${last}，分数在上界之下可以回升。`,
    },
  },
};
