/** Texts of the figure `long-text`. */
import { fixed, whole } from '../../plots/number.ts';
import { errorIn } from '../../error_text.ts';
import type { Try } from '../../figures/figure.ts';
import type { Totals } from './long_text_map.ts';
import type { LongSchemeName } from './long_text_schemes.ts';
import type { TextFault } from '../../toy/tokens.ts';

const span = (first: number, last: number) =>
  first === last ? whole(first) : `${whole(first)}–${whole(last)}`;

const en = {
  title: 'A whole chapter',
  question: 'What does attention look like over a whole chapter?',
  caption:
    'Each dot is part of a table of 16.8 million weights. The text starts again before the map ends: the second diagonal pairs each word with its copy. Without position it is as strong as the first; squares, where they fit, enlarge both.',
  scheme: 'Position',
  schemes: {
    none: 'none',
    sinusoidal: 'sinusoidal',
    rope: 'RoPE',
    alibi: 'ALiBi',
    t5: 'T5 buckets',
    window: 'none, window of 256',
  } satisfies Record<LongSchemeName, string>,
  length: 'Tokens',
  head: 'Head',
  causal: 'Causal mask',
  measure: 'A dot shows',
  measures: { mean: 'their mean', max: 'the largest' },
  likeness: 'Query–key weight similarity',
  seed: 'Seed of all weights',
  ownText: 'Your own text, instead of the chapter',
  zoom: 'Zoom',
  middleRow: 'Query in the middle',
  middleColumn: 'Key in the middle',
  mapTitles: {
    mean: 'attention weights, mean of each dot',
    max: 'attention weights, largest of each dot',
  },
  even: (share: string) => `all keys alike: ${share}`,
  query: 'query: the token that attends',
  key: 'key: the token attended to',
  blank: 'Blank: hidden by the mask.',
  blankSoon: 'Blank: hidden, or not computed yet.',
  hint: 'Drag to move. Zoom with Ctrl and the wheel, by pinching, or with + and −. Arrow keys go from dot to dot; with Shift they move the map. Home shows all.',
  keys: 'Arrow keys move from dot to dot, plus and minus zoom, Home shows all.',
  map: {
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    whole: 'Show all',
    where: (rows: [number, number], columns: [number, number]) =>
      `queries ${span(...rows)}, keys ${span(...columns)}`,
    loading: 'computing the map',
    own: 'each word itself',
    copy: 'the copy of each word',
    copyShort: 'its copy',
    fault: ({ message }: Error) => message,
  },
  pointHere: 'Point at the map or touch it to see which words a dot stands for.',
  queryAt: (first: number, last: number) =>
    first === last ? `query at ${whole(first)}` : `queries ${span(first, last)}`,
  keyAt: (first: number, last: number) =>
    first === last ? `key at ${whole(first)}` : `keys ${span(first, last)}`,
  hidden: 'Hidden by the mask: the weight is 0.',
  computing: 'computing …',
  square: {
    mean: (side: number) => `mean of ${side} × ${side} weights`,
    max: (side: number) => `largest of ${side} × ${side} weights`,
  },
  share: (side: number) => `share of one query’s attention that these ${side} keys get`,
  zoomForSum: 'Zoom in to single weights to see how each is computed.',
  product: 'q ⋅ k',
  scale: '× 1/√d',
  score: '= score',
  bias: '+ bias',
  logit: '= score + bias',
  logSumExp: '− ln of the row’s sum of exp',
  weight: 'weight = exp of the result',
  totals: {
    medianDistance: 'distance that holds half of all attention, in tokens',
    attended: 'keys that a query attends to, mean of exp(entropy)',
  },
  textOf: (isOwn: boolean, count: number, length: number) => {
    const what = isOwn
      ? 'Your text'
      : 'Lewis Carroll, Alice’s Adventures in Wonderland (1865), chapter I';
    const after =
      count < length
        ? `, repeated from token ${whole(count)} on`
        : count > length
          ? `, of which the first ${whole(length)} are shown`
          : '';
    return `${what}: ${whole(count)} tokens${after}. Use your own text`;
  },
  fault: (fault: TextFault) =>
    fault.rule === 'empty'
      ? 'This text has no word. The map still shows the text before it.'
      : `This text has ${whole(fault.count)} ${fault.rule}; at most ${whole(fault.limit)} are read. The map still shows the text before it.`,
  sentences: (first: string, second: string) => `${first} ${second}`,
  describe: (length: number, scheme: string, head: number, causal: boolean) =>
    `Attention weights between ${whole(length)} tokens, position: ${scheme}, head ${head}${causal ? ', causal' : ''}.`,
  finding: (
    scheme: LongSchemeName,
    { medianDistance, copyShare }: Pick<Totals, 'medianDistance' | 'copyShare'>,
    copyAt?: number,
  ) => {
    const share = copyShare === undefined ? '' : fixed(100 * copyShare, 0);
    const weight =
      share === '100'
        ? 'as much weight as the word itself'
        : `${share}% of the weight of the word itself`;
    const copy = share && `a word’s copy ${whole(copyAt!)} tokens back gets ${weight}`;
    const half = `half of all attention stays within ${whole(medianDistance)} tokens`;
    // Without position a distance means nothing.
    const said = scheme === 'none' && copy ? copy : [copy, half].filter(Boolean).join('; ');
    const given = { ...en.schemes, window: 'a window of 256' }[scheme];
    return `${scheme === 'none' ? 'Without position' : `With ${given}`}, ${said}.`;
  },
  findingSoon: '…',
  table: {
    query: 'query',
    queryFrom: 'query from',
    queryTo: 'query to',
    key: 'key',
    keyFrom: 'key from',
    keyTo: 'key to',
    mean: 'mean weight',
    max: 'largest weight',
  },
};

