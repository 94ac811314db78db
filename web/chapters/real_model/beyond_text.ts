/** Words of the figure `beyond-512`. */
import type { Try } from '../../figures/figure.ts';

/** A method, and by how much its loss is above that of direct extrapolation. */
type Cost = readonly [name: string, nats: string];

const isNone = (nats: string) => Number(nats) === 0;

export const beyondWords = {
  factor: { en: 'Factor of PI, NTK, YaRN', zh: 'PI、NTK、YaRN 的倍数' },
  reach: { en: 'Reach of ReRoPE', zh: 'ReRoPE 的最大距离' },
  keys: { en: 'Keys in the window', zh: '窗口内的键数' },
  methods: {
    direct: { en: 'direct', zh: '直接外推' },
    window: { en: 'window', zh: '窗口' },
    rerope: { en: 'ReRoPE', zh: 'ReRoPE' },
    pi: { en: 'PI', zh: 'PI' },
    ntk: { en: 'NTK-aware', zh: 'NTK-aware' },
    'by-parts': { en: 'NTK-by-parts', zh: 'NTK-by-parts' },
    yarn: { en: 'YaRN', zh: 'YaRN' },
    'log-n': { en: 'log n', zh: 'log n' },
  },
  tries: [
    {
      label: { en: 'Lower the factor to 1', zh: '把倍数降到 1' },
      notice: {
        en: 'PI, NTK and YaRN change nothing at factor 1: their lines lie on that of direct extrapolation.',
        zh: '倍数是 1，PI、NTK、YaRN 什么也没改：它们的线都与直接外推重合。',
      },
      set: { factor: 1, pi: true },
    },
    {
      label: { en: 'Limit ReRoPE to distance 16', zh: '把 ReRoPE 的距离限到 16' },
      notice: {
        en: 'Too short: ReRoPE now has a higher loss even within 512 places.',
        zh: '太短了：512 以内，ReRoPE 的损失也变高了。',
      },
      set: { reach: 16 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Beyond 512 places',
      question: 'Which method helps a trained model beyond its 512 places, and what does it cost?',
      caption:
        'The loss at each place of a text of 1,100 tokens, minus that of direct extrapolation: below 0 a method helps, above it costs. The model was trained on 512 at most; no weight is changed.',
      methods: 'Methods',
      method: 'method',
      means: 'Mean loss by section of the text',
      places: (first: string, last: string) => `${first}–${last}`,
      placeAxis: 'place in the text',
      differenceAxis: 'loss − direct’s, nats (↓ better)',
      trained: 'trained to 512',
      recorded: 'Recorded; every change runs the model here, on the same text.',
      live: 'Computed here, by the model in your browser.',
      more: 'More: keys in the window',
      none: (direct: string) =>
        `None of these has a lower loss at places 768 to 1,023 than direct extrapolation with ${direct} nats.`,
      describe: (gain: string, [best, cost]: Cost, [dearest, most]: Cost) =>
        `${best} helps most: at places 768 to 1,023 its loss is ${gain} nats below direct’s. Within the training it ${isNone(cost) ? 'hardly changes the loss' : `adds ${cost} nats`}; ${dearest} adds most, ${most}.`,
    },
    zh: {
      title: '超过 512 个位置',
      question: '文本超过训练时的 512 个位置，哪种方法有用，代价是什么？',
      caption:
        '一段 1,100 个词元的文本，各个位置上的损失减去直接外推的损失：低于 0，方法有用；高于 0，就是付出的代价。模型训练时最多 512 个词元，各方法都不改动权重。',
      methods: '方法',
      method: '方法',
      means: '文本各段的平均损失',
      places: (first: string, last: string) => `${first}–${last}`,
      placeAxis: '在文本中的位置',
      differenceAxis: '损失与直接外推之差（nat），↓ 更好',
      trained: '训练到 512',
      recorded: '预先算好；任何改动都会在你的浏览器里用同一段文本重算。',
      live: '由你浏览器里的模型算出。',
      more: '更多：窗口内的键数',
      none: (direct: string) => `位置 768 到 1,023 上，这些方法都不好于直接外推的 ${direct} nat。`,
      describe: (gain: string, [best, cost]: Cost, [dearest, most]: Cost) =>
        `${best} 最有用：位置 768 到 1,023 上，损失比直接外推低 ${gain} nat。训练长度以内，它${isNone(cost) ? '几乎不改变损失' : `让损失升高 ${cost} nat`}；升得最多的是 ${dearest}，${most} nat。`,
    },
  },
};
