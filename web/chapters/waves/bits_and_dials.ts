/** Binary positions jump and have nothing in between; sines of halved frequency glide. */
import { html, nothing, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { ticksEvery } from '../../plots/axis.ts';
import { colorOf, inkOn, signedScale } from '../../plots/colors.ts';
import type { Frame } from '../../plots/line_chart.ts';
import { matrixPlot, type MatrixFrame } from '../../plots/matrix_plot.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import { errorIn } from '../../error_text.ts';
import { sinesPerPosition, type BitsAndDials } from './jobs.ts';
import { words } from './bits_and_dials_text.ts';
import { wavesStyle } from './style.ts';

const controls = defineControls(
  {
    t: range(
      words.t,
      { default: 7, min: 0, max: 63, step: 0.125 },
      { symbol: 't', hue: 'position' },
    ),
    bits: range(words.bits, { default: 5, min: 3, max: 6 }, { symbol: 'd' }),
  },
  { t: ({ bits }) => 2 ** bits - 1 },
);

type BitsView = ViewOf<typeof controls, typeof words.strings, BitsAndDials, number>;

const rowHeight = 18;

function map(view: BitsView, which: 'bits' | 'sines') {
  const { data, settings, say, theme, width } = view;
  const { bits } = settings;
  const count = 2 ** bits;
  const columns = which === 'bits' ? count : count * sinesPerPosition;
  const perColumn = columns / count;
  return matrixPlot({
    id: which,
    width,
    height: bits * rowHeight,
    matrix: { values: data[which], rows: bits, columns },
    scale: signedScale(theme, 1),
    columns: {
      label: say.position,
      ticks: ticksEvery(count, count / 8).map(({ value, text }) => ({
        value: (value + 0.5) * perColumn - 0.5,
        text,
      })),
    },
    rows: {
      label: which === 'bits' ? say.bitAxis : say.dialAxis,
      ticks: ticksEvery(bits, 1),
    },
    legend: which === 'bits' ? undefined : say.dialLegend,
    label: which === 'bits' ? say.bitMap(bits) : say.dialMap,
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
function drawSine({ settings, data, say, width }: BitsView, i: number) {
  const size = Math.min(72, Math.floor(width / settings.bits) - 7);
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
    <div class="faint">${say.turn(rounded(2 * Math.PI * 2 ** i))}</div>
  </li>`;
}

/** No value of the cursor stands on it. */
function bound({ left, right, y, names }: Frame, at: number, hue: string) {
  names.push([left, y(at) - 1, right, y(at) + 1]);
  return svg`<path class="bound ${hue}" d="M${left},${y(at)}H${right}" />`;
}

/** The maps with the digits between them, and the angles of the sines. */
function codes(view: BitsView, label: string) {
  const { data, language, say, settings } = view;
  const { error } = data.now;
  return html`
    ${map(view, 'bits')}
    <p class="refusal" data-number="refusal" role="status">${
      error ? say.noBits + errorIn(language, error) : nothing
    }</p>
    ${map(view, 'sines')}
    <ul class="knobs values-only" aria-label=${label}>
      ${Array.from({ length: settings.bits }, (_, i) => drawSine(view, i))}
    </ul>`;
}

export default chartFigure({
  claims: ['C04', 'C05'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  styles: wavesStyle,
  controls,
  compute: ({ bits, t }, engine) => engine.bitsAndDials({ bits, t }),
  show(view) {
    const { data, settings, set, say } = view;
    const { bitSteps, sineSteps, longest } = data;
    const { bits, t } = settings;
    const count = 2 ** bits;
    const m = Math.min(Math.floor(t), bitSteps.length - 1);
    // A bound is not rounded down.
    const [jump, move] = [longest.bits, longest.sines].map((at) => Math.ceil(100 * at) / 100) as [
      number,
      number,
    ];
    const description = say.describe(bits, fixed(jump, 2), fixed(move, 2));
    const each = Array.from({ length: bits }, (_, i) => i);
    return {
      description,
      charts: [
        {
          height: 260,
          headroom: 20,
          digits: 2,
          x: { domain: [-0.5, count - 0.5], label: say.position },
          y: {
            domain: [0, jump * 1.05],
            label: say.step,
            ticks: [0, move, jump],
          },
          series: [
            { name: say.mostBits(fixed(jump, 2)), values: bitSteps, look: 'plain' },
            { name: say.mostDials(fixed(move, 2)), values: sineSteps, look: 'position strong' },
          ],
          below: (frame) => svg`${bound(frame, jump, '')} ${bound(frame, move, 'position')}`,
          cursor: Math.floor(t),
          onPick: (at) => set({ t: Math.min(count - 1, Math.max(0, Math.round(at))) }),
        },
      ],
      after: codes(view, description),
      numbers: {
        flips: [say.flips(m), fixed(bitSteps[m]! ** 2, 0)],
        'bit-step': [say.bitStep, fixed(bitSteps[m]!, 4)],
        'dial-step': [say.dialStep, fixed(sineSteps[m]!, 4)],
      },
      table: {
        columns: [say.position, ...each.map(say.bit), say.stepBits, say.stepDials],
        rows: Array.from({ length: count }, (_, at) => [
          at,
          ...each.map((i) => data.bits[i * count + at]!),
          bitSteps[at] ?? '',
          sineSteps[at] ?? '',
        ]),
      },
    };
  },
});
