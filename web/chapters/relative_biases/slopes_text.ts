/** Words of the figure `alibi-slopes`. */
export const words = {
  heads: { en: 'Heads', zh: '头数' },
  convention: { en: 'Convention', zh: '约定' },
  published: { en: 'published', zh: '原作' },
  sorted: { en: 'sorted', zh: '排序' },
  naive: { en: 'naive', zh: '直接套公式' },
  head: { en: 'Head', zh: '第几个头' },
  keys: { en: 'Length of the text', zh: '文本长度' },
  strings: {
    en: {
      title: 'ALiBi’s slopes and windows',
      question: 'How far back does each head of ALiBi see?',
      caption:
        'See: above, the slope of each head on a logarithmic axis. Below, the weights of the last word on earlier ones when all words are alike; the dashed line marks 1/e. Try: compare the conventions at 12 heads: published is unordered, sorted is in order, naive uses one formula. At 8 or 16 heads all agree.',
      headAxis: 'head',
      slopeAxis: 'slope',
      others: (names: string) => `${names}, for comparison`,
      chosen: (head: number) => `head ${head}`,
      keyAxis: 'distance m − n, nearest right',
      legend: 'weight, nearest = 1',
      mapLabel: (heads: number, keys: number) =>
        `Weights of the last of ${keys} words, one row for each of ${heads} heads: each fades to the left at its own pace.`,
      slope: (head: number) => `Slope of head ${head}`,
      window: (head: number) => `Distance at which head ${head} has fallen to 1/e`,
      nearest: 'Its weight on the nearest key',
      holding: 'Nearest keys that hold 95% of its weight',
      cell: (head: number, distance: number) => `Weight of head ${head} at distance ${distance}`,
      widest: 'Widest window of all heads',
      describe: (heads: number, nearest: string, farthest: string) =>
        `The penalty reaches 1 after ${nearest} tokens in the steepest of ${heads} heads and after ${farthest} in the flattest.`,
      columns: ['head', 'published', 'sorted', 'naive', '1 / slope', 'keys holding 95%'],
    },
    zh: {
      title: 'ALiBi 的斜率与感受野',
      question: 'ALiBi 的每个头能往回看多远？',
      caption:
        '看什么：上图是每个头的斜率，纵轴是对数。下图是所有词都一样时，最后一个词给前面各词的权重；虚线是权重降到 1/e 的地方。试一试：头数是 12 时比较几种约定：“原作”不按大小排，“排序”按大小排，“直接套公式”只用 2 的幂时的那个公式。头数是 8 或 16 时，三者一致。',
      headAxis: '头',
      slopeAxis: '斜率',
      others: (names: string) => `${names}（对照）`,
      chosen: (head: number) => `第 ${head} 个头`,
      keyAxis: '距离 m − n，最近的在右边',
      legend: '权重（最近的键 = 1）',
      mapLabel: (heads: number, keys: number) =>
        `${keys} 个词里最后一个词的权重，${heads} 个头每头一行，越往左越淡，快慢各不相同。`,
      slope: (head: number) => `第 ${head} 个头的斜率`,
      window: (head: number) => `第 ${head} 个头降到 1/e 的距离`,
      nearest: '它给最近的键的权重',
      holding: '占它 95% 权重的最近几个键',
      cell: (head: number, distance: number) => `第 ${head} 个头在距离 ${distance} 处的权重`,
      widest: '所有头里最宽的感受野',
      describe: (heads: number, nearest: string, farthest: string) =>
        `${heads} 个头里，斜率最陡的往回 ${nearest} 个词元，分数就减去 1；最缓的要往回 ${farthest} 个。`,
      columns: ['头', '原作', '排序', '直接套公式', '1 / 斜率', '占 95% 权重的键数'],
    },
  },
};
