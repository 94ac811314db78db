/** Names of the schemes and of the places where they act, and what each does, in one sentence. */
import type { Words } from '../../languages.ts';
import type { Place, SchemeName } from '../../toy/schemes.ts';
import { textSchemeText } from '../../toy/text_scheme_text.ts';

export const placeNames: Record<Place, Words> = {
  nowhere: { en: 'Nowhere', zh: '不加位置' },
  input: { en: 'Added to the input', zh: '加在输入上' },
  rotation: { en: 'Rotates query and key', zh: '旋转查询与键' },
  score: { en: 'Added to the score, by distance', zh: '按距离加在分数上' },
  two: { en: 'One of two rotations', zh: '两套旋转择一' },
  text: { en: 'Decided by the text', zh: '由文本决定' },
  temperature: { en: 'Temperature of the row', zh: '逐行的温度' },
  softmax: { en: 'In place of the softmax', zh: '取代 softmax' },
};

export const schemeText: Record<SchemeName, { name: Words; note: Words }> = {
  none: {
    name: { en: 'none', zh: '无' },
    note: {
      en: 'No position: scores depend on the words alone.',
      zh: '没有位置信息：分数只取决于词。',
    },
  },
  learned: {
    name: { en: 'learned', zh: '可学习的绝对位置' },
    note: {
      en: 'A row of a table for each position, random here as before training. The table ends at 512: there is no position after it.',
      zh: '每个位置一行向量，这里是训练前的随机数。表只有 512 行，再往后就没有位置了。',
    },
  },
  sinusoidal: {
    name: { en: 'sinusoidal', zh: '正弦编码' },
    note: {
      en: 'Sines and cosines of the position, added to each token vector.',
      zh: '把位置的正弦、余弦加到每个词元向量上。',
    },
  },
  'rope-interleaved': {
    name: { en: 'RoPE, interleaved', zh: 'RoPE（相邻配对）' },
    note: {
      en: 'Dimensions 2i and 2i + 1 are rotated together, by the position times 10,000^(−2i/d).',
      zh: '第 2i 与 2i + 1 维结对旋转，角度是位置乘 10,000^(−2i/d)。',
    },
  },
  'rope-half-split': {
    name: { en: 'RoPE, half-split', zh: 'RoPE（前后半配对）' },
    note: {
      en: 'Dimensions i and i + d/2 are rotated together, by the position times 10,000^(−2i/d).',
      zh: '第 i 与 i + d/2 维结对旋转，角度是位置乘 10,000^(−2i/d)。',
    },
  },
  xpos: {
    name: { en: 'xPos', zh: 'xPos' },
    note: {
      en: 'RoPE whose pairs also fade with distance; for a key after its query they grow, so it belongs under a causal mask.',
      zh: '在 RoPE 之外，各个维度对再随距离衰减；键若在查询之后则会增大，所以要配因果掩码。',
    },
  },
  'rope-linear': {
    name: { en: 'RoPE with PI, × 4', zh: 'RoPE + 位置内插（PI），4 倍' },
    note: {
      en: 'Position Interpolation: every angle is divided by 4.',
      zh: '位置内插：所有角度都除以 4。',
    },
  },
  'rope-ntk': {
    name: { en: 'RoPE with NTK, × 4', zh: 'RoPE + NTK，4 倍' },
    note: {
      en: 'NTK-aware: a larger base divides the slowest angle by 4 and leaves the fastest alone.',
      zh: 'NTK-aware：放大底数，最慢的角度除以 4，最快的不变。',
    },
  },
  'rope-yarn': {
    name: { en: 'RoPE with YaRN, × 4', zh: 'RoPE + YaRN，4 倍' },
    note: {
      en: 'From 2,048 positions to 8,192: the slow pairs’ frequencies are divided by 4, the fast ones’ kept, and all scores multiplied by (0.1 ln 4 + 1)² ≈ 1.30.',
      zh: '从 2,048 个位置扩到 8,192 个：低频对的频率除以 4，高频对不变，全部分数再乘 (0.1 ln 4 + 1)² ≈ 1.30。',
    },
  },
  alibi: {
    name: { en: 'ALiBi', zh: 'ALiBi' },
    note: {
      en: 'Subtracts the distance times a slope; each head has its own.',
      zh: '减去斜率乘距离，每个头的斜率不同。',
    },
  },
  t5: {
    name: { en: 'T5 buckets', zh: 'T5 分桶' },
    note: {
      en: 'One learned number per bucket of distances and head, random here. T5 leaves out 1/√d; the lab keeps it, so that maps compare.',
      zh: '每个距离桶、每个头一个可学习的数，这里是随机数。T5 本身不除以 √d，这里保留，便于与别的图比较。',
    },
  },
  'kerple-log': {
    name: { en: 'KERPLE, logarithmic', zh: 'KERPLE（对数）' },
    note: {
      en: 'Adds −ln(1 + r |m − n|). r is learned; here it is 1 in the first head and half as large in each next.',
      zh: '加上 −ln(1 + r |m − n|)。r 本是学来的；这里第一个头取 1，往后逐头减半。',
    },
  },
  'kerple-power': {
    name: { en: 'KERPLE, power', zh: 'KERPLE（幂）' },
    note: {
      en: 'Adds −½ |m − n|^p. p is learned; here head h of H has h/H, so that the last is a straight line, as in ALiBi.',
      zh: '加上 −½ |m − n|^p。p 本是学来的；这里 H 个头中的第 h 个取 h/H，最后一个头就是 ALiBi 那样的直线。',
    },
  },
  rerope: {
    name: { en: 'ReRoPE, window 4', zh: 'ReRoPE（窗口 4）' },
    note: {
      en: 'RoPE by the true distance below 4; from there on every pair is rotated as if it were 4 apart.',
      zh: '距离小于 4 时按真实距离旋转；再远，一律当作相距 4。',
    },
  },
  'log-n': {
    name: { en: 'RoPE with log n', zh: 'RoPE + log n' },
    note: {
      en: 'RoPE, and each row of scores multiplied by max(1, ln(m + 1)/ln 4): later rows are more concentrated. Real models use their training length in place of 4.',
      zh: 'RoPE 之外，每行分数乘 max(1, ln(m + 1)/ln 4)：越靠后的行越集中。真实的模型用训练长度代替 4。',
    },
  },
  ...textSchemeText,
};
