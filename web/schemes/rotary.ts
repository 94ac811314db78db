/** RoPE, its extensions, and factors on its scores. */
import { keysStay, rotation, type Lab, type SchemeRecord } from './record.ts';

export const lab = {
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
} satisfies Lab;

export const records = {
  rope: {
    name: { en: 'RoPE', zh: 'RoPE' },
    term: {
      name: { en: 'RoPE, rotary position embedding', zh: '旋转位置编码（RoPE）' },
      anchor: '#rotation',
      definition: {
        en: 'Rotates pairs of query and key by angles proportional to the position.',
        zh: '把查询和键的维度对旋转，角度与位置成正比。',
      },
    },
    history: { source: 'https://arxiv.org/abs/2104.09864', anchor: '#rotation' },
    ticks: {
      ...rotation,
      unique: ['yes', '#rotary-wavelengths', 'slow pairs never return', '低频对转不完一圈'],
      extrapolates: ['no', '#unseen-angles', 'unseen angles', '会遇到没见过的角度'],
      cached: keysStay,
    },
    facts: {
      figure: '#rotary-clocks',
      acts: { en: 'query and key', zh: '查询和键' },
      learned: { en: 'nothing', zh: '无' },
      cache: { en: 'rotated keys', zh: '旋转后的键' },
      users: { en: 'Llama, Qwen2.5, Gemma 2, GPT-NeoX', zh: 'Llama、Qwen2.5、Gemma 2、GPT-NeoX' },
    },
    extension: {
      name: { en: 'none', zh: '不改' },
      figure: '#unseen-angles',
      method: 'direct',
      changes: { en: 'nothing', zh: '无' },
      users: { en: '–', zh: '–' },
    },
  },
  xpos: {
    name: { en: 'xPos', zh: 'xPos' },
    history: {
      source: 'https://arxiv.org/abs/2212.10554',
      anchor: '#attention-lab',
    },
  },
  pi: {
    name: { en: 'RoPE with PI', zh: 'RoPE + 位置内插（PI）' },
    term: {
      name: { en: 'PI, Position Interpolation', zh: '位置内插（PI，又译插值）' },
      anchor: '#recipes',
      definition: { en: 'Divides all frequencies by $s$.', zh: '把所有频率除以 $s$。' },
    },
    history: {
      name: { en: 'Position Interpolation', zh: '位置内插' },
      source: 'https://arxiv.org/abs/2306.15595',
      anchor: '#recipes',
    },
    ticks: {
      ...rotation,
      unique: ['half', '#frequency-scalings', 'neighbors move together', '相邻位置靠得太近'],
      extrapolates: [
        'half',
        '#extend-without-training',
        'drawers, not induction',
        '抽屉行，归纳不行',
      ],
      cached: ['yes', '#stale-cache-text', 'with a fixed factor', '倍数固定即可'],
    },
    extension: {
      name: { en: 'Position Interpolation', zh: '位置内插（PI）' },
      figure: '#frequency-scalings',
      method: 'pi',
      changes: { en: 'all pairs alike', zh: '所有维度对，程度相同' },
      users: { en: 'Gemma 3, full layers', zh: 'Gemma 3 的全注意力层' },
    },
  },
  ntk: {
    name: { en: 'RoPE with NTK-aware scaling', zh: 'RoPE + NTK-aware' },
    term: {
      name: { en: 'NTK-aware', zh: 'NTK-aware' },
      anchor: '#recipes',
      definition: {
        en: 'Raises the base: the fastest pair stays, the slowest is slowed by $s$.',
        zh: '调大底数：频率最高的维度对不变，最低的放慢 $s$ 倍。',
      },
    },
    history: {
      name: { en: 'NTK-aware', zh: 'NTK-aware' },
      source: 'https://kexue.fm/archives/9675',
      date: '2023-07',
      anchor: '#recipes',
    },
    ticks: {
      ...rotation,
      unique: ['yes', '#frequency-scalings', 'fast pairs are kept', '高频对不变'],
      extrapolates: [
        'half',
        '#extend-without-training',
        'a little, on both tasks',
        '两个任务略有改善',
      ],
      cached: ['half', '#stale-cache', 'not in its dynamic form', '动态形式不行'],
    },
    extension: {
      name: { en: 'NTK-aware', zh: 'NTK-aware' },
      figure: '#frequency-scalings',
      method: 'ntk',
      changes: { en: 'the base', zh: '底数' },
      users: { en: '–', zh: '–' },
    },
  },
  byParts: {
    name: { en: 'NTK-by-parts, 1 and 4', zh: 'NTK-by-parts（1 和 4）' },
    extension: {
      figure: '#frequency-scalings',
      method: 'by_parts_1_4',
      changes: { en: 'slow pairs', zh: '低频对' },
      users: { en: 'Llama 3.1', zh: 'Llama 3.1' },
    },
  },
  yarn: {
    name: { en: 'RoPE with YaRN', zh: 'RoPE + YaRN' },
    term: {
      name: { en: 'YaRN', zh: 'YaRN' },
      anchor: '#recipes',
      definition: { en: 'NTK-by-parts with a temperature.', zh: 'NTK-by-parts 加上温度。' },
    },
    history: {
      name: { en: 'YaRN', zh: 'YaRN' },
      source: 'https://arxiv.org/abs/2309.00071',
      anchor: '#recipes',
    },
    ticks: {
      ...rotation,
      unique: ['yes', '#frequency-scalings', 'fast pairs are kept', '高频对不变'],
      extrapolates: [
        'half',
        '#extend-without-training',
        'mostly, on both tasks',
        '两个任务大体可行',
      ],
      cached: ['yes', '#stale-cache-text', 'with a fixed factor', '倍数固定即可'],
    },
    extension: {
      name: { en: 'YaRN as coded', zh: 'YaRN（代码实现）' },
      figure: '#frequency-scalings',
      method: 'yarn',
      changes: { en: 'slow pairs, temperature', zh: '低频对、温度' },
      users: { en: 'DeepSeek-V3, gpt-oss', zh: 'DeepSeek-V3、gpt-oss' },
    },
  },
  rerope: {
    name: { en: 'ReRoPE', zh: 'ReRoPE' },
    history: {
      source: 'https://kexue.fm/archives/9708',
      date: '2023-08',
      anchor: '#rerope',
    },
    ticks: {
      ...rotation,
      unique: ['half', '#rerope-map', 'not beyond the window', '窗口以外分不清'],
      extrapolates: [
        'half',
        '#extend-without-training',
        'induction, mostly drawers',
        '归纳可行，抽屉大体可行',
      ],
      cached: ['half', '#rerope-map', 'unrotated keys, two passes', '存旋转前的键，算两遍'],
    },
    extension: {
      name: { en: 'ReRoPE, w = L₀/2', zh: 'ReRoPE（w = L₀/2）' },
      figure: '#rerope-map',
      method: 'rerope_16',
      changes: { en: 'distances beyond w; two passes', zh: '超过 w 的距离；分数算两遍' },
      users: { en: '–', zh: '–' },
    },
  },
  logN: {
    name: { en: 'log-n scaling', zh: 'log-n 缩放' },
    history: {
      source: 'https://kexue.fm/archives/8823',
      date: '2021-12',
      anchor: '#log-n',
    },
  },
} satisfies Record<string, SchemeRecord>;
