/** The sum that made the cell under the pointer, line by line, as text. */
import { html, nothing, type TemplateResult } from 'lit';
import { fixed, rounded } from '../../plots/number.ts';
import { schemeOf, type SchemeName } from '../../toy/schemes.ts';
import { cellSum, outputParts, type CellSum } from './cell.ts';
import { compareText } from './compare_text.ts';
import type { LabFocus, LabView } from './lab_controls.ts';
import { comparedNames } from './maps_view.ts';
import type { LabText } from './text.ts';

/** Seven significant digits: all that float32 has. */
export function precise(value: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7)) return rounded(value, 7);
  return `${value < 0 ? '\u2212' : ''}${size.toPrecision(7)}`;
}

export function drawCell(view: LabView, focus: LabFocus): TemplateResult {
  const { settings } = view;
  return settings.view === 'input' || settings.view === 'output'
    ? drawElement(view, focus, settings.view)
    : drawPair(view, focus);
}

/** One line of the sum; `name` finds the number in tests and scripts. */
function line(name: string, label: string, value: number, operator = ''): TemplateResult {
  return html`<div class="lab-line is-${name}">
    <dt>${operator ? html`<span class="lab-operator">${operator}</span> ` : nothing}${label}</dt>
    <dd><data data-number=${name} value=${value}>${precise(value)}</data></dd>
  </div>`;
}

function drawPair(view: LabView, { token, other }: LabFocus): TemplateResult {
  const { data, say } = view;
  const t = say.cell;
  const { shown, compared, request } = data;
  const [row, column] = [shown.order.indexOf(token), shown.order.indexOf(other)];
  const sums = [shown, ...(compared ? [compared.pass] : [])].map((pass) =>
    cellSum(data, pass, row, column),
  );
  const names = comparedNames(view);
  const schemes = [request.scheme, request.compare];
  return html`<div class="lab-cell ${compared ? 'has-sums' : ''}">
    <h4>${heading((query, key) => t.title(query!, key!), named(data, token, row, 'query'), named(data, other, column, 'key'))}</h4>
    ${sums.map(
      (sum, i) => html`<div class="lab-sum">
        ${compared ? html`<h5>${names[i]}</h5>` : nothing}
        <dl>
          ${drawSum(view, sum, schemes[i] ?? 'none')}
          ${request.shuffle === 0 || i === 1 ? nothing : line('written', t.asWritten, weightAsWritten(data, token, other))}
        </dl>
        ${drawTwins(t, data.positions, request.tokens[other]!, sum)}
      </div>`,
    )}
  </div>`;
}

function weightAsWritten(
  { written: { order, weights } }: LabView['data'],
  query: number,
  key: number,
) {
  return weights[order.indexOf(query) * order.length + order.indexOf(key)]!;
}

/** From the product, its terms or its two rotations, to the weight. */
function drawSum({ language, say }: LabView, sum: CellSum, scheme: SchemeName): TemplateResult {
  const t = say.cell;
  const { terms, rotations, temperature, bias } = sum;
  const chosen = (label: string, isChosen: boolean) => (isChosen ? t.chosen(label) : label);
  return html`${line('product', t.product, sum.product)} ${line('scale', t.scale, sum.scale, '×')}
  ${temperature === 1 ? nothing : line('temperature', t.temperature, temperature, '×')}
  ${
    rotations
      ? html`${line('near', chosen(t.near, rotations.isNear), rotations.near)}
        ${line('far', chosen(t.far(rotations.window), !rotations.isNear), rotations.far)}`
      : nothing
  }
  ${terms.map(([name, value], i) => line(name, compareText[language].terms[name], value, i === 0 ? '=' : '+'))}
  ${line('score', t.score, sum.score, '=')}
  ${scheme === 'none' ? nothing : line('content', t.content, sum.content)}
  ${bias === 0 ? nothing : line('bias', t.bias, bias, '+')}
  ${sum.masked ? html`<p>${t.masked}</p>` : drawWeight(t, sum, schemeOf(scheme).place !== 'softmax')}
  ${line('entropy', t.entropy, sum.entropy)}`;
}

