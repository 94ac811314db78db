/** The maps of the lab: one, two beside each other, what lies between them, or the four terms. */
import { html, nothing, type TemplateResult } from 'lit';
import {
  colorOf,
  inkOn,
  magnitudeScale,
  signedScale,
  type ColorScale,
} from '../../plots/colors.ts';
import { fixed, rounded } from '../../plots/number.ts';
import '../../plots/pixels.ts';
import { compareText } from './compare_text.ts';
import { difference } from '../../toy/comparison.ts';
import type { MapName, Pass, TermName } from '../../toy/pass.ts';
import type { LabFocus, LabView } from './lab_controls.ts';
import { schemeText } from './scheme_text.ts';
import { schemeOf, type SchemeName } from '../../toy/schemes.ts';
import '../../maps/score_map.ts';
import type { Cell, ScoreMapData } from '../../maps/score_map.ts';
import type { ViewName } from './text.ts';

/** Vectors have dimensions for columns; every other map has keys. */
export function showsVectors(view: ViewName): view is 'input' | 'output' {
  return view === 'input' || view === 'output';
}

/** The four terms stand for themselves: a scheme without them has nothing to subtract. */
export function hasDifference({ data, settings }: LabView): boolean {
  return data.compared !== undefined && settings.view !== 'terms';
}

export function hasTwoMaps({ data, settings }: LabView): boolean {
  if (settings.view === 'terms') return true;
  return data.compared ? !settings.difference : data.request.shuffle !== 0;
}

/** One matrix to be drawn; every one of a view has the same colors and the same pair marked. */
interface Panel {
  name: string;
  order: readonly number[];
  value(index: number): number;
  width: number;
  entropy?: Float32Array;
}

export function drawMaps(view: LabView, focus: LabFocus): TemplateResult {
  const { settings, say } = view;
  const scale = scaleOf(view);
  const axes = showsVectors(settings.view) ? say.dimension : say.key;
  const isDifference = hasDifference(view) && settings.difference;
  const title = isDifference
    ? compareText[view.language].differenceTitle(say.views[settings.view])
    : say.viewTitles[settings.view];
  return html`<div class="lab-stage">
    <div class="lab-heading">
      <span class="lab-title">${title}</span>
      ${drawLegend(scale)} ${hasBlanks(view) ? html`<span class="lab-blank">${say.blank}</span>` : nothing}
    </div>
    ${
      settings.view === 'terms'
        ? drawTerms(view, scale, focus)
        : html`<div class="lab-maps">
          ${panelsOf(view, settings.view).map((panel) => drawMap(view, panel, scale, focus))}
        </div>`
    }
    <p class="lab-axes"><span class="query">↓ ${say.query}</span> <span class=${axes === say.key ? 'key' : ''}>→ ${axes}</span></p>
  </div>`;
}

/** A change below this is rounding: sums of some hundred float32 terms of size 1. */
export const roundingLimit = 1e-5;

function hasBlanks({ data, settings }: LabView): boolean {
  return data.request.causal && (settings.view === 'biased' || settings.view === 'weights');
}

function panelsOf(view: LabView, map: MapName): Panel[] {
  const { written, shown, compared, request } = view.data;
  const { order } = shown;
  const width = showsVectors(map) ? shown[map].length / order.length : order.length;
  const panel = (name: string, pass: Pass): Panel => ({
    name,
    order: pass.order,
    width,
    value: (index) => valueAt(pass, map, index),
    ...(map === 'weights' && view.settings.mode !== 'basic' && { entropy: pass.entropy }),
  });
  if (compared && view.settings.difference) {
    const between = (index: number) =>
      Number.isNaN(valueAt(shown, map, index)) ? NaN : difference(shown, compared.pass, map, index);
    return [{ name: '', order, width, value: between }];
  }
  if (compared) {
    const [a, b] = comparedNames(view);
    return [panel(a, shown), panel(b, compared.pass)];
  }
  if (request.shuffle === 0) return [panel('', shown)];
  return [panel(view.say.written, written), panel(view.say.shuffled, shown)];
}

/** "A: RoPE …" and "B: ALiBi", with the colon of the page's language. */
export function comparedNames({ data, language }: LabView): [string, string] {
  const { scheme, compare } = data.request;
  const name = (scheme: SchemeName) => schemeText[scheme].name[language];
  const { named } = compareText[language];
  return [named('A', name(scheme)), compare ? named('B', name(compare)) : ''];
}

