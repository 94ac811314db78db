/** The results under each cell, as a function of what the worker found. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../languages.ts';
import { fileErrorIn } from './file_errors.ts';
import type { CellResults, Comparison, Listed } from './protocol.ts';
import type { Translate } from './text.ts';

const shapeText = (shape: readonly number[]) => `[${shape.join(', ')}]`;
const short = (value: number) => String(Number(value.toPrecision(6)));
/** Without toLocaleString, which loads its tables first: tens of milliseconds. */
const withCommas = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

function table(head: string[], rows: unknown[][], label: string): TemplateResult {
  return html`<div class="scrolling" tabindex="0" role="region" aria-label=${label}>
    <table class="facts">
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col">${cell}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...others]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${others.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function listing(arrays: readonly Listed[], translate: Translate, label: string): TemplateResult {
  const head = [translate('name'), translate('format'), translate('shape'), translate('first')];
  const rows = arrays.map(({ name, format, shape, first }) => [
    html`<code>${name}</code>`,
    format,
    shapeText(shape),
    first.map(short).join(', '),
  ]);
  return table(head, rows, label);
}

function comparing(comparisons: readonly Comparison[], translate: Translate): TemplateResult {
  const head = [
    translate('name'),
    translate('largest'),
    translate('place'),
    translate('tolerance'),
    translate('verdict'),
  ];
  const rows = comparisons.map(({ name, largest, place, tolerance, agrees }) => [
    html`<code>${name}</code>`,
    largest.toExponential(2),
    shapeText(place),
    tolerance.toExponential(0),
    html`<strong class=${agrees ? 'agrees' : 'differs'}
      >${translate(agrees ? 'agrees' : 'differs')}</strong
    >`,
  ]);
  return table(head, rows, translate('verdict'));
}

function grid(rows: number[][], translate: Translate): TemplateResult {
  const head = [translate('query'), ...(rows[0] ?? []).map((_, i) => String(i))];
  return html`<p class="of">${translate('headWeights')}</p>
    ${table(
      head,
      rows.map((row, i) => [String(i), ...row.map((value) => value.toFixed(3))]),
      translate('headWeights'),
    )}`;
}

/** Each cell's result by the cell's name. */
export function results(
  found: CellResults,
  notes: readonly string[],
  language: Language,
  translate: Translate,
  save: (name: string) => void,
) {
  const errors = (cell: string) =>
    found.errors
      .filter((one) => one.cell === cell)
      .map(({ about, error }) => `${about && `${about}: `}${fileErrorIn(language, error)}`);
  const alerts = (lines: readonly string[]) =>
    lines.map((line) => html`<p class="refused" role="alert">${line}</p>`);
  const ours = (...names: string[]) => found.results.filter(({ name }) => names.includes(name));
  const note = (line: string) => html`<p class="of">${line}</p>`;
  const [tables, attended] = [ours('rotary'), ours('output', 'weights')];
  const sawAttention = attended.length > 0 || errors('attention').length > 0;
  return {
    arrays: html`${alerts([...notes, ...errors('arrays')])}
    ${found.arrays.length ? listing(found.arrays, translate, translate('name')) : note(translate('nothing'))}`,
    table: html`${alerts(errors('table'))}
    ${tables.length ? listing(tables, translate, 'rotary') : errors('table').length ? nothing : note(translate('noTable'))}`,
    attention: html`${alerts(errors('attention'))}
    ${attended.length ? html`${listing(attended, translate, 'output')}${grid(found.weights, translate)}` : nothing}
    ${sawAttention ? nothing : note(`${translate('missing')} ${found.missing.join(', ')}`)}`,
    compare: html`${alerts(errors('compare'))}
    ${found.comparisons.length ? comparing(found.comparisons, translate) : errors('compare').length ? nothing : note(translate('noTheirs'))}`,
    write: html`<p class="saving">
      ${found.results.map(
        ({ name, bytes }) =>
          html`<button type="button" @click=${() => save(name)}>
            ${translate('save')} ${name}.npy <small>${withCommas(bytes.length)} B</small>
          </button>`,
      )}
    </p>`,
  };
}