function drawWeight(
  t: LabText['cell'],
  { bias, logit, power, rowSum, weight }: CellSum,
  hasSoftmax: boolean,
): TemplateResult {
  if (!hasSoftmax) return line('weight', t.weight, weight);
  return html`${bias === 0 ? nothing : line('logit', t.logit, logit, '=')}
  ${line('power', t.power, power)}
  ${line('row-sum', t.rowSum, rowSum, '÷')} ${line('weight', t.weight, weight, '=')}`;
}

/** “token” with its position, in the hue of its part. */
function named(
  data: LabView['data'],
  token: number,
  place: number,
  hue: 'query' | 'key',
): TemplateResult {
  return html`<bdi class=${hue}>${data.request.tokens[token]}</bdi
    ><sub class="position">${data.positions[place]}</sub>`;
}

/** A sentence with marked-up tokens where it names them. */
function heading(
  title: (...names: string[]) => string,
  ...names: TemplateResult[]
): TemplateResult {
  const words = title(...names.map(() => '\u0000')).split('\u0000');
  return html`${words.map((word, i) => html`${word}${names[i] ?? nothing}`)}`;
}

const mostTwins = 8;

/** C01: what the same word gets at its other places. */
function drawTwins(
  t: LabText['cell'],
  positions: readonly number[],
  token: string,
  { twins }: CellSum,
): TemplateResult | typeof nothing {
  if (twins.length < 2) return nothing;
  const scores = twins.map(({ score, logit }) => (logit === -Infinity ? score : logit));
  const spread = Math.max(...scores) - Math.min(...scores);
  return html`<p class="lab-twins" data-claim="C01">
    ${t.twins(token)}
    ${twins.slice(0, mostTwins).map(
      ({ column }, i) => html`<span class="lab-twin"
        ><data value=${scores[i]!}>${precise(scores[i]!)}</data
        ><sub class="position">${positions[column]}</sub></span
      > `,
    )}${twins.length > mostTwins ? '… ' : nothing}
    <span class="lab-spread">${spread < 1e-5 ? t.twinsEqual : t.twinsDiffer(rounded(spread))}</span>
  </p>`;
}

const mostParts = 6;

/** An element of a vector; of the output, also what each key put into it. */
function drawElement(
  { data, say }: LabView,
  { token, other }: LabFocus,
  view: 'input' | 'output',
): TemplateResult {
  const t = say.cell;
  const { tokens, shuffle } = data.request;
  const row = data.shown.order.indexOf(token);
  const value = (pass: typeof data.shown) => {
    const width = pass[view].length / tokens.length;
    return pass[view][pass.order.indexOf(token) * width + other]!;
  };
  return html`<div class="lab-cell">
    <h4>${heading((name) => t.value(name!, other), named(data, token, row, 'query'))}</h4>
    <dl>
      ${view === 'output' ? drawParts(data, t, row, other) : nothing}
      ${line('element', say.views[view], value(data.shown), view === 'output' ? '=' : '')}
      ${shuffle === 0 ? nothing : line('written', t.asWritten, value(data.written))}
    </dl>
  </div>`;
}

function drawParts(
  data: LabView['data'],
  t: LabText['cell'],
  row: number,
  dimension: number,
): TemplateResult {
  const { order } = data.shown;
  const { parts, rest } = outputParts(data.shown, row, dimension, mostParts);
  const hidden = order.length - parts.length;
  return html`${parts.map(
    ({ column, weight, value, product }, i) => html`<div class="lab-line">
      <dt>
        <span class="lab-operator">${i === 0 ? '' : '+'}</span> ${named(data, order[column]!, column, 'key')}:
        ${rounded(weight)} × <span class="value">${rounded(value)}</span>
      </dt>
      <dd>${precise(product)}</dd>
    </div>`,
  )}
  ${hidden > 0 ? line('rest', t.others(hidden), rest, '+') : nothing}`;
}
