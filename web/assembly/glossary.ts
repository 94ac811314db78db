/** `<!-- glossary -->`: each term in a sentence, with its name in the other language. */
import type { Language } from '../languages.ts';
import * as schemes from '../schemes/all.ts';
import type { Term } from '../schemes/record.ts';

const terms: readonly Term[] = [
  {
    name: { en: 'token', zh: '词元（token）' },
    anchor: '#opening',
    definition: {
      en: 'A word or a piece of a word; the unit in which a model reads.',
      zh: '词或词的一部分，模型读文本的单位。',
    },
  },
  {
    name: { en: 'query, key, value', zh: '查询、键、值' },
    anchor: '#one-row',
    definition: {
      en: 'Three vectors of a token: what it looks for, by what it is found, what it passes on.',
      zh: '词元的三个向量：要找什么，供谁来找，交出什么。',
    },
  },
  {
    name: { en: 'score, logit', zh: '分数（logits）' },
    anchor: '#one-row',
    definition: {
      en: 'Dot product of query and key, divided by $\\sqrt d$; input of the softmax.',
      zh: '查询与键的点积，再除以 $\\sqrt d$；softmax 的输入。',
    },
  },
  {
    name: { en: 'softmax', zh: 'softmax' },
    anchor: '#one-row',
    definition: {
      en: 'Turns scores into positive weights that sum to 1.',
      zh: '把分数变成总和为 1 的正数。',
    },
  },
  {
    name: { en: 'attention weight', zh: '注意力权重' },
    anchor: '#one-row',
    definition: {
      en: 'Result of the softmax: the share of a value in the output.',
      zh: 'softmax 的结果：每个值在输出里所占的份额。',
    },
  },
  {
    name: { en: 'head, head dimension $d$', zh: '头、每头维度 $d$' },
    anchor: '#heads-and-masks',
    definition: {
      en: 'One attention with its own matrices; the length of its queries and keys.',
      zh: '一套独立的注意力；它的查询和键有多少维。',
    },
  },
  {
    name: { en: 'causal mask', zh: '因果掩码' },
    anchor: '#heads-and-masks',
    definition: { en: 'Hides the keys after the query.', zh: '遮住查询后面的键。' },
  },
  {
    name: { en: 'encoder, decoder', zh: '编码器、解码器' },
    anchor: '#heads-and-masks',
    definition: {
      en: 'Reads a whole text at once; writes token by token under a causal mask.',
      zh: '一次读完整段文本；在因果掩码下逐个词元地写。',
    },
  },
  {
    name: { en: 'permutation equivariance', zh: '置换等变' },
    anchor: '#order-is-missing',
    definition: {
      en: 'If the inputs change places, the outputs do the same and nothing else changes.',
      zh: '输入换位置，输出跟着换位置，此外不变。',
    },
  },
  {
    name: { en: 'position scheme', zh: '位置方案' },
    anchor: '#requirements',
    definition: {
      en: 'A way to give a model the positions of its tokens.',
      zh: '告诉模型词元位置的一种做法。',
    },
  },
  schemes.sinusoidal.term,
  schemes.learned.term,
  schemes.recurrent.term,
  {
    name: { en: 'bias, slope', zh: '偏置、斜率' },
    anchor: '#relative-biases',
    definition: {
      en: 'A number added to the score; the bias per step of distance in ALiBi.',
      zh: '加在分数上的数；ALiBi 里每一步距离的偏置。',
    },
  },
  schemes.rope.term,
  {
    name: { en: 'pair, dimension pair', zh: '维度对' },
    anchor: '#two-ways-to-pair',
    definition: { en: 'Two coordinates that are rotated together.', zh: '一起旋转的两个维度。' },
  },
  {
    name: { en: 'layout', zh: '配对方式' },
    anchor: '#two-ways-to-pair',
    definition: {
      en: 'Which coordinates form a pair: interleaved or half-split.',
      zh: '哪两个维度组成一对：相邻配对或前后半配对。',
    },
  },
  {
    name: { en: 'frequency $\\theta_i$, wavelength', zh: '频率 $\\theta_i$、波长' },
    anchor: '#base-and-wavelengths',
    definition: {
      en: 'Angle of pair $i$ per position; positions per whole turn, $2\\pi/\\theta_i$.',
      zh: '第 $i$ 个维度对每个位置转过的角；转一圈的位置数 $2\\pi/\\theta_i$。',
    },
  },
  {
    name: { en: 'base $b$', zh: '底数 $b$' },
    anchor: '#base-and-wavelengths',
    definition: {
      en: 'Sets all frequencies: $\\theta_i = b^{-2i/d}$.',
      zh: '决定全部频率：$\\theta_i = b^{-2i/d}$。',
    },
  },
  {
    name: { en: 'partial rotary', zh: '部分旋转' },
    anchor: '#slips-pairings',
    definition: { en: 'Only a part of each head is rotated.', zh: '每个头只有一部分维度旋转。' },
  },
  {
    name: { en: 'training length $L_0$, length $L$', zh: '训练长度 $L_0$、当前长度 $L$' },
    anchor: '#longer-contexts',
    definition: {
      en: 'Tokens per text in training; tokens in use.',
      zh: '训练时每段文本的词元数；使用时的词元数。',
    },
  },
  {
    name: { en: 'scaling factor $s$', zh: '扩展倍数 $s$' },
    anchor: '#longer-contexts',
    definition: { en: '$L/L_0$.', zh: '$L/L_0$。' },
  },
  {
    name: { en: 'length extrapolation', zh: '长度外推' },
    anchor: '#train-short',
    definition: { en: 'Use beyond the training length.', zh: '用到训练长度以外。' },
  },
  schemes.pi.term,
  schemes.ntk.term,
  schemes.yarn.term,
  {
    name: { en: 'temperature, attention factor', zh: '温度、注意力因子' },
    anchor: '#temperature',
    definition: {
      en: 'A factor on the scores of an extended model.',
      zh: '扩展后的模型对分数所乘的因子。',
    },
  },
  {
    name: { en: 'loss, nat', zh: '损失、nat' },
    anchor: '#train-short',
    definition: {
      en: '$-\\ln$ of the probability given to the right token; its unit.',
      zh: '模型给正确词元的概率取 $-\\ln$；nat 是它的单位。',
    },
  },
  {
    name: { en: 'entropy', zh: '熵' },
    anchor: '#log-n',
    definition: {
      en: '$-\\sum a \\ln a$ of a row of weights: how evenly it is spread.',
      zh: '一行权重的 $-\\sum a \\ln a$，衡量有多分散。',
    },
  },
  {
    name: { en: 'KV cache', zh: 'KV 缓存' },
    anchor: '#stale-cache-text',
    definition: {
      en: 'Keys and values of earlier tokens, kept while a model writes.',
      zh: '模型写作时保留的、前面各词元的键和值。',
    },
  },
  {
    name: { en: 'forget gate', zh: '遗忘门' },
    anchor: '#text-positions',
    definition: {
      en: 'A factor between 0 and 1 by which a token lets the past fade.',
      zh: '0 到 1 之间的因子，词元用它让过去变淡。',
    },
  },
  {
    name: { en: 'prefix sum', zh: '前缀和' },
    anchor: '#text-positions',
    definition: { en: 'The sum of terms up to each token.', zh: '到每个词元为止的累加和。' },
  },
  schemes.none.term,
  {
    name: { en: 'induction head', zh: '归纳头（induction head）' },
    anchor: '#inside-a-head',
    definition: {
      en: 'A head that finds an earlier copy of the present token and attends to what followed it.',
      zh: '找到当前词元从前的副本，再看它后面那一个的头。',
    },
  },
];

/** Returns the list of terms for a page of a language. */
export function glossary(language: Language): string {
  const other = language === 'zh' ? 'en' : 'zh';
  const rows = terms.map(
    ({ name, anchor, definition }) => `<div>
<dt><a href="./${anchor}">${name[language]}</a></dt>
<dd lang="${other}">${name[other]}</dd>
<dd>${definition[language]}</dd>
</div>`,
  );
  return `<dl class="terms">\n${rows.join('\n')}\n</dl>`;
}
