/** The lab's words in both languages; functions where a number or a token stands inside. */
import type { MapName } from '../../toy/pass.ts';
import type { SchemeName } from '../../toy/schemes.ts';
import type { TextFault } from '../../toy/tokens.ts';
import type { ModeName } from './lab_modes.ts';

/** What the map can show, in the order in which the layer computes it. */
export const viewNames = [
  'input',
  'content',
  'scores',
  'bias',
  'biased',
  'weights',
  'output',
  'terms',
] as const satisfies readonly (MapName | 'terms')[];
export type ViewName = (typeof viewNames)[number];

/** Sentences to start from; the same in both languages, since position is. */
export const examples = {
  dog: 'the dog bit the man and the man bit the dog',
  pepper: '四川人不怕辣，湖南人辣不怕，贵州人怕不辣',
  palindrome: '上海自来水来自海上',
  buffalo: 'Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo',
  arabic: 'الكلب عض الرجل والرجل عض الكلب',
  emoji: '🐶 ➡️ 🦴 👨‍👩‍👧 ➡️ 🐶 🦴 ➡️ 🐶',
} as const;
export type ExampleName = keyof typeof examples;

const en = {
  title: 'The attention lab',
  question: 'Which token attends to which, and does their position matter?',
  caption:
    'The attention weights of a sentence in a layer with random weights: each row is one token’s attention, shared among all tokens. Compare puts two schemes side by side, Inside shows the sum behind each cell, Bench the sizes and the time.',
  mode: 'Mode',
  modes: {
    basic: 'Basics',
    compare: 'Compare',
    inside: 'Inside',
    bench: 'Bench',
  } satisfies Record<ModeName, string>,
  fewSchemes: {
    none: 'none',
    sinusoidal: 'sinusoidal',
    learned: 'learned',
    'rope-half-split': 'RoPE',
    alibi: 'ALiBi',
  } satisfies Partial<Record<SchemeName, string>>,
  sentence: 'Sentence',
  another: 'Another sentence',
  tryOne: 'Or take one:',
  examples: {
    dog: 'dog and man',
    pepper: '不怕辣',
    palindrome: 'palindrome',
    buffalo: 'buffalo',
    arabic: 'right to left',
    emoji: 'emoji',
  } satisfies Record<ExampleName, string>,
  tokens: (count: number) => (count === 1 ? '1 token' : `${count} tokens`),
  more: (count: number) => `and ${count} more`,
  move: 'Drag a token, or move it with ← →.',
  moveKeys: (name: string) => `${name}. Left and right move a token, up and down choose one.`,
  moved: (token: string, place: number, count: number) =>
    `“${token}” is now token ${place} of ${count}.`,
  point: 'Point at a cell to read it.',
  /** The value of a pair, in A and B where two schemes are compared; `what`: none for weights. */
  pair: (query: string, key: string, [a, b]: readonly string[], what?: string) => {
    const value = b === undefined ? a : `${a} (A), ${b} (B)`;
    return what
      ? `“${query}” to “${key}”, ${what}: ${value}.`
      : `“${query}” gives “${key}” ${value} of its attention.`;
  },
  hidden: 'hidden',
  cost: (time: string, passes: number, scores: string, products: string) =>
    `The result took ${time} ms with the way to the worker and back, the first also with loading: ${passes === 1 ? 'one pass' : `${passes} passes`} of ${scores} scores over all heads, with ${products} multiplications for q ⋅ k and as many for the values.`,
  again: 'Compute again',
  position: 'position',
  scheme: 'Position',
  compare: {
    label: 'Compare with',
    off: 'nothing',
    difference: 'Show the difference, B − A',
  },
  head: 'Head',
  headName: (head: number) => `Head ${head}`,
  heads: 'Heads',
  headDim: 'Head dimension',
  causal: 'Causal mask',
  offset: 'Position of the first token',
  seed: 'Seed of all weights',
  likeness: 'Query–key weight similarity',
  weights: 'Weights of the layer',
  trained: {
    options: { random: 'random', trained: 'trained here', llama: 'a real Llama' },
    layer: 'Layer',
    layers: { 1: 'first', 2: 'second' },
    setting: (scheme: string, steps: string) =>
      `A small causal decoder of 2 layers, trained with ${scheme}: ${steps} steps of 32 texts, each 32 symbols long, in which a block of symbols repeats. One model, seed 0. It knows no words: each different token of your sentence stands for one of its 32 symbols.`,
    swapped: (scheme: string, others: string[]) =>
      `Shown without further training: ${others.map((other) => `“${other}”`).join(' and ')} in place of “${scheme}”, in all layers.`,
    reordered: (scheme: string) =>
      `For “${scheme}” the query and key weights are reordered, so the maps are those of the training.`,
    llama:
      'A Llama of 5 layers and 260,032 parameters that Andrej Karpathy trained on English stories. Its tokenizer cuts your sentence into pieces; ‹s› begins every text.',
    asTrained: (scheme: string) => `Take ${scheme}, as trained`,
    shared: (count: number) => `With ${count} different tokens, some share a symbol.`,
    longer: (count: number) => `With ${count} tokens, the text is longer than those in training.`,
  },
  shuffle: 'Shuffle',
  restore: 'Put back in order',
  view: 'Show',
  views: {
    weights: 'weights',
    scores: 'scores',
    content: 'scores without position',
    bias: 'bias',
    biased: 'score + bias',
    output: 'output',
    input: 'input',
    terms: 'four terms',
  } satisfies Record<ViewName, string>,
  viewTitles: {
    weights: 'attention weights: the share of each key in a query’s row',
    scores: 'scores: q ⋅ k / √d, before bias and mask',
    content: 'scores that the same words would have without any position',
    bias: 'bias: what the scheme adds to each score',
    biased: 'scores with bias and mask, as the softmax receives them',
    output: 'output: the weighted sum of the values',
    input: 'input: the token vectors as they enter the layer',
    terms: 'four terms: what each score is the sum of',
  } satisfies Record<ViewName, string>,
  query: 'query: the token that attends',
  key: 'key: the token attended to',
  dimension: 'dimension',
  written: 'as written',
  shuffled: 'shuffled',
  describe: (tokens: string, scheme: string, head: number, view: string) =>
    `${tokens}, position: ${scheme}, head ${head}: ${view}.`,
  strongest: (query: string, key: string, weight: string) =>
    `The largest weight is ${weight}, from “${query}” to “${key}”.`,
  mapLabel: (name: string) =>
    `Map of the head${name && ` (${name})`}; arrow keys move from cell to cell`,
  blank: 'Blank: hidden by the mask.',
  cell: {
    title: (query: string, key: string) => `How “${query}” attends to “${key}”`,
    product: 'q ⋅ k',
    scale: '1/√d',
    temperature: 'temperature of the row',
    score: 'score',
    near: 'rotated by the true distance',
    far: (window: number) => `rotated as if ${window} apart`,
    chosen: (rotation: string) => `${rotation} (chosen)`,
    entropy: 'entropy of the row (nats)',
    content: 'without position it would be',
    bias: 'bias',
    logit: 'score + bias',
    power: 'exp of the line above',
    rowSum: 'the row’s sum of exp',
    weight: 'weight',
    asWritten: 'the same pair as written',
    masked: 'The mask hides this key, which comes after the query. Its weight is 0.',
    twins: (key: string) => `Scores of the same word “${key}” at its other places:`,
    twinAt: (position: string, score: string) => `${score} at ${position}`,
    twinsEqual: 'Equal scores at any distance.',
    twinsDiffer: (spread: string) => `The scores differ by ${spread}: distance counts.`,
    value: (token: string, dimension: number) => `“${token}”, dimension ${dimension}`,
    others: (count: number) => (count === 1 ? '1 other' : `${count} others`),
  },
  change: {
    none: (largest: string) =>
      `Shuffled: every token keeps its output. The largest change, ${largest}, is the rounding of sums in another order.`,
    exact: (largest: string) =>
      `Shuffled: every token keeps its output, bit for bit. The largest change is ${largest}.`,
    some: (largest: string) =>
      `Shuffled: the outputs change by up to ${largest}. Order matters now.`,
    mask: 'Only the causal mask makes the difference: the place of a token decides which keys it sees.',
    perToken: (change: string) => `Change of this token’s output: ${change}`,
    bar: (tallest: string) =>
      `Change of each token’s output by the shuffling; full height: ${tallest}`,
    not: 'In order. Shuffle to see whether order matters.',
  },
  rows: {
    equal: (word: string, count: number) =>
      `The ${count} rows of “${word}” are equal: wherever a word stands, it gets the same row. Its place is not seen.`,
    differ: (word: string, count: number, difference: string) =>
      `The ${count} rows of “${word}” differ, by up to ${difference}: now it matters where a word stands.`,
  },
  offsetChange: {
    exact: (offset: string, largest: string) =>
      `Starting at position ${offset} instead of 0 changes no weight, bit for bit: the largest change is ${largest}.`,
    none: (offset: string, largest: string) =>
      `Starting at position ${offset} instead of 0 changes no weight by more than ${largest}.`,
    some: (offset: string, largest: string) =>
      `Starting at position ${offset} instead of 0 changes weights by up to ${largest}.`,
    both: (offset: string, a: string, b: string) =>
      `Starting at position ${offset} instead of 0 changes a weight by at most ${a} in A and ${b} in B.`,
  },
  maskNeeded: 'A scheme chosen above is defined for earlier keys only, so the causal mask is on.',
  past: (asked: string, tokens: number, start: string) =>
    `From position ${asked} on, the learned table has too few rows for ${tokens === 1 ? '1 token' : `${tokens} tokens`}. The text begins at ${start}, the last position with room for it.`,
  fault: (fault: TextFault) => {
    if (fault.rule === 'empty') return 'Write at least one word: this text has none.';
    const what = fault.rule === 'characters' ? 'characters' : 'tokens';
    return `This text has ${fault.count} ${what}; the lab reads at most ${fault.limit}. The figure still shows the text before it.`;
  },
  table: {
    token: 'token',
    position: 'position',
    query: 'query',
    key: 'key',
    queryPosition: 'query position',
    keyPosition: 'key position',
    entropy: 'entropy of the row (nats)',
  },
};

