/** Queries and keys rotated by position; the score depends on the difference. */
import { html, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { buttonSize, pairButtons, shownPair } from '../../figures/pair_buttons.ts';
import { baseRange, pairRange, range } from '../../figures/shared_controls.ts';
import { wordLine } from '../../figures/word_line.ts';
import { lineChart } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { angleBetween, pairCircle, type Vector } from '../../plots/pair_circle.ts';
import '../../components/play.ts';
import { words } from './clocks_text.ts';
import { offsets, farthest, type ScoreByOffset } from './jobs.ts';
import { rotationStyle } from './style.ts';

const largestShift = 100000;

const controls = defineControls({
  shift: range(words.shift, { default: 25, min: 0, max: largestShift }, { hue: 'position' }),
  pair: pairRange(words.pair, { default: 1, max: 15 }),
  query: range(words.query, { default: 12, min: 0, max: farthest }, { symbol: 'm', hue: 'query' }),
  key: range(words.key, { default: 9, min: 0, max: farthest }, { symbol: 'n', hue: 'key' }),
  dim: range(words.dim, { default: 16, min: 4, max: 32, step: 2 }, { symbol: 'd' }),
  base: baseRange(100, 1e7),
  seed: range(words.seed, { default: 484, min: 1, max: 999 }),
});

type ClocksView = ViewOf<typeof controls, typeof words.strings, ScoreByOffset, number>;

/** The part of a pair in the score at an offset; computed where neither word of ours stands. */
const partAt = ({ data }: ClocksView, pair: number, offset: number) =>
  data.parts[(offset + farthest) * data.frequencies.length + pair]!;

/** The parts in hundredths, of which the score as it is shown is the sum. */
function shownParts(view: ClocksView): number[] {
  const { data } = view;
  const exact = Array.from(data.frequencies, (_, i) => 100 * partAt(view, i, offsetOf(view)));
  const shown = exact.map(Math.round);
  const missing = Math.round(100 * data.score.moved) - shown.reduce((sum, part) => sum + part, 0);
  const sign = Math.sign(missing);
  // Where rounding took most, one hundredth comes back.
  const taken = (i: number) => sign * (exact[i]! - shown[i]!);
  const order = [...shown.keys()].sort((a, b) => taken(b) - taken(a));
  for (const i of order.slice(0, Math.abs(missing))) shown[i]! += sign;
  return shown.map((part) => part / 100);
}

const offsetOf = ({ settings: { query, key } }: ClocksView) => query - key;

/** The line turns over to its next page, so that both words stand on it at any shift. */
const page = 32;

function line(view: ClocksView) {
  const { settings, say, set, width } = view;
  const { shift } = settings;
  const start = page * Math.floor(shift / page);
  const word = (name: 'query' | 'key') => ({
    text: say.words[name],
    hue: name,
    at: settings[name] + shift,
    before: settings[name],
    drag: {
      label: say.words[name],
      min: shift,
      max: shift + farthest,
      move: (at: number) => set({ [name]: at - shift }),
    },
  });
  return wordLine({
    width,
    domain: [start, start + page + farthest],
    label: say.position,
    words: [word('query'), word('key')],
  });
}

/** The hands of a pair, as shares of the longest hand of all pairs. */
interface Hands {
  query: Vector;
  key: Vector;
}

interface Clock {
  before: Hands;
  after: Hands;
}

function clocksOf({ data }: ClocksView): Clock[] {
  const { q, k, placedQ, placedK, rotatedQ, rotatedK } = data;
  const lengths = Array.from(data.frequencies, (_, i) =>
    [q, k].map((x) => Math.hypot(x[2 * i]!, x[2 * i + 1]!)),
  );
  const longest = Math.max(...lengths.flat());
  const hand = (x: Float32Array, pair: number): Vector => ({
    x: x[2 * pair]! / longest,
    y: x[2 * pair + 1]! / longest,
  });
  return lengths.map((_, pair) => ({
    before: { query: hand(placedQ, pair), key: hand(placedK, pair) },
    after: { query: hand(rotatedQ, pair), key: hand(rotatedK, pair) },
  }));
}

const angleOf = ({ query, key }: Hands) => angleBetween(key, query);

/**
 * Pale hands are those before the shift. The angle from key to query is a sector, and before the
 * shift an arc outside it.
 */
function hands(size: number, { before, after }: Clock, isLarge: boolean) {
  const circle = pairCircle(size, isLarge ? 24 : 7);
  const name = (vector: Vector, text: string, hue: string) => {
    const far = Math.hypot(vector.x, vector.y);
    const { x, y } = circle.at({ x: vector.x * (1 + 0.13 / far), y: vector.y * (1 + 0.13 / far) });
    return svg`<text class="hand-name ${hue}" x=${x} y=${y + 5} text-anchor="middle">${text}</text>`;
  };
  const from = Math.atan2(before.key.y, before.key.x);
  return svg`${circle.outline()}
    <g class="ghost">
      ${isLarge ? circle.arc(from, from + angleOf(before), 0.52, 'before position') : ''}
      ${circle.arrow(before.key, 'key')} ${circle.arrow(before.query, 'query')}
    </g>
    ${circle.sector(after.key, angleOf(after), 0.42, 'between position')}
    ${circle.arrow(after.key, 'key')} ${circle.arrow(after.query, 'query')}
    ${isLarge ? [name(after.query, 'q', 'query'), name(after.key, 'k', 'key')] : ''}`;
}

/** What a screen reader says for a clock. */
const nameOf = ({ say }: ClocksView, { after }: Clock, pair: number, part: string) =>
  say.clock(pair, fixed(angleOf(after), 3), part);

const degrees = (radians: number) => `${fixed((radians * 180) / Math.PI, 0)}°`;

/** The chosen pair large, beside what the shift leaves as it was. */
function largeClock(view: ClocksView, clock: Clock) {
  const { data, settings, say, width } = view;
  const { query, key, shift } = settings;
  const size = Math.min(260, width - 40);
  const pair = shownPair(view);
  const row = (look: string, name: string, by: number, both: Hands, score: number) =>
    html`<tr class=${look}>
      <th scope="row">${name}</th>
      <td class="query">${whole(query + by)}</td>
      <td class="key">${whole(key + by)}</td>
      <td class="position">${degrees(angleOf(both))}</td>
      <td>${fixed(score, 2)}</td>
    </tr>`;
  return html`<div class="clock">
    <svg width=${size} height=${size} viewBox="0 0 ${size} ${size}" role="img"
      aria-label=${nameOf(view, clock, pair, fixed(shownParts(view)[pair]!, 2))}>
      ${hands(size, clock, true)}
    </svg>
    <table class="kept">
      <thead>
        <tr>
          <td></td>
          ${say.kept.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${row('pale', say.before, 0, clock.before, data.score.placed)}
        ${row('', say.after, shift, clock.after, data.score.moved)}
      </tbody>
    </table>
  </div>`;
}

const largestCircle = 72;

/** All pairs, each a button that makes its clock the large one. */
function pairs(view: ClocksView, clocks: readonly Clock[]) {
  const { say, width } = view;
  const count = clocks.length;
  const across = Math.min(count, Math.max(4, Math.floor(width / 66)));
  const size = buttonSize(width, across, largestCircle);
  const parts = shownParts(view);
  const buttons = clocks.map((clock, pair) => {
    const part = fixed(parts[pair]!, 2);
    const height = size + 18;
    return {
      pair,
      label: nameOf(view, clock, pair, part),
      drawing: html`<svg width=${size} height=${height} viewBox="0 0 ${size} ${height}" aria-hidden="true">
        ${hands(size, clock, false)}
        <text x=${size / 2} y=${size + 13} text-anchor="middle">${part}</text>
      </svg>`,
    };
  });
  return html`<p class="lead">${say.pairs}</p>
    ${pairButtons(view, say.pairs, buttons)}`;
}

/** The score as the sum of its parts, with that of the large clock marked. */
function sum(view: ClocksView) {
  const { data, say } = view;
  const chosen = shownPair(view);
  const terms = shownParts(view).map((value, pair) => {
    const part = fixed(value, 2);
    const isNegative = part.startsWith('\u2212');
    const sign = pair === 0 ? (isNegative ? '\u2212' : '') : isNegative ? ' \u2212 ' : ' + ';
    return html`${sign}<span class=${pair === chosen ? 'is-chosen' : ''}>${part.replace('\u2212', '')}</span>`;
  });
  return html`<p class="sum">${say.score} = ${terms} = ${fixed(data.score.moved, 2)}</p>`;
}

/** The score at each offset: the sum of its parts. */
function totals({ parts, frequencies: { length: count } }: ScoreByOffset): number[] {
  return offsets.map((_, row) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += parts[row * count + i]!;
    return sum;
  });
}