export type LongTextWords = typeof en;

const zh: LongTextWords = {
  title: '整篇文章',
  question: '读一整篇文章，注意力是什么样子？',
  caption:
    '整张表有 1,680 万个权重，图上一个点代表其中一小块。文章不够长，读完又从头重复：第二条对角线上，每个字对应上一遍的同一个字。没有位置信息时，它和第一条一样深；地方够时，两个小方块是放大图。',
  scheme: '位置编码',
  schemes: {
    none: '无位置编码',
    sinusoidal: '正弦编码',
    rope: 'RoPE',
    alibi: 'ALiBi',
    t5: 'T5 分桶',
    window: '无位置编码，窗口 256',
  },
  length: '词元数',
  head: '第几个头',
  causal: '因果掩码',
  measure: '每个像素显示',
  measures: { mean: '平均值', max: '最大值' },
  likeness: '查询与键参数的相似度',
  seed: '全部参数的随机种子',
  ownText: '换成你自己的文章',
  zoom: '放大倍数',
  middleRow: '正中的查询',
  middleColumn: '正中的键',
  mapTitles: { mean: '注意力权重，每个像素取平均', max: '注意力权重，每个像素取最大' },
  even: (share) => `各键均分：${share}`,
  query: '查询：发出注意力的词元',
  key: '键：被关注的词元',
  blank: '空白处：被掩码遮住。',
  blankSoon: '空白处：被遮住或还没算完。',
  hint: '拖动可移动；按住 ctrl 滚动滚轮、双指张合，或按 + − 可缩放；方向键逐点移动，加 shift 移动整张图，Home 键看全图。',
  keys: '方向键逐点移动，加减号缩放，Home 键看全图。',
  map: {
    zoomIn: '放大',
    zoomOut: '缩小',
    whole: '看全图',
    where: (rows, columns) => `查询 ${span(...rows)}，键 ${span(...columns)}`,
    loading: '正在计算',
    own: '每个字自己',
    copy: '上一遍的同一个字',
    copyShort: '上一遍',
    fault: (error) => errorIn('zh', error),
  },
  pointHere: '把指针移到图上，或者点一下：这里会写出那个点代表哪些查询和键。',
  queryAt: (first, last) => `查询 ${span(first, last)}`,
  keyAt: (first, last) => `键 ${span(first, last)}`,
  hidden: '这里被掩码遮住，权重为 0。',
  computing: '计算中……',
  square: {
    mean: (side) => `${side} × ${side} 个权重的平均`,
    max: (side) => `${side} × ${side} 个权重中最大的`,
  },
  share: (side) => `一个查询的注意力中，这 ${side} 个键所占的份额`,
  zoomForSum: '放大到单个权重，就能看到它是怎样算出来的。',
  product: 'q ⋅ k',
  scale: '× 1/√d',
  score: '= 分数',
  bias: '+ 偏置',
  logit: '= 分数 + 偏置',
  logSumExp: '− ln（整行 exp 之和）',
  weight: '取 exp，即权重',
  totals: {
    medianDistance: '一半的注意力落在多少个词元以内',
    attended: '一个查询平均关注多少个键（熵的指数）',
  },
  textOf: (isOwn, count, length) => {
    const what = isOwn ? '你的文章' : '鲁迅《孔乙己》（1919）';
    const after =
      count < length ? `，之后从头重复` : count > length ? `，只取前 ${whole(length)} 个` : '';
    return `${what}：${whole(count)} 个词元${after}。换一篇`;
  },
  fault: (fault) => {
    if (fault.rule === 'empty') return '这里没有可读的字。图上仍是之前的文章。';
    const what = fault.rule === 'characters' ? '个字符' : '个词元';
    return `这篇文章有 ${whole(fault.count)} ${what}，这里最多读 ${whole(fault.limit)} ${what}。图上仍是之前的文章。`;
  },
  sentences: (first, second) => first + second,
  describe: (length, scheme, head, causal) =>
    `${whole(length)} 个词元之间的注意力权重，位置编码：${scheme}，第 ${head} 个头${causal ? '，因果掩码' : ''}。`,
  finding: (scheme, { medianDistance, copyShare }, copyAt) => {
    const share = copyShare === undefined ? '' : fixed(100 * copyShare, 0);
    const weight = share === '100' ? '注意力和这个字自己一样多' : `权重是这个字自己的 ${share}%`;
    const copy = share && `${whole(copyAt!)} 个词元之前的同一个字，得到的${weight}`;
    const half = `一半的注意力落在 ${whole(medianDistance)} 个词元以内`;
    const said = scheme === 'none' && copy ? copy : [copy, half].filter(Boolean).join('；');
    return `${scheme === 'none' ? '没有位置信息时，' : `${zh.schemes[scheme]}：`}${said}。`;
  },
  findingSoon: '……',
  table: {
    query: '查询',
    queryFrom: '查询起',
    queryTo: '查询止',
    key: '键',
    keyFrom: '键起',
    keyTo: '键止',
    mean: '平均权重',
    max: '最大权重',
  },
};

