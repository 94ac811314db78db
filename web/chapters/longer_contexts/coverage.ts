/** Which pairs reach angles unseen in training. */
import { html, svg } from 'lit';
import type { AngleCoverage } from 'ropewalk';
import { baseControl } from '../../figures/base_control.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { shownPair } from '../../figures/pair_buttons.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import { coverageText, words } from './coverage_text.ts';
import { longerStyle } from './style.ts';

const controls = defineControls(
  {
    trained: {
      kind: 'range',
      label: words.trained,
      symbol: 'L₀',
      default: 2048,
      min: 16,
      max: 131072,
      step: 'log',
      follows: 'originalLength',
    },
    length: {
      kind: 'range',
      label: words.length,
      symbol: 'L',
      hue: 'position',
      default: 8192,
      min: 16,
      max: 1048576,
      step: 'log',
      follows: 'length',
    },
    base: baseControl(2, 1e7),
    dim: {
      kind: 'range',
      label: words.dim,
      symbol: 'd',
      default: 128,
      min: 8,
      max: 256,
      step: 2,
      follows: 'dim',
    },
    pair: {
      kind: 'range',
      label: words.pair,
      symbol: 'i',
      default: 46,
      min: 0,
      max: 127,
      display: true,
      brush: true,
    },
    method: {
      kind: 'choice',
      label: words.method,
      default: 'direct',
      options: (['direct', 'linear', 'ntk', 'yarn'] as const).map((value) => ({
        value,
        label: words.methods[value],
      })),
    },
  },
  {
    pair: ({ dim }) => dim / 2 - 1,
  },
);

type CoverageView = View<SettingsOf<typeof controls>, AngleCoverage, never>;

/** Neighbouring pairs as stretches, so that one shade covers each. */
function stretches(pairs: readonly number[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const pair of pairs) {
    const last = found.at(-1);
    if (last?.[1] === pair - 1) last[1] = pair;
    else found.push([pair, pair]);
  }
  return found;
}

function chart(view: CoverageView) {
  const { data, language, width } = view;
  const strings = words.strings[language];
  const pairs = data.turns.length;
  const curve = (turns: Float64Array) => Array.from(turns, (turn, i): Point => [i, turn]);
  const every = [...data.trainedTurns, ...data.turns];
  const low = 10 ** Math.floor(Math.log10(Math.min(0.1, ...every)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(10, ...every)));
  const toPair = (at: number) => Math.min(pairs - 1, Math.max(0, Math.round(at)));
  return lineChart({
    width,
    height: Math.round(Math.min(400, Math.max(280, width * 0.42))),
    x: { domain: [0, pairs - 1], label: strings.pairAxis },
    y: { domain: [low, high], label: strings.turnAxis, scale: 'log' },
    series: [
      { name: strings.trained, points: curve(data.trainedTurns), look: 'faint wide' },
      { name: strings.now, points: curve(data.turns), look: 'position bold' },
    ],
    label: describe(view),
    cursor: shownPair(view),
    onCursor: (at) => view.brush(at === undefined ? undefined : toPair(at)),
    onPick: (at) => view.set({ pair: toPair(at) }),
    below: ({ x, y, top, bottom, left, right }) => svg`
      ${stretches(data.unseenPairs).map(
        ([from, to]) => svg`<rect class="unseen" y=${top} height=${bottom - top}
          x=${Math.max(left, x(from - 0.5))}
          width=${Math.min(right, x(to + 0.5)) - Math.max(left, x(from - 0.5))} />`,
      )}
      <line class="limit" x1=${left} x2=${right} y1=${y(1)} y2=${y(1)} />
      <text class="limit-label" x=${left + 6} y=${y(1) - 6}>${strings.oneTurn}</text>`,
  });
}

/** An arc that ended where it begins would be none. */
const nearlyAll = 0.9999;

/** The angles of the pair that were seen in training, and those of the text at hand. */
function drawPair(view: CoverageView) {
  const { data, language } = view;
  const pair = shownPair(view);
  const size = 176;
  const circle = pairCircle(size, 14, 'top');
  const angle = (rotations: number) => 2 * Math.PI * Math.min(nearlyAll, rotations);
  const seen = angle(data.trainedTurns[pair]!);
  const reached = angle(data.turns[pair]!);
  const inner = 60 / circle.radius;
  const isNew = data.firstUnseen[pair]! >= 0;
  return html`<div class="angles">
    <svg width=${size} height=${size} viewBox="0 0 ${size} ${size}" aria-hidden="true">
      ${circle.outline()} ${circle.tick(8)}
      ${circle.arc(0, seen, 1, 'arc seen')}
      ${circle.arc(0, Math.min(seen, reached), inner, 'arc position')}
      ${isNew ? circle.arc(seen, reached, inner, 'arc unseen-arc') : null}
      <text class="name" x=${circle.middle} y=${circle.middle + 5} text-anchor="middle">i = ${pair}</text>
    </svg>
    <p>${words.strings[language].dial(isNew)}</p>
  </div>`;
}

function results(view: CoverageView) {
  const { data, language } = view;
  const strings = words.strings[language];
  const pair = shownPair(view);
  const first = data.firstUnseen[pair]!;
  return numbers([
    {
      id: 'unseen',
      label: strings.unseen(data.unseenPairs[0]),
      value: strings.of(data.unseenPairs.length, data.turns.length),
    },
    {
      id: 'trained-turns',
      label: strings.trainedTurns(pair),
      value: fixed(data.trainedTurns[pair]!, 4),
    },
    { id: 'turns', label: strings.turns(pair), value: fixed(data.turns[pair]!, 4) },
    {
      id: 'first-unseen',
      label: strings.firstUnseen(pair),
      value: first < 0 ? strings.never : rounded(first, 7),
    },
  ]);
}

function describe({ settings, data, language }: CoverageView): string {
  const { trained, length } = settings;
  const { unseenPairs, turns } = data;
  return words.strings[language].describe(
    Math.round(trained),
    Math.round(length),
    unseenPairs.length,
    turns.length,
  );
}

export default defineFigure({
  claims: ['C26', 'C28', 'C29'],
  text: coverageText,
  controls,
  compute: ({ dim, base, trained, length, method }, engine) => {
    const originalLength = Math.round(trained);
    // A shorter text needs no extension.
    const factor = Math.max(1, Math.round(length) / originalLength);
    return engine.unseenAngles({
      dim,
      base,
      method,
      originalLength,
      length: Math.round(length),
      factor,
    });
  },
  draw: (view: CoverageView) =>
    html`${chart(view)}
      <div class="angles-row">${drawPair(view)}<div>${results(view)}</div></div>`,
  describe,
  table: ({ data, language }: CoverageView) => {
    const strings = words.strings[language];
    return {
      columns: ['i', strings.trained, strings.now, strings.firstColumn],
      rows: Array.from(data.turns, (turns, i) => [
        i,
        data.trainedTurns[i]!,
        turns,
        data.firstUnseen[i]!,
      ]),
    };
  },
  styles: longerStyle,
});
