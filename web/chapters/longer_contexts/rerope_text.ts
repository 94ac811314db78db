/** Words of the figure `rerope-map`. */
import type { Try } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';

const list = (values: number[], names: string[], by: string) =>
  names.map((name, k) => `${name}\u00a0${values[k]}`).join(by);

/** `beyond`: how many distances training has not shown, by RoPE, Leaky ReRoPE and ReRoPE. */
interface Finding {
  trained: number;
  length: number;
  beyond: readonly number[];
}

export const words = {
  window: { en: 'Window', zh: '窗口' },
  factor: { en: 'Slowdown factor', zh: '放慢倍数' },
  trained: { en: 'Training length', zh: '训练长度' },
  length: { en: 'Present length', zh: '当前长度' },
  distance: { en: 'Distance to read off', zh: '读数处的距离' },
  tries: [
    {
      label: { en: 'Set c to 2', zh: '把 c 设为 2' },
      notice: {
        en: 'Half a position per step is too fast: Leaky ReRoPE enters the shade as RoPE does, only later.',
        zh: '每步增加半个位置还是太快：Leaky ReRoPE 也进了阴影，只是比 RoPE 晚。',
      },
      set: { factor: 2, window: 16, trained: 32 },
    },
    {
      label: { en: 'Set c to 1', zh: '把 c 设为 1' },
      notice: {
        en: 'Leaky ReRoPE is RoPE now: its line lies on the gray one, and most distances are unseen.',
        zh: 'Leaky ReRoPE 就是 RoPE：紫线与灰线重合，大多数距离训练时都没见过。',
      },
      set: { factor: 1, window: 16, trained: 32 },
    },
    {
      label: { en: 'Make the window too wide', zh: '把窗口调得太宽' },
      notice: {
        en: 'w is above L₀, so both methods use positions that training has not shown.',
        zh: 'w 超过了 L₀，两种方法都用到了训练没见过的位置。',
      },
      set: { factor: 8, window: 48, trained: 32 },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'ReRoPE: limited distances',
      question:
        'What if distances were exact up to a window, and grew slowly, or not at all, beyond it?',
      caption:
        'The relative position used at each distance. Up to w the three lines agree. Beyond w, Leaky ReRoPE grows by 1/c per step and ReRoPE stays at w. Shaded positions are unseen in training.',
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
      unseen: 'unseen in training',
      describe: ({ trained, length, beyond: [rope = 0, leaky, rerope] }: Finding) =>
        `RoPE takes ${whole(rope)} of ${whole(length)} distances past its training on ${whole(trained)}, Leaky ReRoPE ${leaky ? whole(leaky) : 'none'} and ReRoPE ${rerope ? whole(rerope) : 'none'}.`,
    },
    zh: {
      title: 'ReRoPE：限制距离',
      question: '窗口内用真实距离，窗口外放慢甚至停止增长，会怎样？',
      caption:
        '每个距离实际使用的相对位置。在 w 以内三条线重合；超过 w，Leaky ReRoPE 每步只增加 1/c，ReRoPE 停在 w。阴影是训练没见过的位置。',
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
      unseen: '训练时没见过',
      describe: ({ trained, length, beyond: [rope = 0, leaky, rerope] }: Finding) =>
        `${whole(length)} 个距离里，RoPE 有 ${whole(rope)} 个超出训练长度 ${whole(trained)}；${leaky || rerope ? `Leaky ReRoPE 有 ${whole(leaky ?? 0)} 个，ReRoPE 有 ${whole(rerope ?? 0)} 个` : 'Leaky ReRoPE 和 ReRoPE 一个也没有'}。`,
    },
  },
};
