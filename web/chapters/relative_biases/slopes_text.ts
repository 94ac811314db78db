/** Words of the figure `alibi-slopes`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  heads: { en: 'Heads', zh: '头数' },
  convention: { en: 'Convention', zh: '约定' },
  published: { en: 'published', zh: '原论文' },
  sorted: { en: 'sorted', zh: '排序' },
  naive: { en: 'naive', zh: '直接套公式' },
  head: { en: 'Head', zh: '第几个头' },
  keys: { en: 'Length of the text', zh: '文本长度' },
  tries: [
    {
      label: { en: 'Take 12 heads', zh: '改成 12 个头' },
      notice: {
        en: 'Twelve is no power of two. The published rule keeps the slopes for 8 heads and adds four from the row for 16, so the slopes are out of order. Other conventions are gray.',
        zh: '12 不是 2 的幂。原论文保留 8 个头的斜率，再从 16 个头的斜率里取四个补在后面，所以大小次序乱了。灰色是别的约定。',
      },
      set: { heads: 12, convention: 'published' },
    },
    {
      label: { en: 'Sort the 12 slopes', zh: '给 12 个斜率排序' },
      notice: {
        en: 'The same slopes in order, as some code has them: every head gets another slope, so weights trained in one convention do not fit the other.',
        zh: '同样的斜率按大小排好，有的代码就这样写：每个头的斜率都变了，按一种约定训练的权重不能用另一种。',
      },
      set: { heads: 12, convention: 'sorted' },
    },
    {
      label: { en: 'Shorten the text to 64', zh: '文本缩短到 64 个词元' },
      notice: {
        en: 'The windows are as wide as before, up to 256 places, so those of the last three heads reach the start of the text or go beyond it.',
        zh: '感受野还是那么宽，最多 256 个位置，所以最后三个头的感受野到了文本开头，甚至更远。',
      },
      set: { keys: 64 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'ALiBi’s slopes and windows',
      question: 'How far back does each head of ALiBi see?',
      caption:
        'Above, the weights of the last word on the earlier ones when all words are alike, a row for each head; at the line the weight has fallen to 1/e. Below, the slope of each head, on a logarithmic axis.',
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
        `As far as its slope allows: of ${heads} heads, the steepest has faded to 1/e after ${nearest} tokens, the flattest after ${farthest}.`,
      columns: ['head', 'published', 'sorted', 'naive', '1 / slope', 'keys holding 95%'],
    },
    zh: {
      title: 'ALiBi 的斜率与感受野',
      question: 'ALiBi 的每个头能往回看多远？',
      caption:
        '上图是所有词元都一样时，最后一个词元给前面各个词元的权重，一个头一行；竖线是权重降到 1/e 的地方。下图是每个头的斜率，纵轴是对数。',
      headAxis: '头',
      slopeAxis: '斜率',
      others: (names: string) => `${names}（对照）`,
      chosen: (head: number) => `第 ${head} 个头`,
      keyAxis: '距离 m − n，最近的在右边',
      legend: '权重（最近的键 = 1）',
      mapLabel: (heads: number, keys: number) =>
        `${keys} 个词元里最后一个的权重，${heads} 个头每头一行，越往左越淡，快慢各不相同。`,
      slope: (head: number) => `第 ${head} 个头的斜率`,
      window: (head: number) => `第 ${head} 个头降到 1/e 的距离`,
      nearest: '它给最近的键的权重',
      holding: '占它 95% 权重的最近几个键',
      cell: (head: number, distance: number) => `第 ${head} 个头在距离 ${distance} 处的权重`,
      widest: '所有头里最宽的感受野',
      describe: (heads: number, nearest: string, farthest: string) =>
        `由斜率决定：${heads} 个头里，最陡的往回 ${nearest} 个词元，权重就降到 1/e；最缓的要往回 ${farthest} 个。`,
      columns: ['头', '原论文', '排序', '直接套公式', '1 / 斜率', '占 95% 权重的键数'],
    },
  },
};
