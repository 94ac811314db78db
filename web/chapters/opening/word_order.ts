/** Three words change places; attention without position does not notice. */
import { css, html, svg } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import '../../components/play.ts';
import { defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { textWidth } from '../../plots/axis.ts';
import { css as cssColor, colorOf, inkOn, magnitudeScale } from '../../plots/colors.ts';
import { fixed, rounded } from '../../plots/number.ts';
import type { WordOrder } from './jobs.ts';

const text = {
  en: {
    title: 'Word order and attention',
    question: 'The words change places. Does attention notice?',
    caption:
      'Each bar divides the attention of one word among the three; notches mark its parts in “dog bites man”. Without position no order moves a bar off its notches. The model is random, but chosen from 300 for a large change; for half of them it is below 0.19.',
    words: ['dog', 'bites', 'man'],
    space: ' ',
    without: 'Without position',
    with: 'With position (sinusoidal)',
    shuffle: 'Shuffle the words',
    play: { start: 'Play', stop: 'Pause' },
    change: {
      without: 'Largest change of any weight over all six orders, without position (rounding)',
      with: 'Largest change, with position',
    },
    column: (word: string, which: string) => `${word} (${which})`,
    query: 'word',
    position: 'position',
    describe: (written: string, sentence: string, change: string) =>
      written === sentence
        ? `Compare the other orders with this one: without position nothing changes; with it, weights change by up to ${change}.`
        : `Without position, no: “${sentence}” gives the same bars as “${written}”. With position, weights change, by up to ${change} over all orders.`,
  },
  zh: {
    title: '词序与注意力',
    question: '词换了位置，注意力察觉到了吗？',
    caption:
      '每一条是一个字的注意力在三个字之间的分配，刻痕是“狗咬人”时的分法。没有位置信息时，不管什么顺序，条都不离刻痕，看不出是谁咬谁。参数是随机取的：300 组里挑了变化明显的一组，半数的组变化不到 0.19。',
    words: ['狗', '咬', '人'],
    space: '',
    without: '没有位置信息',
    with: '有位置信息（正弦编码）',
    shuffle: '打乱词序',
    play: { start: '播放', stop: '暂停' },
    change: {
      without: '没有位置信息：六种顺序里权重的最大变化（舍入误差）',
      with: '有位置信息：权重的最大变化',
    },
    column: (word: string, which: string) => `${word}：${which}`,
    query: '词',
    position: '位置',
    describe: (written: string, sentence: string, change: string) =>
      written === sentence
        ? `其他顺序都与这一句比较：没有位置信息时毫无变化；有位置信息时，权重变化，各种顺序里最多 ${change}。`
        : `没有位置信息就察觉不到：“${sentence}”与“${written}”毫无分别。有位置信息时，权重变化，各种顺序里最多 ${change}。`,
  },
};

/** The focus is the number of the order in view: it runs by itself and is nobody's setting. */
type OrderView = ViewOf<{}, typeof text, WordOrder, number>;

/** The order in view at first: not that as written, with which the notches compare it. */
const firstOrder = 1;

const sentenceHeight = 110;
/** Of the words where they stand. */
const baseline = 54;
const barHeight = 34;
const rowHeight = 46;

function drawing(view: OrderView) {
  const { width, data, say } = view;
  const isWide = width >= 640;
  const panelWidth = isWide ? (width - 48) / 2 : width;
  const panelHeight = 38 + rowHeight * 3;
  const height = sentenceHeight + panelHeight * (isWide ? 1 : 2) + (isWide ? 0 : 14);
  const order = view.focus ?? firstOrder;
  // Nothing has moved yet when the figure appears.
  const before = view.focus === undefined ? order : orderBefore(data, order);
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${describe(view)}>
      ${sentence(view, order, before)}
      ${panel(
        view,
        [data.without[before]!, data.without[order]!, data.without[0]!],
        say.without,
        0,
        sentenceHeight,
        panelWidth,
      )}
      ${panel(
        view,
        [data.with[before]!, data.with[order]!, data.with[0]!],
        say.with,
        isWide ? panelWidth + 48 : 0,
        sentenceHeight + (isWide ? 0 : panelHeight + 14),
        panelWidth,
      )}
    </svg>
  </div>`;
}

const orderBefore = ({ orders }: WordOrder, order: number): number =>
  (order + orders.length - 1) % orders.length;

/**
 * The words, on their way from the order before: those that move right pass above, those that move
 * left below, so that none passes through another. Each order has elements of its own, which begin
 * their animation anew.
 */
function sentence(view: OrderView, index: number, indexBefore: number) {
  const { width, data, say, focus } = view;
  const slot = Math.min(150, width / 3);
  const look = slot < 110 ? 'word is-narrow' : 'word';
  const { orders } = data;
  const [order, before] = [orders[index]!, orders[indexBefore]!];
  return keyed(
    focus,
    svg`<g>${say.words.map((word, k) => {
      const [from, to] = [before.indexOf(k) * slot, order.indexOf(k) * slot];
      const lane = to > from ? 'is-above' : to < from ? 'is-below' : '';
      return svg`<g class="${look} ${lane}" transform="translate(${to}, ${baseline})"
        .style=${`--from: ${from}px; --to: ${to}px; --baseline: ${baseline}px`}>
        <text>${word}</text>
      </g>`;
    })}
    ${order.map(
      (_, place) => svg`<text class="place ${focus === undefined ? '' : 'is-passed'}"
        x=${place * slot} y=${baseline + 24}>${say.position} ${place}</text>`,
    )}</g>`,
  );
}

function panel(
  view: OrderView,
  weights: readonly [before: number[], now: number[], written: number[]],
  title: string,
  left: number,
  top: number,
  width: number,
) {
  const { words } = view.say;
  const labelWidth = 58;
  return svg`<g transform="translate(${left}, ${top})">
    <text class="axis-label" y="16">${title}</text>
    ${words.map((word, query) => {
      const [before, now, written] = weights.map((all) =>
        all.slice(query * words.length, (query + 1) * words.length),
      );
      return svg`<g transform="translate(0, ${30 + query * rowHeight})">
        <text class="query label" y=${barHeight / 2 + 5}>${word}</text>
        ${segments(view, before!, now!, labelWidth, width - labelWidth)}
        ${notches(written!, labelWidth, width - labelWidth)}
      </g>`;
    })}
  </g>`;
}

/** Where the parts of a bar meet in the order as written. */
function notches(written: number[], left: number, width: number) {
  let end = left;
  const marks = written.slice(0, -1).map((weight) => {
    end += weight * width;
    return `M${end},-5v5M${end},${barHeight}v5`;
  });
  return svg`<path class="notch" d=${marks.join('')} />`;
}

/** One word's attention as a bar of three parts, always in the order of the words as written. */
function segments(
  { say, theme }: OrderView,
  before: number[],
  now: number[],
  left: number,
  width: number,
) {
  const { words } = say;
  const scale = magnitudeScale(theme, 1);
  const labelOf = (weight: number, key: number) => {
    const part = weight * width;
    const isRoomy = part > (words[key]!.length > 1 ? 94 : 64);
    if (isRoomy) return `${words[key]} ${fixed(weight, 2)}`;
    return part > textWidth(words[key]!) + 16 ? words[key]! : '';
  };
  let start = left;
  const parts = now.map((weight, key) => {
    const part = weight * width;
    const x = start;
    start += part;
    const label = labelOf(weight, key);
    const isNew = label !== labelOf(before[key]!, key);
    return { x, part, color: colorOf(scale, weight), label, isNew };
  });
  // A label that stays moves with its bar, in front of all of them. One that changes has an element
  // of its own, which appears once its bar has the width for it.
  return svg`${parts.map(
    ({ x, part, color }) => svg`<rect class="part" x=${x + 1} y="0" width=${Math.max(0, part - 2)}
        height=${barHeight} fill=${cssColor(color)} />`,
  )}
  ${parts.map(({ x, color, label, isNew }) =>
    keyed(
      label,
      svg`<text class="share ${isNew ? 'is-new' : ''}" transform="translate(${x + 9}, 0)"
        y=${barHeight / 2 + 4.5} fill=${inkOn(color)}>${label}</text>`,
    ),
  )}`;
}

function describe({ data, say, focus }: OrderView): string {
  const [written, sentence] = [0, focus ?? firstOrder].map((index) =>
    data.orders[index]!.map((word) => say.words[word]).join(say.space),
  ) as [string, string];
  return say.describe(written, sentence, fixed(data.change.with, 2));
}

function draw(view: OrderView) {
  const { data, say } = view;
  const next = () => view.setFocus(((view.focus ?? firstOrder) + 1) % data.orders.length);
  return html`
    ${drawing(view)}
    <div class="buttons">
      <button type="button" @click=${next}>${say.shuffle}</button>
      <rw-play
        .label=${say.play}
        .pace=${2600}
        .autostart=${true}
        @tick=${next}
      ></rw-play>
    </div>
    ${numbers({
      'change-without': [say.change.without, rounded(data.change.without, 1)],
      'change-with': [say.change.with, fixed(data.change.with, 3)],
    })}`;
}

function table({ data, say }: OrderView) {
  const { words } = say;
  return {
    columns: [
      say.position,
      say.query,
      ...words.map((word) => say.column(word, say.without)),
      ...words.map((word) => say.column(word, say.with)),
    ],
    rows: data.orders.flatMap((order, k) =>
      words.map((word, query) => {
        const row = (weights: number[]) =>
          weights.slice(query * words.length, (query + 1) * words.length);
        return [
          order.map((each) => words[each]).join(' '),
          word,
          ...row(data.without[k]!),
          ...row(data.with[k]!),
        ];
      }),
    ),
  };
}

export default defineFigure({
  claims: ['C01'],
  isWide: true,
  text,
  controls: {},
  compute: (_, engine, language) => engine.wordOrder(text[language].words),
  draw,
  describe,
  table,
  styles: css`
    svg .word text:not([fill]) {
      font: 2.25rem var(--serif);
      fill: var(--ink);
    }
    svg .is-narrow text:not([fill]) {
      font-size: 1.625rem;
    }
    svg .place:not([fill]) {
      fill: var(--position);
    }
    svg .label:not([fill]) {
      font: 1.0625rem var(--serif);
      fill: var(--query);
    }
    .notch {
      fill: none;
      stroke: var(--ink);
      stroke-width: 1.75;
    }
    .part,
    .share {
      transition: 0.9s cubic-bezier(0.4, 0, 0.2, 1);
    }
    /* Half-way between white and black a label could not be read. */
    .share {
      transition-property: transform;
    }
    .is-new {
      animation: appear 1.1s;
    }
    @keyframes appear {
      from,
      82% {
        opacity: 0;
      }
    }
    .word {
      --up: -40px;
      --down: 29px;
    }
    .word.is-narrow {
      --up: -31px;
      --down: 23px;
    }
    .is-above {
      --lane: var(--up);
      animation: pass 1.2s ease-in-out;
    }
    .is-below {
      --lane: var(--down);
      animation: pass 1.2s ease-in-out;
    }
    /* The words that pass below are in its place. */
    .is-passed {
      animation: make-way 1.2s;
    }
    @keyframes pass {
      from {
        transform: translate(var(--from), var(--baseline));
      }
      25% {
        transform: translate(var(--from), calc(var(--baseline) + var(--lane))) scale(0.55);
      }
      75% {
        transform: translate(var(--to), calc(var(--baseline) + var(--lane))) scale(0.55);
      }
      to {
        transform: translate(var(--to), var(--baseline));
      }
    }
    @keyframes make-way {
      10%,
      90% {
        opacity: 0;
      }
    }
    .buttons {
      display: flex;
      flex-wrap: wrap;
      gap: 0.75rem;
      margin-top: 0.4rem;
      font-size: 0.875rem;
    }
    @media (prefers-reduced-motion: reduce), print {
      .word,
      .place,
      .part,
      .share {
        animation: none;
        transition: none;
      }
    }
  `,
});