/** C13: the four terms of each scheme that adds at the input, and why another has none. */
function drawTerms(view: LabView, scale: ColorScale, focus: LabFocus): TemplateResult {
  const { shown, compared, request } = view.data;
  const t = compareText[view.language];
  const [a, b] = comparedNames(view);
  const ofPass = (pass: Pass, scheme: SchemeName, name: string) => {
    const { terms } = pass;
    const maps =
      terms &&
      (Object.keys(terms.maps) as TermName[]).map((term): Panel => ({
        name: t.terms[term],
        order: pass.order,
        width: pass.order.length,
        value: (index) => terms.maps[term][index]!,
      }));
    return html`<div class="lab-terms" data-claim="C13">
      ${compared ? html`<h4>${name}</h4>` : nothing}
      ${
        maps
          ? html`<div class="lab-maps">${maps.map((panel) => drawMap(view, panel, scale, focus))}</div>`
          : html`<p>${t.noTerms[schemeOf(scheme).place]}</p>`
      }
    </div>`;
  };
  return html`${ofPass(shown, request.scheme, a)}
  ${compared ? ofPass(compared.pass, request.compare!, b) : nothing}`;
}

function drawMap(view: LabView, panel: Panel, scale: ColorScale, focus: LabFocus): TemplateResult {
  const { name, order } = panel;
  const square = !showsVectors(view.settings.view);
  const placeOf = (token: number) => order.indexOf(token);
  const marked: Cell = {
    row: placeOf(focus.token),
    column: square ? placeOf(focus.other) : focus.other,
  };
  const point = ({ detail: { row, column } }: CustomEvent<Cell>) =>
    view.setFocus({ token: order[row]!, other: square ? order[column]! : column });
  return html`<div class="lab-map">
    ${name ? html`<h4>${name}</h4>` : nothing}
    <rw-score-map
      role="group"
      aria-label=${view.say.mapLabel(name ?? '')}
      .data=${mapData(view, panel, scale)}
      .marked=${marked}
      @point=${point}
    ></rw-score-map>
  </div>`;
}

function mapData(
  { data, settings: { view }, language }: LabView,
  { order, width, value, entropy }: Panel,
  scale: ColorScale,
): ScoreMapData {
  const labels = order.map((token) => data.request.tokens[token]!);
  const columnsAreKeys = !showsVectors(view);
  return {
    rows: labels,
    columns: columnsAreKeys ? labels : Array.from({ length: width }, (_, d) => String(d)),
    columnsAreKeys,
    value: (row, column) => value(row * width + column),
    color: (value) => (Number.isFinite(value) ? colorOf(scale, value) : undefined),
    ink: (value) => inkOn(colorOf(scale, value)),
    format: (value) => (Number.isFinite(value) ? fixed(value, 2) : ''),
    ...(new Set(labels).size < labels.length && {
      twins: (row: number) => {
        const rows = labels.flatMap((label, other) => (label === labels[row] ? [other] : []));
        return { rows, areEqual: differenceOf(rows, width, value) < roundingLimit };
      },
    }),
    ...(entropy && {
      margin: {
        title: compareText[language].entropy,
        // The most that a row of so many keys can have.
        limit: Math.log(Math.max(2, labels.length)),
        value: (row: number) => entropy[row]!,
      },
    }),
  };
}

/** The most by which rows differ in one column; hidden cells are equal. */
export function differenceOf(
  rows: readonly number[],
  width: number,
  value: (index: number) => number,
): number {
  const shown = (row: number, column: number) => {
    const number = value(row * width + column);
    return Number.isFinite(number) ? number : 0;
  };
  const spread = (column: number) => {
    const values = rows.map((row) => shown(row, column));
    return Math.max(...values) - Math.min(...values);
  };
  return Math.max(...Array.from({ length: width }, (_, column) => spread(column)));
}

/** One number of a view; NaN where the mask hides the key. */
export function valueAt(pass: Pass, view: MapName, index: number): number {
  if (view === 'weights' && pass.biased[index] === -Infinity) return NaN;
  return pass[view]?.[index] ?? 0;
}

/** One scale for all maps: weights from 0 up, everything else signed around 0. */
function scaleOf({ data, settings: { view, difference }, theme }: LabView): ColorScale {
  const { written, shown, compared } = data;
  if (view === 'terms') {
    const limits = [shown, compared?.pass].map((pass) => pass?.terms?.limit ?? 0);
    return signedScale(theme, Math.max(...limits) || 1);
  }
  if (compared && difference) return signedScale(theme, compared.limits[view] || 1);
  const passes = compared ? [shown, compared.pass] : [written, shown];
  const limit = Math.max(...passes.map(({ limits }) => limits[view])) || 1;
  return view === 'weights' ? magnitudeScale(theme, limit) : signedScale(theme, limit);
}

const legendSteps = Float32Array.from({ length: 128 }, (_, i) => i / 127);

function drawLegend({ domain: [low, high], colors }: ColorScale): TemplateResult {
  const numbers = [low, (low + high) / 2, high];
  return html`<span class="lab-legend">
    <rw-pixels
      .box=${{ left: 0, top: 0, width: 160, height: 10 }}
      .matrix=${{ values: legendSteps, rows: 1, columns: legendSteps.length }}
      .scale=${{ domain: [0, 1], colors } satisfies ColorScale}
    ></rw-pixels>
    ${numbers.map((number) => html`<span>${rounded(number, 2)}</span>`)}
  </span>`;
}
