/** Words of the figure `t5-buckets`. */
import type { Try } from '../../figures/figure.ts';

export const words = {
  direction: { en: 'Direction', zh: '方向' },
  causal: { en: 'causal', zh: '因果' },
  bidirectional: { en: 'bidirectional', zh: '双向' },
  buckets: { en: 'Buckets', zh: '桶数' },
  maxDistance: { en: 'Max distance', zh: '最大距离' },
  bucket: { en: 'Bucket', zh: '选中的桶' },
  scalar: { en: 'Its number', zh: '它的数' },
  query: { en: 'Query position', zh: '查询位置' },
  tries: [
    {
      label: { en: 'Lower the bucket’s number', zh: '把这个桶的偏置调低' },
      notice: {
        en: 'All keys of the bucket lose weight together, whatever their distance: they share one learned number.',
        zh: '桶里的键不论远近，权重一起降下去：它们共用一个学到的数。',
      },
      set: { scalar: -4 },
    },
    {
      label: { en: 'Look both ways', zh: '改成双向' },
      notice: {
        en: 'Keys after the query take half of the buckets. On each side only distances below 8 have a bucket of their own, instead of 16.',
        zh: '查询之后的键占去一半的桶。每一侧只有小于 8 的距离各占一个桶，因果时是 16。',
      },
      set: { direction: 'bidirectional' },
    },
    {
      label: { en: 'Use eight buckets', zh: '只用八个桶' },
      notice: {
        en: 'Four distances keep a bucket of their own. From 54 on, all share the last one.',
        zh: '只剩四个距离各占一个桶；从 54 起，全部落进最后一个桶。',
      },
      set: { buckets: 8, bucket: 7 },
    },
  ] as const satisfies readonly Try[],
  strings: {
    en: {
      title: 'T5’s buckets',
      question: 'How finely does T5 distinguish distances?',
      caption:
        'Above, the bucket of each distance; a band is one bucket. Near distances have a bucket each, far ones share one. Below, the weights of one query when all words are alike: keys in the chosen bucket are purple.',
      relativeAxis: 'key − query (negative: back)',
      bucketAxis: 'bucket',
      keyAxis: 'key position',
      weightAxis: 'weight',
      row: (query: number, bucket: number, scalar: string) =>
        `Weights of the query at ${query} (▼). The number of bucket ${bucket} is set to ${scalar} by hand; all others are 0.`,
      reading: (relative: string, bucket: number, held: string) =>
        `Key − query = ${relative}: bucket ${bucket}, which holds ${held}.`,
      held: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
      endless: '← no end',
      beyond: (from: string) => `${from} and beyond`,
      distances: (bucket: number) => `Values of key − query in bucket ${bucket}`,
      last: 'Distance at which the last bucket begins',
      keys: (bucket: number) => `Keys of the row in bucket ${bucket}`,
      weight: (bucket: number) => `Weight on bucket ${bucket} in all`,
      learned: 'Learned numbers for 12 heads',
      empty: 'none shown',
      describe: (buckets: number, last: string) =>
        `Finely near the query, coarsely far away: from distance ${last} on (key − query = −${last}), all share the last of the ${buckets} buckets.`,
      columns: ['key − query', 'bucket'],
    },
    zh: {
      title: 'T5 的桶',
      question: 'T5 把距离分得多细？',
      caption:
        '上图是每个距离所在的桶，一条带就是一个桶：近的距离各占一个桶，远的共用一个桶。下图是所有词都一样时一个查询的权重，紫色的键落在选中的桶里。',
      relativeAxis: '键 − 查询（往回为负）',
      bucketAxis: '桶',
      keyAxis: '键的位置',
      weightAxis: '权重',
      row: (query: number, bucket: number, scalar: string) =>
        `位置 ${query} 的查询（▼）给各个键的权重：第 ${bucket} 号桶的偏置手动设为 ${scalar}，其余都是 0。`,
      reading: (relative: string, bucket: number, held: string) =>
        `键 − 查询 = ${relative}：第 ${bucket} 号桶，包含 ${held}。`,
      held: (from: string, to: string) => (from === to ? from : `${from} 到 ${to}`),
      endless: '← 无穷远',
      beyond: (from: string) => `${from} 及更远`,
      distances: (bucket: number) => `第 ${bucket} 号桶里的“键 − 查询”`,
      last: '最后一个桶从哪个距离开始',
      keys: (bucket: number) => `这一行里落在第 ${bucket} 号桶的键`,
      weight: (bucket: number) => `第 ${bucket} 号桶的总权重`,
      learned: '12 个头一共要学的数',
      empty: '图中没有',
      describe: (buckets: number, last: string) =>
        `近处细，远处粗：从距离 ${last}（键 − 查询 = −${last}）起，全都落进 ${buckets} 个桶里的最后一个。`,
      columns: ['键 − 查询', '桶'],
    },
  },
};
