/** Three sines as a curve in space; it closes on itself, or does not over the range shown. */
import { html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import '../../components/play.ts';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { colorOf, css, magnitudeScale } from '../../plots/colors.ts';
import { lineChart, nameBeside, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { markRoom, spacePlot } from '../../plots/space_plot.ts';
import { words } from './dial_curve_text.ts';
import { shortestWavelength, samplesPerPosition, type DialCurve } from './jobs.ts';
import { wavesStyle } from './style.ts';

const controls = defineControls({
  frequencies: choice(
    words.frequencies,
    { halving: { en: '1, ½, ¼', zh: '1, ½, ¼' }, 'dim-1': words.spread },
    'halving',
  ),
  base: range(
    words.base,
    { default: 10000, min: 4, max: 1e6, step: 'log' },
    { symbol: 'b', place: 'drawing' },
  ),
  positions: range(
    words.positions,
    { default: 30, min: 10, max: 200 },
    { symbol: 't', hue: 'position' },
  ),
  turn: range(
    words.turn,
    { default: 35, min: -180, max: 180 },
    { display: true, place: 'drawing' },
  ),
  tilt: range(words.tilt, { default: 20, min: -90, max: 90 }, { display: true, place: 'drawing' }),
});

type CurveView = ViewOf<typeof controls, typeof words.strings, DialCurve, number>;

/** Degrees on the circle -180 ... 180, and upright at most. */
function rotateView({ settings, set }: CurveView, across: number, up: number) {
  const turn = ((((settings.turn + across + 180) % 360) + 360) % 360) - 180;
  const tilt = Math.min(90, Math.max(-90, settings.tilt + up));
  set({ turn: Math.round(turn), tilt: Math.round(tilt) });
}

const keys: Record<string, readonly [number, number]> = {
  ArrowLeft: [-5, 0],
  ArrowRight: [5, 0],
  ArrowUp: [0, 5],
  ArrowDown: [0, -5],
};

function space(view: CurveView) {
  const { settings, data, theme, width, say } = view;
  const size = Math.min(440, width);
  const last = settings.positions - 1;
  // The first positions are to be seen as well, so the scale begins before them.
  const scale = magnitudeScale(theme, last, -0.35 * last);
  const { first, second } = data.collision;
  const place = (t: number) => {
    const point = Math.round(t * samplesPerPosition);
    return [...data.curve.subarray(3 * point, 3 * point + 3)] as [number, number, number];
  };
  const marks = [first, second].map((t) => ({ at: place(t), text: t === 0 ? '0' : fixed(t, 2) }));
  const isClosed = data.collision.distance < 0.25;
  const half = halfLap(view);
  const starts = [marks[0]!.text, ...(half === undefined ? [] : [fixed(half, 2)])];
  const onKey = (event: KeyboardEvent) => {
    const way = keys[event.key];
    if (!way) return;
    event.preventDefault();
    rotateView(view, ...way);
  };
  const onMove = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    rotateView(view, event.movementX * 0.6, event.movementY * 0.6);
  };
  const shown = isClosed
    ? [{ at: marks[1]!.at, text: say.meeting(starts.join(say.comma), marks[1]!.text) }]
    : marks;
  return html`<div class="space" tabindex="0" role="group" aria-label=${say.space}
    @keydown=${onKey} @pointermove=${onMove}>
    <svg width=${size} height=${size + markRoom} viewBox="0 0 ${size} ${size + markRoom}" role="img"
      aria-label=${describe(view)}>
      ${spacePlot({
        size,
        eye: settings,
        curve: data.curve,
        value: (point) => point / samplesPerPosition,
        scale,
        axes: ['p₀', 'p₁', 'p₂'],
        marks: shown,
      })}
      ${legend(size, say.legend, last, (t) => css(colorOf(scale, t)))}
    </svg>
  </div>`;
}

function legend(size: number, label: string, last: number, color: (t: number) => string) {
  const [left, width, steps] = [size - 150, 136, 34];
  return svg`<g aria-hidden="true">
    ${Array.from(
      { length: steps },
      (_, k) => svg`<rect x=${left + (k * width) / steps} y="6" width=${width / steps + 0.5}
        height="8" fill=${color((k / (steps - 1)) * last)} />`,
    )}
    <text x=${left - 8} y="14" text-anchor="end">${label}</text>
    <text x=${left} y="28">0</text>
    <text x=${left + width} y="28" text-anchor="end">${last}</text>
  </g>`;
}

function nearestChart(view: CurveView) {
  const { settings, data, say, width } = view;
  const { distance, first, second } = data.collision;
  return lineChart({
    width,
    height: 300,
    x: { domain: [0, settings.positions - 1], label: say.gap },
    y: { domain: [0, Math.max(0.6, ...data.nearest) * 1.05], label: say.nearest },
    series: [
      {
        name: '',
        points: data.nearest.map((value, k): Point => [k / samplesPerPosition, value]),
        look: 'position',
      },
    ],
    label: describe(view),
    cursor: view.focus,
    onCursor: view.setFocus,
    headroom: 24,
    below(frame) {
      const { x, y, top, bottom } = frame;
      const end = x(shortestWavelength);
      return svg`
        <rect class="seen" x=${x(0)} y=${top} width=${end - x(0)} height=${bottom - top} />
        ${nameBeside(frame, say.one, end, top + 14)}
        <circle class="meeting" cx=${x(second - first)} cy=${y(distance)} r="6" />`;
    },
  });
}

/** The wavelength of a dial over that of the dial before. */
const ratioOf = ({ settings }: CurveView) =>
  settings.frequencies === 'halving' ? 2 : Math.sqrt(settings.base);

/**
 * Half a lap, where the lap is the longest wavelength: if wavelengths are whole multiples, all
 * three sines are 0 again there.
 */
function halfLap(view: CurveView): number | undefined {
  const { distance, second } = view.data.collision;
  const ratio = ratioOf(view);
  const isLap = Math.abs(shortestWavelength * ratio ** 2 - second) < 0.005;
  return distance < none && Number.isInteger(ratio) && isLap ? second / 2 : undefined;
}

function results(view: CurveView) {
  const { data, say } = view;
  const { distance, first, second } = data.collision;
  const ratio = ratioOf(view);
  const wavelengths = [0, 1, 2].map((i) => rounded(shortestWavelength * ratio ** i, 4));
  return numbers({
    collision: [say.collision, fixed(distance, 4)],
    moments: [say.moments, say.and(fixed(first, 2), fixed(second, 2))],
    apart: [say.apart, fixed(second - first, 3)],
    turns: [say.turns, wavelengths.join(say.comma)],
  });
}

/** Rounds to nothing in the digits shown. */
const none = 5e-5;

function describe(view: CurveView): string {
  const { data, settings, say } = view;
  const { distance, first, second } = data.collision;
  const places = [fixed(first, 2), fixed(second, 2)] as const;
  if (distance >= none)
    return say.describe(settings.positions, fixed(distance, distance < 0.01 ? 4 : 2), ...places);
  const half = halfLap(view);
  return half === undefined ? say.closed(...places) : say.lap(fixed(half, 2), places[1]);
}

function draw(view: CurveView) {
  const { width, language, say, data, focus, settings } = view;
  // Rotating the cube leaves the distances alone.
  const distances = guard([data, focus, width, language], () => nearestChart(view));
  // Halved frequencies have no base.
  return html`${settings.frequencies === 'dim-1' ? view.control('base') : nothing}
    ${space(view)}
    <rw-play .label=${say.play} .pace=${60} @tick=${() => rotateView(view, 2, 0)}></rw-play>
    <div class="values-only">${distances}</div>
    ${results(view)}`;
}

export default defineFigure({
  claims: ['C06'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ frequencies, base, positions }, engine) =>
    engine.dialCurve({ frequencies, base, positions }),
  draw,
  describe,
  table: ({ data, say }: CurveView) => ({
    columns: [say.legend, 'p0', 'p1', 'p2', say.nearest],
    rows: data.nearest.map((nearest, k) => [
      k / samplesPerPosition,
      ...data.curve.subarray(3 * k, 3 * k + 3),
      nearest,
    ]),
  }),
  styles: wavesStyle,
});
