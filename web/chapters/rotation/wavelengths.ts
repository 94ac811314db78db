/** The base sets the wavelengths, and these give the pairs that never complete a rotation. */
import { html, svg } from 'lit';
import { baseControl } from '../../figures/base_control.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { buttonSize, pairButtons, shownPair } from '../../figures/pair_buttons.ts';
import { lineChart, type Frame, type Point } from '../../plots/line_chart.ts';
import { rounded, whole } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import type { Wavelengths } from './jobs.ts';
import { rotationStyle } from './style.ts';
import { models, wavelengthsText, words } from './wavelengths_text.ts';

const controls = defineControls(
  {
    base: baseControl(100, 1e7),
    length: {
      kind: 'range',
      label: words.length,
      symbol: 'L',
      hue: 'position',
      default: 4096,
      min: 16,
      max: 1048576,
      step: 'log',
      follows: 'length',
    },
    dim: {
      kind: 'range',
      label: words.dim,
      symbol: 'd',
      default: 128,
      min: 4,
      max: 256,
      step: 2,
      follows: 'dim',
    },
    pair: {
      kind: 'range',
      label: words.pair,
      symbol: 'i',
      default: 48,
      min: 0,
      max: 127,
      display: true,
      brush: true,
    },
  },
  {
    pair: ({ dim }) => dim / 2 - 1,
  },
);

type ReachView = View<SettingsOf<typeof controls>, Wavelengths, never>;

/** Pairs that complete no rotation: the slow ones, from this pair to the last. */
function firstSlow({ rotations }: Wavelengths): number {
  const first = rotations.findIndex((count) => count < 1);
  return first < 0 ? rotations.length : first;
}

function presets({ settings, language, set }: ReachView) {
  return html`<div class="presets" role="group" aria-label=${words.strings[language].models}>
    ${models.map(({ name, source, dim, base, length }) => {
      const isShown = settings.dim === dim && settings.base === base && settings.length === length;
      return html`<button type="button" title=${source} aria-pressed=${isShown}
        @click=${() => set({ dim, base, length })}>${name}</button>`;
    })}
  </div>`;
}

function ladder(view: ReachView) {
  const { settings, data, language, width } = view;
  const { wavelengths } = data;
  const strings = words.strings[language];
  const slow = firstSlow(data);
  const pair = shownPair(view);
  const points = Array.from(wavelengths, (length, i): Point => [i, length]);
  const top = Math.max(wavelengths.at(-1)!, settings.length) * 2;
  return lineChart({
    width,
    height: Math.round(Math.min(400, Math.max(300, width * 0.4))),
    x: { domain: [-0.7, wavelengths.length - 0.3], label: strings.pairAxis },
    y: { domain: [1, top], label: strings.wavelengthAxis, scale: 'log' },
    series: [
      { name: strings.complete, points: points.slice(0, slow), look: 'faint', dots: true },
      { name: strings.never, points: points.slice(slow), look: 'position', dots: true },
      { name: strings.chosen(pair), points: [points[pair]!], look: 'bold plain', dots: true },
    ],
    label: describe(view),
    onCursor: (at) => view.brush(at === undefined ? undefined : pairUnder(at, view)),
    onPick: (at) => view.set({ pair: pairUnder(at, view) }),
    below: (frame) => contextLine(view, frame),
  });
}

function pairUnder(at: number, { data }: ReachView): number {
  return Math.min(data.wavelengths.length - 1, Math.max(0, Math.round(at)));
}

function contextLine({ settings, language }: ReachView, { y, left, right, top }: Frame) {
  const level = y(settings.length);
  const text = words.strings[language].context(whole(settings.length));
  return svg`<rect class="slow" x=${left} y=${top} width=${right - left}
      height=${Math.max(0, level - top)} />
    <line class="length" x1=${left} x2=${right} y1=${level} y2=${level} />
    <text class="length-label" x=${left + 8} y=${level - 7}>${text}</text>`;
}

const largestCircle = 64;

/** Pairs spread evenly over the head, each with the part of its circle that the context covers. */
function circles(view: ReachView) {
  const { data, language, width } = view;
  const strings = words.strings[language];
  const count = data.rotations.length;
  const shown = Math.min(count, Math.max(6, Math.floor(width / 62)), 16);
  const size = buttonSize(width, shown, largestCircle);
  const buttons = Array.from({ length: shown }, (_, k) => {
    const pair = Math.round((k * (count - 1)) / Math.max(1, shown - 1));
    const rotations = data.rotations[pair]!;
    const label = strings.dial(pair, rounded(rotations));
    return { pair, label, drawing: drawPair(size, rotations, pair) };
  });
  return html`<p class="lead">${strings.dials}</p>
    ${pairButtons(view, strings.dials, buttons)}`;
}

function drawPair(size: number, rotations: number, pair: number) {
  const circle = pairCircle(size, 5);
  const height = size + 20;
  const angle = 2 * Math.PI * rotations;
  return html`<svg width=${size} height=${height} viewBox="0 0 ${size} ${height}" aria-hidden="true">
    ${
      rotations < 1
        ? circle.sector(circle.vectorAt(0), angle, 1, 'sector position')
        : svg`<circle class="sector faint" cx=${circle.middle} cy=${circle.middle} r=${circle.radius} />`
    }
    ${circle.outline('strong')}
    <text x=${circle.middle} y=${size + 14} text-anchor="middle">${pair}</text>
  </svg>`;
}

function results(view: ReachView) {
  const { settings, data, language } = view;
  const { wavelengths, rotations } = data;
  const strings = words.strings[language];
  const pair = shownPair(view);
  const slow = firstSlow(data);
  const never = rotations.length - slow;
  return numbers([
    {
      id: 'never',
      label: strings.count(whole(settings.length)),
      value: `${never} / ${rotations.length}`,
    },
    { id: 'first', label: strings.first, value: never > 0 ? `i = ${slow}` : strings.none },
    { id: 'longest', label: strings.longest, value: rounded(wavelengths.at(-1)!, 5) },
    { id: 'wavelength', label: strings.wavelength(pair), value: rounded(wavelengths[pair]!, 5) },
    { id: 'turns', label: strings.turns(pair), value: rounded(rotations[pair]!, 4) },
  ]);
}

function describe({ settings, data, language }: ReachView): string {
  const count = data.rotations.length;
  return words.strings[language].describe(count, count - firstSlow(data), whole(settings.length));
}

export default defineFigure({
  claims: ['C25'],
  text: wavelengthsText,
  controls,
  compute: ({ dim, base, length }, engine) => engine.rotaryReach({ dim, base, length }),
  draw: (view: ReachView) =>
    html`${presets(view)} ${ladder(view)} ${circles(view)} ${results(view)}`,
  describe,
  table: ({ data, language }: ReachView) => ({
    columns: words.strings[language].columns,
    rows: Array.from(data.wavelengths, (wavelength, i) => [i, wavelength, data.rotations[i]!]),
  }),
  styles: rotationStyle,
});
