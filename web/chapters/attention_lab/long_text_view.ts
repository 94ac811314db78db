/** The drawing of the long text: the map, its legend, and what the pointed square stands for. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { until } from 'lit/directives/until.js';
import { numbers } from '../../figures/numbers.ts';
import { within } from '../../plots/axis.ts';
import type { ColorScale } from '../../plots/colors.ts';
import type { Square } from '../../maps/weight_map_data.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import '../../plots/pixels.ts';
import { Superseded } from '../../worker/client.ts';
import type { LongTextFocus, LongTextView } from './long_text_controls.ts';
import type { LongTextMap, Totals } from './long_text_map.ts';
import type { LongTextWords } from './long_text_text.ts';
import { between, joined } from '../../toy/tokens.ts';
import '../../maps/weight_map.ts';
import type { Place } from '../../maps/weight_map.ts';
import { highestDecade, lowestDecade, paletteOf } from '../../maps/weight_map_colors.ts';

export function drawLongText(view: LongTextView): TemplateResult {
  const { control, data, say } = view;
  return html`<div class="long">
    ${control('scheme')}
    <div class="controls">${control('length')} ${control('head')} ${control('causal')}</div>
    <div class="long-bench">
      ${drawMap(view)}
      <div class="long-side">
        ${drawFinding(view)} ${drawFocus(view)} ${drawTotals(view)}
      </div>
    </div>
    <div class="controls">${control('measure')} ${control('likeness')} ${control('seed')}</div>
    <details class="long-text" ?open=${data.isOwn || data.fault !== undefined}>
      <summary>${say.textOf(data.isOwn, data.count, data.map.length)}</summary>
      ${control('text')}
      <p class="long-fault" role="status">${data.fault ? say.fault(data.fault) : nothing}</p>
    </details>
  </div>`;
}

function drawMap(view: LongTextView): TemplateResult {
  const { data, settings, theme, language, say, still, focus } = view;
  const palette = paletteOf(theme);
  const { length } = data.map;
  const isHiding = data.map.sees.causal || data.map.sees.window < Infinity;
  const place: Place = { zoom: settings.zoom, row: settings.row, column: settings.column };
  return html`<div class="long-stage">
    <div class="long-heading">
      <span>${say.mapTitles[settings.measure]}</span>
      ${guard([palette, length, language], () => drawLegend(palette.scale, length, say.even))}
    </div>
    <rw-weight-map
      role="group"
      aria-label=${say.sentences(describe(view), say.keys)}
      .map=${data.map}
      .place=${place}
      .marked=${shownFocus(focus, length)}
      .palette=${palette}
      .measure=${settings.measure}
      .words=${say.map}
      .still=${still}
      @settle=${({ detail }: CustomEvent<Place>) => view.set(detail)}
      @point=${({ detail }: CustomEvent<Square>) => point(view, detail)}
    ></rw-weight-map>
    <p class="long-axes">
      <span class="query">↓ ${say.query}</span> <span class="key">→ ${say.key}</span>
      ${isHiding ? html`<span class="long-blank">${drawBlank(data.map, say)}</span>` : nothing}
    </p>
    <p class="long-hint">${say.hint}</p>
  </div>`;
}

/** What blank parts are: as long as the map is computed, two things look alike. */
const drawBlank = (map: LongTextMap, say: LongTextWords) =>
  map.totals
    ? say.blank
    : until(
        map.whole.then(() => say.blank),
        say.blankSoon,
      );

/** A text that became shorter may have left the focus behind. */
function shownFocus(focus: LongTextFocus | undefined, length: number) {
  return focus && Math.max(focus.row, focus.column) + focus.side <= length ? focus : undefined;
}

/** One cell is worth its whole sum, which comes from the worker. */
function point({ data: { map }, setFocus }: LongTextView, square: Square) {
  setFocus(square);
  if (square.side > 1) return;
  map.cell(square.row, square.column).then(
    (cell) => setFocus({ ...square, cell }),
    (error: unknown) => {
      // The pointer is elsewhere by now, and the cell there is requested.
      if (!(error instanceof Superseded)) throw error;
    },
  );
}

const legendWidth = 220;
/** Room for half a number on either side of the legend. */
const legendRoom = 20;
const legendSteps = Float32Array.from({ length: 128 }, (_, i) => i / 127);

/** Decades, and where a query would be that attends to all keys alike. */
function drawLegend(
  { colors }: ColorScale,
  length: number,
  even: LongTextWords['even'],
): TemplateResult {
  const at = (decade: number) =>
    ((decade - lowestDecade) / (highestDecade - lowestDecade)) * legendWidth;
  const decades = Array.from(
    { length: highestDecade - lowestDecade + 1 },
    (_, i) => lowestDecade + i,
  );
  const mark = at(-Math.log10(length));
  return html`<span class="long-legend">
    <rw-pixels
      .box=${{ left: legendRoom, top: 0, width: legendWidth, height: 10 }}
      .matrix=${{ values: legendSteps, rows: 1, columns: legendSteps.length }}
      .scale=${{ domain: [0, 1], colors } satisfies ColorScale}
    ></rw-pixels>
    <svg width=${legendWidth + 2 * legendRoom} height="54" aria-hidden="true">
      <g transform="translate(${legendRoom} 0)">
        ${decades.map((decade) => svgTick(at(decade), decade))}
        ${svgMark(mark, even(`1/${whole(length)}`))}
      </g>
    </svg>
  </span>`;
}

