/** What the maps say of the pair that is pointed at, and of the rows of its word. */
import { html, nothing, type TemplateResult } from 'lit';
import { fixed, rounded } from '../../plots/number.ts';
import { noKey, type LabFocus, type LabView } from './lab_controls.ts';
import { differenceOf, roundingLimit, showsVectors, valueAt } from './maps_view.ts';

export function drawPointed(view: LabView, focus: LabFocus): TemplateResult {
  const isBasic = view.settings.mode === 'basic';
  return html`<div class="lab-pointed">
    ${isBasic ? drawRows(view, focus) : nothing} ${drawPair(view, focus)}
  </div>`;
}

/** The value of the pair that is pointed at, in each of two schemes. */
function drawPair({ data, settings, say }: LabView, { token, other }: LabFocus): TemplateResult {
  const { view } = settings;
  if (view === 'terms' || showsVectors(view)) return html``;
  if (other === noKey) return html`<p class="lab-hint">${say.point}</p>`;
  const { shown, compared, request } = data;
  const [row, column] = [shown.order.indexOf(token), shown.order.indexOf(other)];
  const values = [shown, ...(compared ? [compared.pass] : [])].map((pass) => {
    const value = valueAt(pass, view, row * shown.order.length + column);
    if (Number.isFinite(value)) return fixed(value, 3);
    return view === 'weights' ? '0' : say.hidden;
  });
  const [query, key] = [request.tokens[token]!, request.tokens[other]!];
  const what = view === 'weights' ? undefined : say.views[view];
  return html`<p class="lab-pair" role="status">${say.pair(query, key, values, what)}</p>`;
}

/** Whether a word that comes again has equal rows: that of the query, or else one of few rows. */
function drawRows(view: LabView, { token }: LabFocus): TemplateResult {
  const { data, say } = view;
  const { weights, order } = data.shown;
  const { tokens } = data.request;
  const rowsOf = (word: string) => [...order.keys()].filter((row) => tokens[order[row]!] === word);
  const repeated = [...new Set(tokens)].filter((word) => rowsOf(word).length > 1);
  // Two rows are compared more easily than many.
  repeated.sort((a, b) => rowsOf(a).length - rowsOf(b).length);
  const word = repeated.find((one) => one === tokens[token]) ?? repeated[0];
  if (word === undefined)
    return html`<p class="finding">${say.strongest(...strongestIn(view))}</p>`;
  const rows = rowsOf(word);
  const difference = differenceOf(rows, order.length, (at) => weights[at]!);
  const areEqual = difference < roundingLimit;
  const text = areEqual
    ? say.rows.equal(word, rows.length)
    : say.rows.differ(word, rows.length, rounded(difference, 2));
  return html`<p class="finding lab-rows ${areEqual ? 'are-equal' : ''}" role="status">${text}</p>`;
}

/** The largest weight of the head on show: query, key and weight, as a sentence says them. */
export function strongestIn({ data }: LabView): [query: string, key: string, weight: string] {
  const { weights, order } = data.shown;
  const { tokens } = data.request;
  const strongest = weights.reduce((best, weight, at) => (weight > weights[best]! ? at : best), 0);
  const token = (place: number) => tokens[order[place]!]!;
  const row = Math.floor(strongest / tokens.length);
  return [token(row), token(strongest % tokens.length), rounded(weights[strongest]!)];
}
