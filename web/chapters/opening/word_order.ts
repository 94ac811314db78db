/** Three words change places; attention without position does not notice. */
import { css, html, svg } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import '../../components/play.ts';
import { defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { fixed, rounded } from '../../plots/number.ts';
import type { WordOrder } from './jobs.ts';

const text = {
  en: {
    title: 'Word order and attention',
    question: 'The words change places. Does attention notice?',
    caption:
      'Each blue word divides its attention among the orange ones; notches mark “dog bites man”. Without position no order moves a bar. The model is random, but chosen from 300 for a large change; for half of them it is below 0.2.',
    words: ['dog', 'bites', 'man'],
    space: ' ',
    without: 'Without position',
    with: 'With position (sinusoidal)',
    notch: 'weight in “dog bites man”',
    shuffle: 'Shuffle the words',
    play: { start: 'Play', stop: 'Pause' },
    change: {
      without: 'Largest change of any weight over all six orders, without position (rounding)',
      with: 'Largest change, with position',
    },
    column: (word: string, which: string) => `${word} (${which})`,
    query: 'word',
    position: 'position',
    same: 'The notches are of this order: compare the others with it.',
    describe: (query: string, key: string, before: string, now: string) =>
      `Without position, no: every bar ends at its notch. With position, yes: “${query}” gives “${key}” ${now} instead of ${before}.`,
  },
  zh: {
    title: '词序与注意力',
    question: '词换了位置，注意力看得出来吗？',
    caption:
      '每个蓝字把注意力分给三个橙字，刻痕标出“狗咬人”时的权重。没有位置信息时，无论什么顺序，横条都正好停在刻痕处，分不出谁咬谁。参数是随机的，从 300 组里挑了变化明显的一组；半数的组变化不到 0.2。',
    words: ['狗', '咬', '人'],
    space: '',
    without: '没有位置信息',
    with: '有位置信息（正弦编码）',
    notch: '“狗咬人”时的权重',
    shuffle: '打乱词序',
    play: { start: '播放', stop: '暂停' },
    change: {
      without: '没有位置信息：六种顺序里权重的最大变化（舍入误差）',
      with: '有位置信息：权重的最大变化',
    },
    column: (word: string, which: string) => `${word}：${which}`,
    query: '词',
    position: '位置',
    same: '刻痕标的就是这个顺序：打乱词序，再比一比。',
    describe: (query: string, key: string, before: string, now: string) =>
      `没有位置信息，看不出来：每一条都停在刻痕处。有了位置信息，就看得出来：“${query}”给“${key}”的权重从 ${before} 变成 ${now}。`,
  },
};

/** The focus is the number of the order in view: it runs by itself and is nobody's setting. */
type OrderView = ViewOf<{}, typeof text, WordOrder, number>;

/** The order in view at first: not that as written, with which the notches compare it. */
const firstOrder = 1;

const sentenceHeight = 110;
/** Of the words where they stand. */
const baseline = 54;
const bar = { height: 12, pitch: 16 };
const rowHeight = 3 * bar.pitch + 12;
/** Left of the bars: the query, and the words that it attends to. */
const labelWidth = 106;
const numberWidth = 42;

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
      ${panel(view, [data.without[order]!, data.without[0]!], say.without, {
        x: 0,
        y: sentenceHeight,
        width: panelWidth,
      })}
      ${panel(view, [data.with[order]!, data.with[0]!], say.with, {
        x: isWide ? panelWidth + 48 : 0,
        y: sentenceHeight + (isWide ? 0 : panelHeight + 14),
        width: panelWidth,
      })}
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

/** A row per query, always in the order of the words as written, with a bar per word. */
function panel(
  { say: { words } }: OrderView,
  [now, written]: readonly [number[], number[]],
  title: string,
  { x, y, width }: Record<'x' | 'y' | 'width', number>,
) {
  // Numbers stand before their bars: behind them they would lie on notches.
  const start = labelWidth + numberWidth;
  const unit = width - start - 2;
  const drawBar = (query: number, key: number) => {
    const [weight, mark] = [now, written].map((all) => all[query * words.length + key]! * unit) as [
      number,
      number,
    ];
    return svg`<g transform="translate(0, ${key * bar.pitch})">
      <text class="attended" x=${labelWidth - 8} y="10" text-anchor="end">${words[key]}</text>
      <rect class="part" x=${start} width=${weight} height=${bar.height} />
      <path class="notch" d="M${start + mark},-2v${bar.height + 4}" />
      <text class="share" x=${start - 8} y="10" text-anchor="end">${fixed(now[query * words.length + key]!, 2)}</text>
    </g>`;
  };
  return svg`<g transform="translate(${x}, ${y})">
    <text class="axis-label" y="16">${title}</text>
    ${words.map(
      (word, query) => svg`<g transform="translate(0, ${32 + query * rowHeight})">
        <text class="query label" y=${bar.pitch + 11}>${word}</text>
        ${words.map((_, key) => drawBar(query, key))}
      </g>`,
    )}
  </g>`;
}

/** With position, the weight of one word for another that is farthest from its notch. */
function describe({ data, say, focus }: OrderView): string {
  const order = focus ?? firstOrder;
  if (order === 0) return say.same;
  const { words } = say;
  const [now, written] = [data.with[order]!, data.with[0]!];
  const changes = now.map((weight, at) =>
    at % (words.length + 1) === 0 ? 0 : Math.abs(weight - written[at]!),
  );
  const at = changes.indexOf(Math.max(...changes));
  const [query, key] = [Math.floor(at / words.length), at % words.length];
  return say.describe(words[query]!, words[key]!, fixed(written[at]!, 2), fixed(now[at]!, 2));
}

function draw(view: OrderView) {
  const { data, say } = view;
  const next = () => view.setFocus(((view.focus ?? firstOrder) + 1) % data.orders.length);
  return html`
    ${drawing(view)}
    <p class="notch-name">
      <svg width="6" height="14" aria-hidden="true"><path class="notch" d="M3,0v14" /></svg>
      ${say.notch}
    </p>
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
    .notch-name {
      margin: 0.2rem 0 0.6rem;
      font-size: 0.8125rem;
    }
    .part {
      fill: var(--key);
      fill-opacity: 0.8;
    }
    svg .attended:not([fill]) {
      fill: var(--key);
    }
    svg .share:not([fill]) {
      fill: var(--ink);
    }
    .part {
      transition: 0.9s cubic-bezier(0.4, 0, 0.2, 1);
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
      .part {
        animation: none;
        transition: none;
      }
    }
  `,
});