function curve(view: ClocksView) {
  const { data, settings, set, say, width } = view;
  const total = totals(data);
  const limit = Math.max(...total.map(Math.abs)) * 1.12;
  const pair = shownPair(view);
  return lineChart({
    width,
    height: 270,
    x: { values: offsets, label: say.offsetAxis },
    y: { domain: [-limit, limit], label: say.scoreAxis },
    series: [
      { name: say.allPairs, values: total, look: 'plain' },
      {
        name: say.part(pair),
        values: offsets.map((at) => partAt(view, pair, at)),
        look: 'position',
      },
    ],
    label: describe(view),
    cursor: offsetOf(view),
    digits: 4,
    onPick: (at) => {
      const key = Math.min(farthest, Math.max(0, settings.query - Math.round(at)));
      set({ key, query: Math.min(farthest, Math.max(0, key + Math.round(at))) });
    },
  });
}

function results(view: ClocksView) {
  const { data, settings, say } = view;
  const { query: m, key: n, shift } = settings;
  const { score, norms, frequencies } = data;
  const pair = shownPair(view);
  return numbers({
    placed: [say.placed(whole(m), whole(n)), fixed(score.placed, 5)],
    moved: [say.moved(whole(m + shift), whole(n + shift)), fixed(score.moved, 5)],
    exchanged: [say.exchanged(whole(n), whole(m)), fixed(score.exchanged, 5)],
    angle: [say.angle(pair), fixed((m - n) * frequencies[pair]!, 4)],
    part: [say.pairPart(pair), fixed(partAt(view, pair, m - n), 4)],
    norms: [say.norms, `${fixed(norms.before, 5)}, ${fixed(norms.after, 5)}`],
    zero: [say.zero, rounded(data.zeroError, 2)],
    back: [say.back, rounded(data.backError, 2)],
  });
}

