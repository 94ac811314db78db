/** Binary positions jump and have nothing in between; sines of halved frequency glide. */
import { html, nothing, svg } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { colorOf, inkOn, signedScale } from '../../plots/colors.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { matrixPlot, type MatrixFrame } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import { errorIn } from '../../error_text.ts';
import { sinesPerPosition, type BitsAndDials } from './jobs.ts';
import { bitsText, words } from './bits_and_dials_text.ts';
import { wavesStyle } from './style.ts';

const controls = defineControls(
  {
    t: {
      kind: 'range',
      label: words.t,
      symbol: 't',
      hue: 'position',
      default: 7,
      min: 0,
      max: 63,
      step: 0.125,
    },
    bits: { kind: 'range', label: words.bits, symbol: 'd', default: 5, min: 3, max: 6 },
  },
  {
    t: ({ bits }) => 2 ** bits - 1,
  },
);

type BitsView = View<SettingsOf<typeof controls>, BitsAndDials, number>;

const rowHeight = 24;

function map(view: BitsView, which: 'bits' | 'sines') {
  const { data, settings, language, theme, width } = view;
  const { bits } = settings;
  const strings = words.strings[language];
  const count = 2 ** bits;
  const columns = which === 'bits' ? count : count * sinesPerPosition;
  const perColumn = columns / count;
  const every = count / 8;
  return matrixPlot({
    id: which,
    width,
    height: bits * rowHeight,
    matrix: { values: data[which], rows: bits, columns },
    scale: signedScale(theme, 1),
    columns: {
      label: strings.position,
      ticks: Array.from({ length: 8 }, (_, k) => ({
        value: (k * every + 0.5) * perColumn - 0.5,
        text: String(k * every),
      })),
    },
    rows: {
      label: which === 'bits' ? strings.bitAxis : strings.dialAxis,
      ticks: Array.from({ length: bits }, (_, i) => ({ value: i, text: String(i) })),
    },
    legend: which === 'bits' ? strings.bitLegend : strings.dialLegend,
    label: which === 'bits' ? strings.bitMap(bits) : strings.dialMap,
    onPick: ({ column }) => view.set({ t: Math.round((column + 0.5) / perColumn - 0.5) }),
    over: (frame) => over(view, frame, which === 'bits'),
  });
}

/** Where the reader stands, and the digits where they fit. */
function over({ data, settings, theme }: BitsView, frame: MatrixFrame, hasDigits: boolean) {
  const count = 2 ** settings.bits;
  const x = frame.left + ((settings.t + 0.5) * frame.width) / count;
  const cell = frame.width / count;
  const ink = (bit: number) => inkOn(colorOf(signedScale(theme, 1), bit));
  const digits =
    hasDigits && cell >= 14
      ? Array.from(
          data.bits,
          (bit, k) => svg`<text class="bit" text-anchor="middle"
            x=${frame.left + ((k % count) + 0.5) * cell}
            y=${frame.top + (Math.floor(k / count) + 0.5) * rowHeight + 4}
            fill=${ink(bit)}>${bit}</text>`,
        )
      : nothing;
  return svg`${digits}<path class="chosen"
    d="M${x - cell / 2},${frame.top}h${cell}v${frame.height}h${-cell}z" />`;
}

