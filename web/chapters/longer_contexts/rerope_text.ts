/** Words of the figure `rerope-map`. */
import { whole } from '../../plots/number.ts';

export const reropeText = {
  en: {
    title: 'ReRoPE: distances that slow down',
    question:
      'What if distances were counted honestly up to a window, and slowly, or not at all, beyond it?',
    caption:
      'Up to w all three lines are one: near keys are served exactly as in training. Beyond it Leaky ReRoPE counts w + 1/k, w + 2/k, …, and ReRoPE stays at w. The shaded region holds relative positions that training never saw: drag k up until the purple line keeps out of it. With k = 1 it is RoPE again; as k grows it lies down on the dashed line. Put w above L₀ and both fail as RoPE does.',
  },
  zh: {
    title: 'ReRoPE：越远数得越慢',
    question: '窗口以内老实地数距离，窗口以外数得慢一些，甚至不再数，会怎样？',
    caption:
      '在 w 以内三条线重合：近处的键和训练时完全一样。出了窗口，Leaky ReRoPE 数 w + 1/k、w + 2/k、……，ReRoPE 停在 w 不动。阴影里是训练没见过的相对位置：把 k 调大，直到紫线不再进入阴影。k = 1 就是原来的 RoPE；k 越大，紫线越贴近虚线。把 w 调到 L₀ 以上，两种方法都和 RoPE 一样出界。',
  },
};

const list = (values: number[], names: string[], by: string) =>
  names.map((name, k) => `${name} ${values[k]}`).join(by);

export const words = {
  window: { en: 'Window', zh: '窗口' },
  factor: { en: 'Slower by', zh: '放慢倍数' },
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Length now', zh: '现在的长度' },
  distance: { en: 'Distance to read off', zh: '读数处的距离' },
  strings: {
    en: {
      distanceAxis: 'distance m − n',
      relativeAxis: 'relative position used',
      leaky: 'Leaky ReRoPE',
      rerope: 'ReRoPE',
      rope: 'RoPE',
      limit: 'trained: up to L₀ − 1',
      leakyAt: (distance: number) => `Leaky ReRoPE at distance ${whole(distance)}`,
      reropeAt: (distance: number) => `ReRoPE at distance ${whole(distance)}`,
      largest: 'Largest relative position of Leaky ReRoPE',
      beyond: 'Distances mapped beyond training',
      counts: (...values: number[]) => list(values, ['RoPE', 'Leaky', 'ReRoPE'], ', '),
      scores: 'Causal scores to compute: one pass, two',
      twice: (once: number, both: number) => `${whole(once)} and ${whole(both)}`,
      describe: (window: number, factor: number, length: number, largest: string) =>
        `Relative position against distance: one line up to ${whole(window)}, then Leaky ReRoPE climbs ${factor} times slower and reaches ${largest} at the end of ${whole(length)} positions, while ReRoPE stays at ${whole(window)}.`,
    },
    zh: {
      distanceAxis: '距离 m − n',
      relativeAxis: '使用的相对位置',
      leaky: 'Leaky ReRoPE',
      rerope: 'ReRoPE',
      rope: 'RoPE',
      limit: '训练到 L₀ − 1',
      leakyAt: (distance: number) => `距离 ${whole(distance)} 处的 Leaky ReRoPE`,
      reropeAt: (distance: number) => `距离 ${whole(distance)} 处的 ReRoPE`,
      largest: 'Leaky ReRoPE 的最大相对位置',
      beyond: '映射到训练范围以外的距离有几个',
      counts: (...values: number[]) => list(values, ['RoPE', 'Leaky', 'ReRoPE'], '，'),
      scores: '要算的分数（因果）：一遍与两遍',
      twice: (once: number, both: number) => `${whole(once)} 与 ${whole(both)}`,
      describe: (window: number, factor: number, length: number, largest: string) =>
        `相对位置随距离变化：到 ${whole(window)} 为止是同一条线，此后 Leaky ReRoPE 慢 ${factor} 倍地上升，在 ${whole(length)} 个位置的末端到 ${largest}，ReRoPE 停在 ${whole(window)}。`,
    },
  },
};
