/** The schemes of text_schemes.ts: their names, and what each does, in one or two sentences. */
import type { textSchemes } from './text_schemes.ts';

export type TextScheme = keyof typeof textSchemes;

type Words = Record<'en' | 'zh', string>;

export const textSchemeText: Record<TextScheme, { name: Words; note: Words }> = {
  fox: {
    name: { en: 'FoX', zh: 'FoX' },
    note: {
      en: 'Adds the logarithms of the forget gates between key and query.',
      zh: '把键与查询之间各遗忘门的对数加到分数上。',
    },
  },
  cable: {
    name: { en: 'CABLE', zh: 'CABLE' },
    note: {
      en: 'As FoX, with the sign of the gate’s logit reversed. Its code leaves out 1/√d; the page keeps it.',
      zh: '与 FoX 相同，只是门的 logit 反号。它的代码省去了 1/√d，这里保留。',
    },
  },
  cope: {
    name: { en: 'CoPE', zh: 'CoPE' },
    note: {
      en: 'Counts gates σ(q ⋅ k/√d) between key and query, and adds q ⋅ (row of a table) for that count. The table is random here.',
      zh: '数键与查询之间的门 σ(q ⋅ k/√d)，再按这个数查表，把 q ⋅ 表的那一行加到分数上。这里的表是随机的。',
    },
  },
  'selective-rope': {
    name: { en: 'Selective RoPE', zh: 'Selective RoPE' },
    note: {
      en: 'Rotates query and key by increments that add up from token to token. The gate scales its token’s increment.',
      zh: '查询和键的旋转角由逐个词元的增量累加而成，门控制该词元的增量。',
    },
  },
  'grape-m': {
    name: { en: 'GRAPE-M, contextual', zh: 'GRAPE-M（由文本决定）' },
    note: {
      en: 'As RoPE, where each earlier token counts σ(x/16) instead of 1, about a half.',
      zh: '与 RoPE 相同，只是前面的每个词元不算 1，而算 σ(x/16)，约为一半。',
    },
  },
  repo: {
    name: { en: 'RePo', zh: 'RePo' },
    note: {
      en: 'RoPE at a real position that each token computes for itself. Order plays no part.',
      zh: '每个词元自己算出一个实数位置，再用 RoPE；与先后次序无关。',
    },
  },
  path: {
    name: { en: 'PaTH', zh: 'PaTH' },
    note: {
      en: 'Each token between key and query removes a part of the key along a direction of its own. The gate says how much.',
      zh: '键与查询之间的每个词元沿自己的方向去掉键的一部分，门决定去掉多少。',
    },
  },
  wall: {
    name: { en: 'Wall', zh: 'Wall' },
    note: {
      en: 'As FoX, but inside q ⋅ k: each channel has gates of its own, and the product fades.',
      zh: '与 FoX 类似，但在 q ⋅ k 内部：每个通道有自己的门，乘积随之减弱。',
    },
  },
  'grape-a': {
    name: { en: 'GRAPE-A', zh: 'GRAPE-A' },
    note: {
      en: 'As ALiBi, with a slope that query and key decide.',
      zh: '与 ALiBi 相同，只是斜率由查询和键决定。',
    },
  },
  'grape-ap': {
    name: { en: 'GRAPE-AP', zh: 'GRAPE-AP' },
    note: {
      en: 'Adds a term per token between key and query, as FoX, but the query decides each term too.',
      zh: '与 FoX 一样，键与查询之间每个词元加一项，但每一项也由查询决定。',
    },
  },
  'row-gates': {
    name: { en: 'gates per row', zh: '逐行门控' },
    note: {
      en: 'A forget gate per pair of tokens, not per token.',
      zh: '遗忘门属于一对词元，而不是一个词元。',
    },
  },
  selective: {
    name: { en: 'selective attention', zh: '选择性注意力' },
    note: {
      en: 'Earlier queries that scored a key highly make later queries ignore it.',
      zh: '前面的查询给某个键打了高分，后面的查询就少看它。',
    },
  },
  pope: {
    name: { en: 'PoPE', zh: 'PoPE' },
    note: {
      en: 'Sizes come from the text, softplus(q) and softplus(k), phases from the position alone.',
      zh: '大小来自文本，即 softplus(q) 和 softplus(k)；相位只来自位置。',
    },
  },
  'stick-breaking': {
    name: { en: 'stick-breaking', zh: '折棍（stick-breaking）' },
    note: {
      en: 'No softmax: the nearest key takes a share σ(score), the next a share of what is left. The query’s own token gets nothing.',
      zh: '不用 softmax：最近的键先取走 σ（分数）的份额，下一个键再从剩下的里取；查询自己那个词元得零。',
    },
  },
  ssmax: {
    name: { en: 'RoPE with SSMax', zh: 'RoPE + SSMax' },
    note: {
      en: 'RoPE, with scores times 0.43 ln n for the n keys that the query sees. The text enters through n alone.',
      zh: 'RoPE 之外，分数再乘 0.43 ln n，n 是查询能看到的键数；文本只通过 n 起作用。',
    },
  },
};
