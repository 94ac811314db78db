/** Counting runs out of the trained range; squeezing into [0, 1] changes the step. */
import { html, nothing, svg } from 'lit';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { range } from '../../figures/shared_controls.ts';
import { horizontalAxis, lines, textWidth, within } from '../../plots/axis.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { linearScale, roundTicks, type Scale } from '../../plots/scale.ts';
import type { OneNumber } from './jobs.ts';
import { words } from './one_number_text.ts';
import { wavesStyle } from './style.ts';

const controls = defineControls(
  {
    length: range(words.length, { default: 4, min: 2, max: 512 }, { symbol: 'N', hue: 'position' }),
    trained: range(words.trained, { default: 3, min: 2, max: 128 }, { hue: 'position' }),
    token: range(
      words.token,
      { default: 2, min: 0, max: 511 },
      { symbol: 'm', hue: 'position', display: true },
    ),
  },
  { token: ({ length }) => length - 1 },
);

type NumberView = ViewOf<typeof controls, typeof words.strings, OneNumber, number>;

const left = 82;
const right = 20;
const integerAxis = 84;
const unitTop = 184;
const rowHeight = 60;
const unitAxis = unitTop + rowHeight + 36;
const height = unitAxis + 46;

/** The token in view: pointed at, or else chosen. */
const chosen = ({ focus, settings }: NumberView) =>
  Math.min(focus ?? settings.token, settings.length - 1);

const radius = (count: number, width: number) =>
  Math.max(1.25, Math.min(6, (width - left - right) / count / 3));

function drawing(view: NumberView) {
  const { width, say, settings } = view;
  const last = Math.max(settings.length, settings.trained) - 1;
  const x = linearScale([0, last], [left, width - right]);
  const unit = linearScale([0, 1], [left, width - right]);
  const ends = { start: left, end: width - right, width };
  const ticks = (end: number, most: number) => roundTicks([0, end], Math.min(width / 90, most));
  const point = (event: PointerEvent) => {
    const { clientX, clientY, currentTarget } = event;
    const box = (currentTarget as SVGElement).getBoundingClientRect();
    // A figure that is fitted to a box is drawn smaller than it is laid out.
    const scale = width / box.width;
    const at = (clientX - box.left) * scale;
    const isUnit = (clientY - box.top) * scale > unitTop - 30;
    const m = isUnit ? unit.invert(at) * (settings.length - 1) : x.invert(at);
    view.setFocus(Math.round(Math.min(settings.length - 1, Math.max(0, m))));
  };
  return html`<div class="plot">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
      aria-label=${describe(view)} @pointermove=${point}
      @pointerleave=${() => view.setFocus(undefined)}>
      ${name(say.counted, width, 16)}
      ${integers(view, x)}
      ${horizontalAxis({ at: x, ticks: ticks(last, last), label: '', ...ends }, integerAxis)}
      ${name(say.scaled, width, unitTop - 36)}
      ${row(view, 'trained', unit, unitTop)}
      ${row(view, 'text', unit, unitTop + rowHeight)}
      ${horizontalAxis({ at: unit, ticks: ticks(1, 5), label: '', ...ends }, unitAxis)}
    </svg>
  </div>`;
}

/** What a drawing shows, in as many lines above `bottom` as it takes. */
function name(text: string, width: number, bottom: number) {
  const all = lines(text, width);
  return all.map((line, k) => {
    const y = bottom - (all.length - 1 - k) * 18;
    return svg`<text class="axis-label" x="0" y=${y}>${line}</text>`;
  });
}

/** Circles in one path: hundreds of elements would hold up a drag. */
function dots(values: ArrayLike<number>, x: Scale, y: number, r: number): string {
  const dot = (value: number) => `M${x(value) - r},${y}a${r},${r} 0 1,1 0,.001z`;
  return Array.from(values, dot).join('');
}

function integers(view: NumberView, x: Scale) {
  const { data, settings, say, width } = view;
  const { trained, length } = settings;
  const r = radius(Math.max(length, trained), width);
  const m = chosen(view);
  const middle = integerAxis - 30;
  const named = (at: number, text: string) =>
    svg`<text x=${within(x(at), text, width)} y=${integerAxis - 6} text-anchor="middle">${text}</text>`;
  return svg`<rect class="seen" x=${left - 8} y=${integerAxis - 56}
      width=${x(trained - 1) - left + 16} height="56" />
    <text x=${left - 2} y=${integerAxis - 44}>${say.seen}</text>
    <path class="token" d=${dots(data.integers.subarray(0, trained), x, middle, r)} />
    <path class="token is-beyond" d=${dots(data.integers.subarray(trained), x, middle, r)} />
    <circle class="chosen" cx=${x(data.integers[m]!)} cy=${middle} r=${r + 4} />
    ${x(1) - x(0) > 90 ? [named(m, say.chosen(m)), m < trained && trained < length ? named(trained, say.never) : nothing] : nothing}`;
}

/** The tokens of a text of one length on [0, 1], and its first step. */
function row(view: NumberView, which: 'trained' | 'text', unit: Scale, y: number) {
  const { data, say, width } = view;
  const values = data.unit[which];
  const r = radius(values.length, width);
  const m = chosen(view);
  const step = unit(values[1]!) - left;
  const label = fixed(values[1]!, 4);
  const isRoomy = left + step + 6 + textWidth(label) < width;
  return svg`<text x="0" y=${y - 3}>${say.rows[which]}</text>
    <text x="0" y=${y + 13}>${say.row(values.length)}</text>
    <g class="step"><path d="M${left},${y - 18}v6m0,-3h${step}m0,-3v6" />
      ${
        isRoomy
          ? svg`<text x=${left + step + 6} y=${y - 11}>${label}</text>`
          : svg`<text x=${left + step} y=${y - 21} text-anchor="end">${label}</text>`
      }</g>
    <path class="token" d=${dots(values, unit, y, r)} />
    ${
      m < values.length
        ? svg`<circle class="chosen" cx=${unit(values[m]!)} cy=${y} r=${r + 4} />`
        : nothing
    }`;
}

function readout(view: NumberView) {
  const { data, say } = view;
  const m = chosen(view);
  const before = data.unit.trained[m];
  return say.readout(
    m,
    fixed(data.integers[m]!, 0),
    fixed(data.unit.text[m]!, 4),
    before === undefined ? undefined : fixed(before, 4),
  );
}

function results({ data, say, settings }: NumberView) {
  return numbers({
    largest: [say.largest(fixed(settings.trained - 1, 0)), fixed(data.integers.at(-1)!, 0)],
    'step-trained': [say.stepTrained, fixed(data.unit.trained[1]!, 4)],
    'step-text': [say.stepText, fixed(data.unit.text[1]!, 4)],
  });
}

function describe({ settings, data, say }: NumberView): string {
  return say.describe(
    settings.length,
    settings.trained,
    rounded(data.unit.text[1]!, 2),
    rounded(data.unit.trained[1]!, 2),
  );
}

export default defineFigure({
  claims: ['C02', 'C03'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ trained, length }, engine) => engine.oneNumber({ trained, length }),
  draw: (view: NumberView) => html`
    ${drawing(view)}
    <p class="readout" data-number="readout">${readout(view)}</p>
    ${results(view)}`,
  describe,
  table: ({ data, say }: NumberView) => ({
    columns: say.columns,
    rows: Array.from(data.integers, (value, m) => [
      m,
      value,
      data.unit.text[m]!,
      data.unit.trained[m] ?? '',
    ]),
  }),
  styles: wavesStyle,
});