/** The angle t / 2^i from the top, and its sine, which is all that the encoding keeps of it. */
function drawSine({ settings, data, language, width }: BitsView, i: number) {
  const size = Math.min(96, Math.floor(width / settings.bits) - 7);
  const isNarrow = size < 50;
  const circle = pairCircle(size, 6, 'top');
  const { middle, radius } = circle;
  const vector = circle.vectorAt(settings.t / 2 ** i);
  const tip = circle.at(vector);
  const sine = data.now.sines[i]!;
  const bit = data.now.bits?.[i];
  return html`<li>
    <span class="digit">${bit ?? '–'}</span>
    <svg width=${size} height=${size} viewBox="0 0 ${size} ${size}" aria-hidden="true">
      ${circle.outline()}
      <line class="diameter" x1=${middle - radius} x2=${middle + radius} y1=${middle} y2=${middle} />
      ${circle.line(vector, '')}
      <line class="vector drop" x1=${tip.x} y1=${tip.y} x2=${tip.x} y2=${middle} />
      <line class="sine" x1=${middle} y1=${middle} x2=${tip.x} y2=${middle} />
    </svg>
    <div>i = ${i}</div>
    <div data-number="dial-${i}">${fixed(sine, isNarrow ? 2 : 4)}</div>
    <div class="faint">${words.strings[language].turn(rounded(2 * Math.PI * 2 ** i))}</div>
  </li>`;
}

function stepChart(view: BitsView) {
  const { data, settings, language, width } = view;
  const strings = words.strings[language];
  const points = (steps: readonly number[]) => steps.map((step, m): Point => [m, step]);
  return lineChart({
    width,
    height: 190,
    x: { domain: [-0.5, 2 ** settings.bits - 0.5], label: strings.position },
    y: { domain: [0, Math.sqrt(settings.bits) * 1.08], label: strings.step },
    series: [
      { name: strings.stepBits, points: points(data.bitSteps), look: 'plain' },
      { name: strings.stepDials, points: points(data.sineSteps), look: 'position strong' },
    ],
    label: describe(view),
    cursor: view.focus ?? Math.floor(settings.t),
    onCursor: view.setFocus,
    onPick: (t) => view.set({ t: Math.min(2 ** settings.bits - 1, Math.max(0, Math.round(t))) }),
  });
}

function results({ data, settings, language }: BitsView) {
  const strings = words.strings[language];
  const m = Math.min(Math.floor(settings.t), data.bitSteps.length - 1);
  return numbers([
    { id: 'flips', label: strings.flips(m), value: fixed(data.bitSteps[m]! ** 2, 0) },
    { id: 'bit-step', label: strings.bitStep, value: fixed(data.bitSteps[m]!, 4) },
    { id: 'dial-step', label: strings.dialStep, value: fixed(data.sineSteps[m]!, 4) },
  ]);
}

function describe({ data, settings, language }: BitsView): string {
  const strings = words.strings[language];
  const { bits, sines } = data.now;
  return strings.describe(
    String(settings.t),
    bits ? [...bits].join(' ') : strings.none,
    Array.from(sines, (value) => fixed(value, 2)).join(', '),
  );
}

function draw(view: BitsView) {
  const { data, language, settings } = view;
  const { error } = data.now;
  return html`
    ${map(view, 'bits')}
    <p class="refusal" data-number="refusal" role="status">${
      error ? words.strings[language].noBits + errorIn(language, error) : nothing
    }</p>
    ${map(view, 'sines')}
    <ul class="knobs" aria-label=${describe(view)}>
      ${Array.from({ length: settings.bits }, (_, i) => drawSine(view, i))}
    </ul>
    ${stepChart(view)} ${results(view)}`;
}

export default defineFigure({
  claims: ['C04', 'C05'],
  text: bitsText,
  controls,
  compute: ({ bits, t }, engine) => engine.bitsAndDials({ bits, t }),
  draw,
  describe,
  table: ({ data, settings, language }: BitsView) => {
    const { bits } = settings;
    const count = 2 ** bits;
    const each = Array.from({ length: bits }, (_, i) => i);
    return {
      columns: [
        words.strings[language].position,
        ...each.map(words.strings[language].bit),
        words.strings[language].stepBits,
        words.strings[language].stepDials,
      ],
      rows: Array.from({ length: count }, (_, m) => [
        m,
        ...each.map((i) => data.bits[i * count + m]!),
        data.bitSteps[m] ?? '',
        data.sineSteps[m] ?? '',
      ]),
    };
  },
  styles: wavesStyle,
});
