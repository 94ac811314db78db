/** Schemes that act at the input, and none at all. */
import { byMask, keysStay, open, type Lab, type SchemeRecord } from './record.ts';

export const lab = {
  none: {
    name: { en: 'none', zh: '无位置编码' },
    note: {
      en: 'No position: scores depend on the words alone.',
      zh: '没有位置信息：分数只取决于词。',
    },
  },
  sinusoidal: {
    name: { en: 'sinusoidal', zh: '正弦编码' },
    note: {
      en: 'Sines and cosines of the position, added to each token vector.',
      zh: '把位置的正弦、余弦加到每个词元向量上。',
    },
  },
  learned: {
    name: { en: 'learned', zh: '可学习编码' },
    note: {
      en: 'A row of a table for each position, random here as before training. The table ends at 512: there is no position after it.',
      zh: '每个位置一行向量，这里是训练前的随机数。表只有 512 行，再往后就没有位置了。',
    },
  },
} satisfies Lab;

export const records = {
  none: {
    name: { en: 'No position', zh: '无位置编码' },
    term: {
      name: { en: 'NoPE', zh: '无位置编码（NoPE）' },
      anchor: '#layers-differ',
      definition: {
        en: 'A layer or model without position information.',
        zh: '不使用位置信息的层或模型。',
      },
    },
    history: {
      name: { en: 'NoPE compared', zh: 'NoPE 的比较' },
      source: 'https://arxiv.org/abs/2305.19466',
      anchor: '#copying',
    },
    ticks: {
      bounded: ['yes', '#order-is-missing', 'adds nothing', '什么也不加'],
      unique: ['no', '#same-word', 'all places look the same', '处处都一样'],
      relative: ['no', '#same-word', 'distance has no effect', '距离没有影响'],
      directed: byMask,
      extrapolates: ['no', '#length-race', 'never learns the drawers', '抽屉任务没学会'],
      cached: keysStay,
    },
    facts: {
      name: { en: 'none (NoPE)', zh: '无位置编码（NoPE）' },
      figure: '#layer-plan',
      acts: { en: 'nothing; the causal mask alone', zh: '什么也不加，只靠因果掩码' },
      learned: { en: 'nothing', zh: '无' },
      cache: { en: 'keys', zh: '键' },
      users: {
        en: 'single layers of Llama 4, SmolLM3, Command R7B',
        zh: 'Llama 4、SmolLM3、Command R7B 的部分层',
      },
    },
  },
  integers: {
    name: { en: 'Integers', zh: '整数' },
    ticks: {
      bounded: ['no', '#one-number', 'grow with the text', '随文本增大'],
      unique: ['yes', '#one-number', 'one number each', '各有一个数'],
      relative: ['half', '#one-number', 'equal steps, but no score', '间隔相等，但不是分数'],
      directed: ['yes', '#one-number', 'larger is later', '越大越靠后'],
      extrapolates: ['no', '#one-number', 'inputs never seen', '输入从没见过'],
      cached: ['yes', '#one-number', 'positions never change', '位置不变'],
    },
  },
  interval: {
    name: { en: 'Scaled to [0, 1]', zh: '缩放到 [0, 1]' },
    ticks: {
      bounded: ['yes', '#one-number', 'from 0 to 1', '0 到 1'],
      unique: ['half', '#one-number', 'within one text only', '只在同一段文本内'],
      relative: ['no', '#one-number', 'steps depend on the length', '间隔随长度变化'],
      directed: ['yes', '#one-number', 'larger is later', '越大越靠后'],
      extrapolates: ['half', '#one-number', 'known range, new steps', '范围见过，间隔没见过'],
      cached: ['no', '#one-number', 'every new token moves all', '每来一个词元都要全改'],
    },
  },
  bits: {
    name: { en: 'Binary digits', zh: '二进制' },
    ticks: {
      bounded: ['yes', '#bits-and-dials', '0 or 1', '0 或 1'],
      unique: ['yes', '#bits-and-dials', 'up to 2ᵈ positions', '至多 2ᵈ 个位置'],
      relative: ['no', '#bits-and-dials', 'one digit flips, or many', '有时翻一位，有时翻很多位'],
      directed: open,
      extrapolates: open,
      cached: ['yes', '#bits-and-dials', 'positions never change', '位置不变'],
    },
  },
  waves: {
    name: { en: 'Sine waves', zh: '正弦波' },
    ticks: {
      bounded: ['yes', '#dial-curve', 'from −1 to 1', '−1 到 1'],
      unique: ['half', '#dial-curve', 'until the curve returns', '直到曲线折返'],
      relative: ['no', '#bits-and-dials', 'steps differ in length', '每一步长短不一'],
      directed: open,
      extrapolates: open,
      cached: ['yes', '#bits-and-dials', 'positions never change', '位置不变'],
    },
  },
  sinusoidal: {
    name: { en: 'Sinusoidal encoding', zh: '正弦编码' },
    term: {
      name: { en: 'sinusoidal encoding', zh: '正弦（Sinusoidal）位置编码' },
      anchor: '#sinusoid',
      definition: {
        en: 'A vector of sines and cosines of the position, added to the input.',
        zh: '由位置的正弦和余弦组成的向量，加在输入上。',
      },
    },
    history: {
      name: { en: 'sinusoidal encoding', zh: '正弦编码' },
      source: 'https://arxiv.org/abs/1706.03762',
      anchor: '#sinusoid',
    },
    ticks: {
      bounded: ['yes', '#sinusoid-heatmap', 'from −1 to 1', '−1 到 1'],
      unique: ['yes', '#sinusoid-heatmap', 'smallest distance above 0', '最小距离大于 0'],
      relative: ['half', '#sinusoid-four-terms', 'one term of four', '四项中的一项'],
      directed: ['half', '#sinusoid-dot-product', 'a layer has to learn it', '要靠这一层去学'],
      extrapolates: ['no', '#length-race', 'fails within a few tokens', '几个词元之内就失败'],
      cached: keysStay,
    },
    facts: {
      name: { en: 'sinusoidal', zh: '正弦编码' },
      figure: '#sinusoid-heatmap',
      acts: { en: 'input', zh: '输入' },
      learned: { en: 'nothing', zh: '无' },
      cache: { en: 'keys', zh: '键' },
      users: { en: 'the first transformer, Whisper', zh: '第一个 Transformer、Whisper' },
    },
  },
  learned: {
    name: { en: 'Learned table', zh: '可学习的表' },
    term: {
      name: { en: 'learned position embedding', zh: '可学习位置编码' },
      anchor: '#a-table-to-learn',
      definition: {
        en: 'A table with one trained row per position.',
        zh: '每个位置一行的表，由训练得到。',
      },
    },
    history: {
      name: { en: 'learned table', zh: '可学习的表' },
      source: 'https://arxiv.org/abs/1705.03122',
      date: '2017-08',
      anchor: '#a-table-to-learn',
    },
    ticks: {
      bounded: ['half', '#learned-table', 'as training leaves it', '由训练决定'],
      unique: ['half', '#learned-table', 'as training leaves it', '由训练决定'],
      relative: ['no', '#attention-lab', 'depends on the rows', '取决于表的行'],
      directed: ['half', '#attention-lab', 'a layer has to learn it', '要靠这一层去学'],
      extrapolates: ['no', '#learned-table', 'ends at its last row', '到最后一行为止'],
      cached: keysStay,
    },
    facts: {
      name: { en: 'learned table', zh: '可学习位置编码' },
      figure: '#learned-table',
      acts: { en: 'input', zh: '输入' },
      learned: { en: 'length × model width', zh: '长度 × 模型宽度' },
      cache: { en: 'keys', zh: '键' },
      users: { en: 'BERT, BART', zh: 'BERT、BART' },
    },
  },
  recurrent: {
    name: { en: 'Recurrent layer', zh: '循环层' },
    term: {
      name: { en: 'recurrent encoding', zh: '循环（RNN）位置编码' },
      anchor: '#order-by-reading',
      definition: {
        en: 'Order from a recurrent layer before attention.',
        zh: '在注意力前加循环层，由它带来顺序。',
      },
    },
    ticks: {
      bounded: ['yes', '#recurrent-order', 'tanh limits the state', 'tanh 限制了状态'],
      unique: ['half', '#recurrent-order', 'depends on the words', '取决于词'],
      relative: ['no', '#recurrent-order', 'all earlier words matter', '与前面所有词有关'],
      directed: ['yes', '#recurrent-order', 'it reads in order', '按顺序读'],
      extrapolates: open,
      cached: ['yes', '#recurrent-order', 'one state, step by step', '一个状态，逐步计算'],
    },
  },
} satisfies Record<string, SchemeRecord>;
