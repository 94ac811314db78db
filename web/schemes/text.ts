/** Schemes whose positions come from the text, in the order of their table. */
import { byMask, type Lab, type SchemeRecord } from './record.ts';

export const lab = {
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
    name: { en: 'stick-breaking', zh: 'stick-breaking' },
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
} satisfies Lab;

export type TextScheme = keyof typeof lab;

export const records = {
  fox: {
    name: { en: 'FoX', zh: 'FoX' },
    history: {
      source: 'https://arxiv.org/abs/2503.02130',
      anchor: '#text-positions',
    },
    ticks: {
      bounded: ['half', '#moving-ruler', 'the sum grows', '和越来越大'],
      unique: ['half', '#moving-ruler', 'an open gate adds nothing', '门全开时没有增加'],
      relative: ['half', '#moving-ruler', 'a distance from the text', '距离由文本决定'],
      directed: byMask,
      extrapolates: ['yes', '#length-race', 'near 100% on the drawers', '抽屉任务接近 100%'],
      cached: ['yes', '#text-family', 'one sum per token and head', '每个词元、每个头一个和'],
    },
    facts: {
      figure: '#moving-ruler',
      acts: { en: 'score, by gates', zh: '分数（由门决定）' },
      learned: { en: 'model width + 1 per head', zh: '每头“模型宽度 + 1”个' },
      cache: { en: 'keys, one sum per token and head', zh: '键，每个词元、每个头一个和' },
      users: { en: 'research', zh: '研究' },
    },
    row: {
      name: { en: 'FoX, CABLE', zh: 'FoX、CABLE' },
      decides: { en: 'one gate per token', zh: '每个词元一个门' },
      formula: '$\\text{score} + c_m - c_n$',
      cost: { en: '$n$ numbers', zh: '$n$ 个数' },
      cache: { en: 'one sum per token', zh: '每个词元一个和' },
      sources: [
        ['2503.02130', 'https://arxiv.org/abs/2503.02130'],
        ['Cable', 'https://github.com/axiomlab/Cable'],
      ],
    },
  },
  cope: {
    name: { en: 'CoPE', zh: 'CoPE' },
    history: {
      source: 'https://arxiv.org/abs/2405.18719',
      anchor: '#text-positions',
    },
    ticks: {
      bounded: ['yes', 'https://arxiv.org/abs/2405.18719', 'the count has a maximum', '计数有上限'],
      unique: ['half', '#moving-ruler', 'a closed gate adds nothing', '门全关时没有增加'],
      relative: ['half', '#moving-ruler', 'counts chosen tokens', '只数选中的词元'],
      directed: byMask,
      extrapolates: [
        'half',
        '#flip-flop-memory',
        'drawers yes, flip-flop no',
        '抽屉可以，flip-flop 不行',
      ],
      cached: ['half', '#text-family', 'gates for every query', '每个查询都要重算门'],
    },
    facts: {
      figure: '#moving-ruler',
      acts: { en: 'score, by counting', zh: '分数（由计数决定）' },
      learned: { en: 'largest count × head dimension', zh: '最大计数 × 每头维度' },
      cache: { en: 'keys', zh: '键' },
      users: { en: 'research', zh: '研究' },
    },
    row: {
      decides: { en: 'gates of query and key', zh: '查询与键之间的门' },
      formula: '$\\text{score} + q_m\\cdot e[\\textstyle\\sum g_{mt}]$',
      cost: { en: '$n$ gates per query', zh: '每个查询 $n$ 个门' },
      cache: { en: 'nothing', zh: '无' },
    },
  },
  selectiveRope: {
    name: { en: 'Selective RoPE', zh: 'Selective RoPE' },
    history: {
      source: 'https://openreview.net/forum?id=AQo1SEElNb',
      date: '2026',
      anchor: '#text-positions',
    },
    row: {
      decides: { en: 'angle increments', zh: '角度的增量' },
      formula: '$R(\\Phi_m)q_m\\cdot R(\\Phi_n)k_n$',
      cost: { en: 'as RoPE', zh: '同 RoPE' },
      cache: { en: 'the last sum $\\Phi$', zh: '最后的和 $\\Phi$' },
    },
  },
  grapeM: {
    name: { en: 'GRAPE-M', zh: 'GRAPE-M' },
    history: {
      name: { en: 'GRAPE', zh: 'GRAPE' },
      source: 'https://arxiv.org/abs/2512.07805',
      anchor: '#text-family',
    },
    row: {
      decides: { en: 'the length of each step', zh: '每一步的长短' },
      formula: {
        en: 'RoPE at $\\sum_{t&lt;m}\\omega_t$',
        zh: 'RoPE，位置为 $\\sum_{t&lt;m}\\omega_t$',
      },
      cost: { en: 'as RoPE', zh: '同 RoPE' },
      cache: { en: 'the last sum', zh: '最后的和' },
    },
  },
  repo: {
    name: { en: 'RePo', zh: 'RePo' },
    history: {
      source: 'https://arxiv.org/abs/2512.14391',
      anchor: '#text-positions',
    },
    row: {
      decides: { en: 'a position per token', zh: '每个词元的位置' },
      formula: { en: 'RoPE at $z_m$', zh: 'RoPE，位置为 $z_m$' },
      cost: { en: 'as RoPE', zh: '同 RoPE' },
      cache: { en: 'nothing', zh: '无' },
    },
  },
  path: {
    name: { en: 'PaTH', zh: 'PaTH' },
    history: {
      source: 'https://arxiv.org/abs/2505.16381',
      anchor: '#text-family',
    },
    row: {
      decides: { en: 'a direction and a gate per token', zh: '每个词元的方向和门' },
      formula: '$q_m^{\\top} H_m\\cdots H_{n+1}k_n$',
      cost: { en: '$d$ per pair, in sequence', zh: '每两个词元 $d$，须依次计算' },
      cache: { en: 'rewrites every key per step', zh: '每步改写所有的键' },
    },
  },
  wall: {
    name: { en: 'Wall', zh: 'Wall' },
    history: {
      source: 'https://blog.tilderesearch.com/blog/wall-attn',
      date: '2026',
      anchor: '#text-family',
    },
    row: {
      decides: { en: '$d$ gates per token', zh: '每个词元 $d$ 个门' },
      formula: '$\\textstyle\\sum_i q_{mi}k_{ni}e^{P_{mi}-P_{ni}}$',
      cost: { en: '$n\\,d$ numbers', zh: '$n\\,d$ 个数' },
      cache: { en: '$d$ sums per token', zh: '每个词元 $d$ 个和' },
      sources: [['Tilde Research', 'https://blog.tilderesearch.com/blog/wall-attn']],
    },
  },
  grapeA: {
    name: { en: 'GRAPE-A', zh: 'GRAPE-A' },
    row: {
      decides: { en: 'the slope of ALiBi', zh: 'ALiBi 的斜率' },
      formula: '$\\text{score} - (m-n)\\,\\omega\\,(\\alpha_m + \\beta_n)$',
      cost: { en: '$2n$ numbers', zh: '$2n$ 个数' },
      cache: { en: '$\\beta$ per token', zh: '每个词元的 $\\beta$' },
      sources: [['2512.07805', 'https://arxiv.org/abs/2512.07805']],
    },
  },
  grapeAp: {
    name: { en: 'GRAPE-AP', zh: 'GRAPE-AP' },
    row: {
      decides: { en: 'a gate per pair', zh: '每两个词元之间一个门' },
      formula: '$\\text{score} + \\textstyle\\sum_{l=n+1}^{m}\\psi(m,l)$',
      cost: { en: 'a logarithm per pair', zh: '每两个词元一次对数' },
      cache: { en: '$p$ per token', zh: '每个词元的 $p$' },
      sources: [['2512.07805', 'https://arxiv.org/abs/2512.07805']],
    },
  },
  rowGates: {
    name: { en: 'gates per row', zh: '逐行门控' },
    row: {
      name: { en: 'Gates per row', zh: '逐行门控' },
      decides: { en: 'a gate per pair', zh: '每两个词元之间一个门' },
      formula: '$\\text{score} + \\textstyle\\sum_{l=n}^{m-1}\\ln\\sigma(u_m\\cdot r_l)$',
      cost: { en: 'a logarithm per pair', zh: '每两个词元一次对数' },
      cache: { en: '$r$ per token', zh: '每个词元的 $r$' },
      sources: [['x-transformers', 'https://github.com/lucidrains/x-transformers']],
    },
  },
  selective: {
    name: { en: 'selective attention', zh: '选择性注意力' },
    row: {
      name: { en: 'Selective attention', zh: '选择性注意力' },
      decides: { en: 'what earlier queries marked', zh: '先前的查询标记了什么' },
      formula: '$\\text{score} - \\textstyle\\sum_{t&lt;m} S_{tn}$',
      cost: { en: 'all scores of one head', zh: '一个头的全部分数' },
      cache: { en: 'one sum per key', zh: '每个键一个和' },
      sources: [['2410.02703', 'https://arxiv.org/abs/2410.02703']],
    },
  },
  stickBreaking: {
    name: { en: 'stick-breaking', zh: 'stick-breaking' },
    history: {
      source: 'https://arxiv.org/abs/2410.17980',
      anchor: '#text-family',
    },
    row: {
      name: { en: 'Stick-breaking', zh: 'Stick-breaking' },
      decides: { en: 'the share each key takes', zh: '每个键取走多少' },
      formula: '$\\sigma(s_{mn})\\textstyle\\prod_{n&lt;t&lt;m}(1-\\sigma(s_{mt}))$',
      cost: { en: 'keys from near to far', zh: '键须由近到远' },
      cache: { en: 'nothing', zh: '无' },
    },
  },
  pope: {
    name: { en: 'PoPE', zh: 'PoPE' },
    history: {
      source: 'https://arxiv.org/abs/2509.10534',
      anchor: '#text-family',
    },
    row: {
      decides: { en: 'sizes, but no phases', zh: '大小，不含相位' },
      formula: '$\\textstyle\\sum_c \\mu_c\\nu_c\\cos((m-n)\\theta_c-\\delta_c)$',
      cost: { en: 'products of width $2d$', zh: '宽为 $2d$ 的乘积' },
      cache: { en: 'keys of width $2d$', zh: '宽为 $2d$ 的键' },
    },
  },
  ssmax: {
    name: { en: 'SSMax', zh: 'SSMax' },
    history: {
      source: 'https://arxiv.org/abs/2501.19399',
      anchor: '#text-family',
    },
    row: {
      decides: { en: 'only the number of keys', zh: '只有键的个数' },
      formula: '$\\mathrm{softmax}(a\\,\\ln n\\cdot \\text{score})$',
      cost: { en: 'one factor per row', zh: '每行一个因子' },
      cache: { en: 'nothing', zh: '无' },
    },
  },
} satisfies Record<string, SchemeRecord>;