function describe({ data, settings, say }: ClocksView): string {
  const { query: m, key: n, shift } = settings;
  const scores = [fixed(data.score.placed, 2), fixed(data.score.moved, 2)] as const;
  return say.describe(whole(m), whole(n), whole(shift), ...scores);
}

export default defineFigure({
  claims: ['C20', 'C21', 'C23'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ dim, base, query, key, shift, seed }, engine) =>
    engine.rotaryClocks({ dim, base, query, key, shift, seed }),
  draw(view: ClocksView) {
    const { settings, set, say } = view;
    const clocks = clocksOf(view);
    return html`<rw-play
        .label=${say.play}
        @tick=${() => set({ shift: (settings.shift + 1) % (largestShift + 1) })}
      ></rw-play>
      ${line(view)} ${largeClock(view, clocks[shownPair(view)]!)}
      ${pairs(view, clocks)} ${sum(view)}
      <div class="values-only">${curve(view)}</div>
      ${results(view)}`;
  },
  describe,
  table: (view: ClocksView) => ({
    columns: view.say.columns,
    rows: Array.from(view.data.frequencies, (frequency, i) => [
      i,
      frequency,
      ...view.data.rotatedQ.subarray(2 * i, 2 * i + 2),
      ...view.data.rotatedK.subarray(2 * i, 2 * i + 2),
      partAt(view, i, offsetOf(view)),
    ]),
  }),
  styles: rotationStyle,
});