export const strings = { en, zh };

export const tries: readonly Try[] = [
  {
    label: { en: 'Rotate with RoPE', zh: '换成 RoPE' },
    notice: {
      en: 'The second diagonal is gone: two and a half thousand tokens apart, most pairs have rotated out of step. The other keys do not fade with distance.',
      zh: '第二条对角线不见了：隔了两千多个词元，多数维度对的角度已经错开。其余的键并不随距离变淡。',
    },
    set: { scheme: 'rope' },
  },
  {
    label: { en: 'Take the steepest head of ALiBi', zh: '看 ALiBi 最陡的头' },
    notice: {
      en: 'All attention stays within a few tokens of the diagonal: at 20 tokens the slope 1/2 has lowered the score by 10.',
      zh: '注意力全都贴着对角线，只隔几个词元：斜率是 1/2，隔 20 个词元，分数就减去 10。',
    },
    set: { scheme: 'alibi', head: 1 },
  },
  {
    label: { en: 'Zoom to single weights', zh: '放大到单个权重' },
    notice: {
      en: 'Each dot is now the weight of one word for another. Point at one to see its sum.',
      zh: '现在每个点就是一个词给另一个词的权重。指向其中一格，就能看到它怎样算出来。',
    },
    set: { zoom: 128, row: 3000, column: 2900 },
  },
];
