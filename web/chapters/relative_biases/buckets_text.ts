/** Words of the figure `t5-buckets`. */
export const words = {
  direction: { en: 'Direction', zh: '方向' },
  causal: { en: 'causal', zh: '因果' },
  bidirectional: { en: 'bidirectional', zh: '双向' },
  buckets: { en: 'Buckets', zh: '桶数' },
  maxDistance: { en: 'Max distance', zh: '最大距离' },
  bucket: { en: 'Bucket', zh: '选中的桶' },
  scalar: { en: 'Its learned number', zh: '它学到的数' },
  query: { en: 'Query position', zh: '查询位置' },
  strings: {
    en: {
      title: 'T5’s buckets',
      question: 'How finely does T5 distinguish distances?',
      caption:
        'See: the bucket of each distance; a band is one bucket. Near distances have their own bucket, far ones share. The bars are the weights when all words are alike. Try: press a step to choose its bucket, and move its learned number: all its keys change together. Then change the direction or the number of buckets.',
      relativeAxis: 'key − query',
      bucketAxis: 'bucket',
      keyAxis: 'key position',
      weightAxis: 'weight',
      row: (query: number) => `Weights of the query at ${query} on its keys`,
      reading: (relative: string, bucket: number, held: string) =>
        `Key − query = ${relative}: bucket ${bucket}, which holds ${held}.`,
      held: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
      beyond: (from: string) => `${from} and beyond`,
      distances: (bucket: number) => `Values of key − query in bucket ${bucket}`,
      last: 'Distance at which the last bucket begins',
      keys: (bucket: number) => `Keys of the row in bucket ${bucket}`,
      weight: (bucket: number) => `Weight on bucket ${bucket} in all`,
      learned: 'Learned numbers for 12 heads',
      empty: 'none shown',
      describe: (buckets: number, last: string) =>
        `${buckets} buckets, narrow near the query and wide far away: from distance ${last} on, all distances share one.`,
      columns: ['key − query', 'bucket'],
    },
    zh: {
      title: 'T5 的桶',
      question: 'T5 把距离分得多细？',
      caption:
        '看什么：每个距离所在的桶，一条带就是一个桶。近的距离各占一个桶，远的共用一个桶。条形是所有词都一样时的权重。试一试：点一级阶梯选中一个桶，移动它学到的数：桶里的键一起变化。再改变方向或者桶的个数。',
      relativeAxis: '键 − 查询',
      bucketAxis: '桶',
      keyAxis: '键的位置',
      weightAxis: '权重',
      row: (query: number) => `位置 ${query} 的查询给各个键的权重`,
      reading: (relative: string, bucket: number, held: string) =>
        `键 − 查询 = ${relative}：第 ${bucket} 号桶，桶里是 ${held}。`,
      held: (from: string, to: string) => (from === to ? from : `${from} 到 ${to}`),
      beyond: (from: string) => `${from} 及更远`,
      distances: (bucket: number) => `第 ${bucket} 号桶里的“键 − 查询”`,
      last: '最后一个桶从哪个距离开始',
      keys: (bucket: number) => `这一行里落在第 ${bucket} 号桶的键`,
      weight: (bucket: number) => `第 ${bucket} 号桶的总权重`,
      learned: '12 个头一共要学的数',
      empty: '图中没有',
      describe: (buckets: number, last: string) =>
        `${buckets} 个桶，近处窄、远处宽：从距离 ${last} 起，全都落进同一个桶。`,
      columns: ['键 − 查询', '桶'],
    },
  },
};