const svgTick = (at: number, decade: number) =>
  svg`<path class="long-tick" d="M${at},10v4" /><text x=${at} y="26" text-anchor="middle">${
    decade === 0 ? '1' : `10⁻${'⁰¹²³⁴⁵⁶⁷⁸⁹'[-decade]}`
  }</text>`;

const svgMark = (at: number, label: string) =>
  svg`<path class="long-even" d="M${at},0v10M${at - 4},34l4,-5l4,5z" />
    <text class="axis-label" x=${within(at + legendRoom, label, legendWidth + 2 * legendRoom) - legendRoom}
      y="49" text-anchor="middle">${label}</text>`;

/** Tokens on either side that tell a reader where in the text a token stands. */
const around = 7;

function drawFocus(view: LongTextView): TemplateResult {
  const { data, say } = view;
  const focus = shownFocus(view.focus, data.map.length);
  if (!focus) return html`<div class="long-focus" aria-live="polite"><p>${say.pointHere}</p></div>`;
  const { row, column, side } = focus;
  return html`<div class="long-focus" aria-live="polite">
    ${drawPassage(view, 'query', row, side)} ${drawPassage(view, 'key', column, side)}
    ${side === 1 ? drawSum(view, focus) : drawSquare(view, focus)}
  </div>`;
}

/** The words under the square, with a few before and after. */
function drawPassage(view: LongTextView, hue: 'query' | 'key', at: number, side: number) {
  const { tokens } = view.data.map;
  const [before, inner, after] = [
    tokens.slice(Math.max(0, at - around), at),
    tokens.slice(at, at + side),
    tokens.slice(at + side, at + side + around),
  ];
  const marked =
    side <= 8 ? joined(inner) : `${joined(inner.slice(0, 3))} … ${joined(inner.slice(-3))}`;
  return html`<p class="long-passage">
    <span class="long-name ${hue}">${view.say[`${hue}At`](at, at + side - 1)}</span><br />
    <bdi
      ><span class="long-around">…${joined(before)}${between(before.at(-1), inner[0])}</span
      ><mark class=${hue} data-token=${hue}>${marked}</mark
      ><span class="long-around">${between(inner.at(-1), after[0])}${joined(after)}…</span></bdi
    >
  </p>`;
}

function drawSquare({ data: { map }, settings, say }: LongTextView, focus: LongTextFocus) {
  const value = map.value(focus, settings.measure);
  if (value === undefined) return nothing;
  if (Number.isNaN(value)) return html`<p>${say.hidden}</p>`;
  const { side } = focus;
  const mean = map.value(focus, 'mean')!;
  return html`<dl class="long-sum">
    ${line(say.square[settings.measure](side), weightText(value), 'square', value)}
    ${line(say.share(side), percent(mean * side), 'share', mean * side)}
  </dl>
  <p class="long-note">${say.zoomForSum}</p>`;
}

function drawSum({ data: { map }, say }: LongTextView, { cell, ...square }: LongTextFocus) {
  if (!cell) return html`<p>${say.computing}</p>`;
  if (Number.isNaN(map.value(square, 'mean') ?? 0)) return html`<p>${say.hidden}</p>`;
  const { product, scale, score, bias, logit, logSumExp, weight } = cell;
  return html`<dl class="long-sum">
    ${line(say.product, fixed(product, 4), 'product', product)}
    ${line(say.scale, fixed(scale, 4), 'scale', scale)}
    ${line(say.score, fixed(score, 4), 'score', score)}
    ${bias === 0 ? nothing : line(say.bias, fixed(bias, 4), 'bias', bias)}
    ${bias === 0 ? nothing : line(say.logit, fixed(logit, 4), 'logit', logit)}
    ${line(say.logSumExp, fixed(logSumExp, 4), 'log-sum-exp', logSumExp)}
    ${line(say.weight, weightText(weight), 'weight', weight)}
  </dl>`;
}

const line = (name: string, text: string, id: string, value: number) =>
  html`<div class="is-${id}"><dt>${name}</dt><dd><data data-number=${id} value=${value}>${text}</data></dd></div>`;

const percent = (share: number) => `${rounded(100 * share)}%`;
const weightText = (weight: number) => rounded(weight);

/** The lines are there before their numbers, so that nothing below moves when the sums arrive. */
function drawTotals({ data: { map }, say }: LongTextView): TemplateResult {
  const t = say.totals;
  const draw = (totals?: Totals) =>
    numbers({
      'median-distance': [t.medianDistance, totals ? whole(totals.medianDistance) : '…'],
      attended: [t.attended, totals ? rounded(totals.attended) : '…'],
    });
  const shown = map.totals ? draw(map.totals) : until(map.whole.then(draw), draw());
  return html`<div class="long-totals">${shown}</div>`;
}

/** Has its room before it is known: that of a finding with large numbers. */
function drawFinding({ data: { map }, settings, say }: LongTextView): TemplateResult {
  const found = (totals: Omit<Totals, 'attended'>) =>
    say.finding(settings.scheme, totals, map.copyAt);
  const room = found({ medianDistance: map.length, copyShare: map.copyAt && 1 });
  const shown = map.totals ? found(map.totals) : until(map.whole.then(found), say.findingSoon);
  return html`<p class="finding" data-room=${room}><span>${shown}</span></p>`;
}

export function describe({ data: { map }, settings, say }: LongTextView): string {
  const { totals, length } = map;
  const what = say.describe(length, say.schemes[settings.scheme], settings.head, settings.causal);
  if (!totals) return what;
  return say.sentences(what, say.finding(settings.scheme, totals, map.copyAt));
}