const zh: typeof en = {
  title: '注意力实验室',
  question: '每个词元关注哪些词元？位置有没有影响？',
  caption:
    '一句话在一层随机参数下的注意力：每一行是一个词元把注意力分给各个词元的份额。“对照”并排两种位置编码，“细看”列出每一格的算式，“测速”给出规模与耗时。',
  mode: '模式',
  modes: { basic: '基础', compare: '对照', inside: '细看', bench: '测速' },
  fewSchemes: {
    none: '无位置编码',
    sinusoidal: '正弦编码',
    learned: '可学习编码',
    'rope-half-split': 'RoPE',
    alibi: 'ALiBi',
  },
  sentence: '句子',
  another: '换一句话',
  tryOne: '或者选一句：',
  examples: {
    dog: '狗与人',
    pepper: '不怕辣',
    palindrome: '回文',
    buffalo: 'buffalo',
    arabic: '从右往左',
    emoji: '表情符号',
  },
  tokens: (count) => `${count} 个词元`,
  more: (count) => `……还有 ${count} 个`,
  move: '拖动词元，或者用 ← → 移动它。',
  moveKeys: (name: string) => `${name}。左右键移动词元，上下键换一个词元。`,
  moved: (token, place, count) => `“${token}”移到了第 ${place} 位，共 ${count} 个词元。`,
  point: '指向一格，查看它的数值。',
  pair: (query, key, [a, b], what) => {
    const value = b === undefined ? `${a} ` : `${a}（A）、${b}（B）`;
    return what
      ? `“${query}”看“${key}”，${what} ${value.trim()}。`
      : `“${query}”把注意力的 ${value}给了“${key}”。`;
  },
  hidden: '被遮住',
  cost: (time, passes, scores, products) =>
    `这次结果用了 ${time} 毫秒，含往返 worker 的时间，第一次还含加载。计算 ${passes} 遍，每遍各头共 ${scores} 个分数；q ⋅ k 与加权求和各需 ${products} 次乘法。`,
  again: '再算一次',
  position: '位置',
  scheme: '位置编码',
  compare: {
    label: '与之对照',
    off: '不对照',
    difference: '只看差 B − A',
  },
  head: '第几个头',
  headName: (head) => `第 ${head} 个头`,
  heads: '头数',
  headDim: '每头维度',
  causal: '因果掩码',
  offset: '起始位置',
  seed: '全部参数的随机种子',
  likeness: '查询与键参数的相似度',
  weights: '这一层的参数',
  trained: {
    options: { random: '随机', trained: '本站训练', llama: '真的 Llama' },
    layer: '层',
    layers: { 1: '第一层', 2: '第二层' },
    setting: (scheme, steps) =>
      `一个两层的小型因果解码器，训练时的位置编码是“${scheme}”；训练 ${steps} 步，每步 32 段文本，每段 32 个符号，其中一小段反复出现。只有一个模型，种子 0。它不认识词：句子里每个不同的词元代表它 32 个符号中的一个。`,
    swapped: (scheme, others) =>
      `没有重新训练：各层里的“${scheme}”都换成了${others.map((other) => `“${other}”`).join('和')}。`,
    reordered: (scheme) => `换成“${scheme}”时，查询和键的参数跟着重排，所以图与训练时的一样。`,
    llama:
      'Karpathy 用英文故事训练的 Llama，5 层，260,032 个参数。句子由它的分词器切成小段；每段文本都以 ‹s› 开头。',
    asTrained: (scheme) => `换回训练时的“${scheme}”`,
    shared: (count) => `这里有 ${count} 个不同的词元，有些只好共用一个符号。`,
    longer: (count) => `这里有 ${count} 个词元，比训练时的文本长。`,
  },
  shuffle: '打乱词序',
  restore: '恢复原序',
  view: '显示',
  views: {
    weights: '权重',
    scores: '分数',
    content: '不含位置的分数',
    bias: '偏置',
    biased: '分数 + 偏置',
    output: '输出',
    input: '输入',
    terms: '四项',
  },
  viewTitles: {
    weights: '注意力权重：每行中各个键的份额',
    scores: '分数：q ⋅ k / √d，尚未加偏置和掩码',
    content: '同样的词，若完全没有位置信息时的分数',
    bias: '偏置：位置编码加到每个分数上的量',
    biased: '加上偏置和掩码之后、送进 softmax 之前的分数',
    output: '输出：值向量的加权和',
    input: '输入：进入这一层的词元向量',
    terms: '四项：每个分数由哪四部分相加而成',
  },
  query: '查询：谁在看',
  key: '键：看向谁',
  dimension: '维',
  written: '原序',
  shuffled: '打乱后',
  describe: (tokens, scheme, head, view) =>
    `${tokens}，位置编码：${scheme}，第 ${head} 个头：${view}。`,
  strongest: (query, key, weight) => `最大的权重是 ${weight}：“${query}”看“${key}”。`,
  mapLabel: (name) => `这个头的注意力图${name && `（${name}）`}；用方向键逐格移动`,
  blank: '空白处：被掩码遮住。',
  cell: {
    title: (query, key) => `“${query}”怎样看“${key}”`,
    product: 'q ⋅ k',
    scale: '1/√d',
    temperature: '这一行的温度因子',
    score: '分数',
    near: '按真实距离旋转',
    far: (window) => `当作相距 ${window} 来旋转`,
    chosen: (rotation) => `${rotation}（采用）`,
    entropy: '这一行的熵（nat）',
    content: '若没有位置信息',
    bias: '偏置',
    logit: '分数 + 偏置',
    power: '取 exp',
    rowSum: '整行 exp 之和',
    weight: '权重',
    asWritten: '同一对词在原序中',
    masked: '这个键在查询之后，被掩码遮住，权重为 0。',
    twins: (key) => `同一个词“${key}”，在各处得到的分数：`,
    twinAt: (position, score) => `位置 ${position}：${score}`,
    twinsEqual: '不论远近，分数相同。',
    twinsDiffer: (spread) => `分数相差 ${spread}：距离起了作用。`,
    value: (token, dimension) => `“${token}”的第 ${dimension} 维`,
    others: (count) => `其余 ${count} 个`,
  },
  change: {
    none: (largest) =>
      `打乱之后，每个词元的输出不变：最大变化 ${largest}，是换了求和次序带来的舍入误差。`,
    exact: (largest) => `打乱之后，每个词元的输出逐位相同：最大变化 ${largest}。`,
    some: (largest) => `打乱之后，输出最多变化 ${largest}：次序有影响了。`,
    mask: '差别只来自因果掩码：词元在哪里，决定了它能看到哪些键。',
    perToken: (change) => `这个词元输出的变化：${change}`,
    bar: (tallest) => `打乱后各词元输出的变化，满格为 ${tallest}`,
    not: '现在是原序。打乱试试，看次序有没有影响。',
  },
  rows: {
    equal: (word, count) =>
      `“${word}”的 ${count} 行一模一样：同一个词不论在哪里，那一行都相同，位置不起作用。`,
    differ: (word, count, difference) =>
      `“${word}”的 ${count} 行不再相同，最多相差 ${difference}：同一个词，位置不同，那一行也就不同。`,
  },
  offsetChange: {
    exact: (offset, largest) =>
      `从位置 ${offset} 而不是 0 开始，权重逐位相同：最大变化 ${largest}。`,
    none: (offset, largest) => `从位置 ${offset} 而不是 0 开始，权重的变化不超过 ${largest}。`,
    some: (offset, largest) => `从位置 ${offset} 而不是 0 开始，权重的变化最大达到 ${largest}。`,
    both: (offset, a, b) =>
      `从位置 ${offset} 而不是 0 开始，权重的最大变化在 A 中是 ${a}，在 B 中是 ${b}。`,
  },
  maskNeeded: '上面选的方案只对前面的键有定义，所以这里用了因果掩码。',
  past: (asked, tokens, start) =>
    `可学习的位置表到头了：从位置 ${asked} 起，放不下 ${tokens} 个词元。下图从位置 ${start} 开始，这是还放得下的最后一个起点。`,
  fault: (fault) => {
    if (fault.rule === 'empty') return '请至少写一个词：这段文字里没有词。';
    const what = fault.rule === 'characters' ? '个字符' : '个词元';
    return `这段文字有 ${fault.count} ${what}，这里最多读 ${fault.limit} ${what}。下图仍是之前的文字。`;
  },
  table: {
    token: '词元',
    position: '位置',
    query: '查询',
    key: '键',
    queryPosition: '查询位置',
    keyPosition: '键位置',
    entropy: '行熵（nat）',
  },
};

export const text = { en, zh };
export type LabText = typeof en;
