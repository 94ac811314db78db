/** The base sets the wavelengths, and these give the pairs that never complete a rotation. */
import { html, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { buttonSize, pairButtons } from '../../figures/pair_buttons.ts';
import { ropeModels } from '../../figures/rope_models.ts';
import { baseRange, modelRange, pairRange } from '../../figures/shared_controls.ts';
import type { Frame, Point } from '../../plots/line_chart.ts';
import { rounded, whole } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import type { Wavelengths } from './jobs.ts';
import { rotationStyle } from './style.ts';
import { words } from './wavelengths_text.ts';

const controls = defineControls({
  base: baseRange(100, 1e7),
  length: modelRange(
    'length',
    words.length,
    { default: 4096, min: 16, max: 1048576 },
    { hue: 'position' },
  ),
  dim: modelRange('dim', words.dim, { default: 128, min: 4, max: 256 }),
  pair: pairRange(words.pair, { default: 48, max: 127 }),
});

type ReachView = ViewOf<typeof controls, typeof words.strings, Wavelengths, number>;

/** Pairs that complete no rotation: the slow ones, from this pair to the last. */
function firstSlow({ rotations }: Wavelengths): number {
  const first = rotations.findIndex((count) => count < 1);
  return first < 0 ? rotations.length : first;
}

function presets({ settings, say, set }: ReachView) {
  return html`<div class="presets" role="group" aria-label=${say.models}>
    ${ropeModels.map(({ name, source, dim, base, length }) => {
      const isShown = settings.dim === dim && settings.base === base && settings.length === length;
      return html`<button type="button" title=${source} aria-pressed=${isShown}
        @click=${() => set({ dim, base, length })}>${name}</button>`;
    })}
  </div>`;
}

/** Shades the wavelengths above the context's length, and names it. */
function contextLine(length: number, text: string, { y, left, right, top }: Frame) {
  const level = y(length);
  return svg`<rect class="slow" x=${left} y=${top} width=${right - left}
      height=${Math.max(0, level - top)} />
    <line class="length" x1=${left} x2=${right} y1=${level} y2=${level} />
    <text class="length-label" x=${left + 8} y=${level - 7}>${text}</text>`;
}

const largestCircle = 64;

/** Pairs spread evenly over the head, each with the part of its circle that the context covers. */
function circles(view: ReachView) {
  const { data, say, width } = view;
  const count = data.rotations.length;
  const shown = Math.min(count, Math.max(6, Math.floor(width / 62)), 16);
  const size = buttonSize(width, shown, largestCircle);
  const buttons = Array.from({ length: shown }, (_, k) => {
    const pair = Math.round((k * (count - 1)) / Math.max(1, shown - 1));
    const rotations = data.rotations[pair]!;
    const label = say.dial(pair, rounded(rotations));
    return { pair, label, drawing: drawPair(size, rotations, pair) };
  });
  return html`<p class="lead">${say.dials}</p>
    ${pairButtons(view, say.dials, buttons)}`;
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

export default chartFigure({
  claims: ['C25'],
  text: words.strings,
  tries: words.tries,
  styles: rotationStyle,
  controls,
  cursor: 'pair',
  compute: ({ dim, base, length }, engine) => engine.rotaryReach({ dim, base, length }),
  show(view) {
    const { data, settings, cursor: pair, say } = view;
    const { wavelengths, rotations } = data;
    const count = rotations.length;
    const slow = firstSlow(data);
    const length = whole(settings.length);
    const longest = wavelengths.at(-1)!;
    const points = Array.from(wavelengths, (wavelength, i): Point => [i, wavelength]);
    return {
      description: say.describe(slow, count, length),
      charts: [
        {
          before: presets(view),
          height: { share: 0.4, min: 300, max: 400 },
          x: { domain: [-0.7, count - 0.3], label: say.pairAxis },
          y: {
            domain: [1, Math.max(longest, settings.length) * 2],
            label: say.wavelengthAxis,
            scale: 'log',
          },
          series: [
            { name: say.complete, points: points.slice(0, slow), look: 'faint', dots: true },
            { name: say.never, points: points.slice(slow), look: 'position', dots: true },
            { name: say.chosen(pair), points: [points[pair]!], look: 'bold plain', dots: true },
          ],
          // The chosen dot stands for it.
          cursor: undefined,
          below: (frame) => contextLine(settings.length, say.context(length), frame),
        },
      ],
      after: circles(view),
      numbers: {
        never: [say.count(length), `${count - slow} / ${count}`],
        first: [say.first, slow < count ? `i = ${slow}` : say.none],
        longest: [say.longest, rounded(longest, 5)],
        wavelength: [say.wavelength(pair), rounded(wavelengths[pair]!, 5)],
        turns: [say.turns(pair), rounded(rotations[pair]!, 4)],
      },
      table: {
        columns: say.columns,
        rows: Array.from(wavelengths, (wavelength, i) => [i, wavelength, rotations[i]!]),
      },
    };
  },
});
