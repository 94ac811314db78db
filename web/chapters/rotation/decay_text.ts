/** Words of the figure `rotary-decay`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  dim: { en: 'Head dimension', zh: '每头维度' },
  range: { en: 'Largest distance shown', zh: '显示的最大距离' },
  offset: { en: 'Distance to read off', zh: '读数处的距离' },
  vectors: { en: 'Query and key', zh: '查询和键' },
  random: { en: 'drawn at random', zh: '随机' },
  ones: { en: 'all ones', zh: '全 1' },
  seed: { en: 'Which draw', zh: '第几次抽取' },
  tries: [
    {
      label: { en: 'Make all pairs agree', zh: '让所有维度对同向' },
      notice: {
        en: 'With a query and a key of ones all pairs start at their largest part. Now the score falls, though in waves: the fast pairs turn away first.',
        zh: '查询和键全取 1，每个维度对都从最大的贡献开始。这时分数确实下降，但带着起伏：高频对最先转开。',
      },
      set: { vectors: 'ones', base: 10000 },
    },
    {
      label: { en: 'Raise the base, all pairs agreeing', zh: '全部同向，再调大底数' },
      notice: {
        en: 'A larger base slows the pairs down, so the score falls later and less.',
        zh: '底数越大，各对转得越慢，分数掉得越晚、越少。',
      },
      set: { vectors: 'ones', base: 1000000 },
    },
    {
      label: { en: 'Draw another query and key', zh: '换一组查询和键' },
      notice: {
        en: 'Another curve, and it does not fade either: the parts of random pairs cancel at every distance.',
        zh: '曲线变了，还是不衰减：随机的各个维度对在任何距离都互相抵消。',
      },
      set: { seed: 2 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'Decay with distance, and its bound',
      question: 'Must a rotated score fade as the words move apart?',
      caption:
        'The score of one query and one key against the distance between them. Rings mark distance 0 and the highest score. What falls is only an upper bound, which is among the values.',
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
      meanLabel: (first: string, range: number, last: string) =>
        `The mean of |S|: ${first} at distance 0, ${last} at ${range}, with ups and downs.`,
      boundLabel: 'The size of the score, far below its bound at every distance.',
      rises: (first: string, most: string, at: number) =>
        `No: from ${first} at distance 0, this score rises to ${most} at distance ${at}.`,
      falls: (first: string, range: number, climbs: number) =>
        `Not at every step: it is highest at distance 0, ${first}, but rises on ${climbs} of the ${range} steps after it.`,
    },
    zh: {
      title: '随距离衰减及其上界',
      question: '两个词离得越远，旋转后的分数就一定越小吗？',
      caption:
        '一个查询与一个键的分数随距离的变化，圆圈标出距离 0 处和最高点。总体下降的只是分数的上界，它在“数值与文件”里。',
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
      meanLabel: (first: string, range: number, last: string) =>
        `|S| 的平均值：距离 0 处是 ${first}，起伏着变到距离 ${range} 处的 ${last}。`,
      boundLabel: '分数的大小：在任何距离都远低于上界。',
      rises: (first: string, most: string, at: number) =>
        `不一定：这个分数在距离 0 处是 ${first}，到距离 ${at} 处反而升到 ${most}。`,
      falls: (first: string, range: number, climbs: number) =>
        `并非步步变小：距离 0 处最高，是 ${first}，但之后 ${range} 步里有 ${climbs} 步在上升。`,
    },
  },
};
