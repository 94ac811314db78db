/** The results under each cell, as a function of what the worker found. */
import { html, nothing, type TemplateResult } from 'lit';
import type { CellResults, Comparison, Listed } from './protocol.ts';
import type { Say } from './text.ts';

const shapeText = (shape: readonly number[]) => `[${shape.join(', ')}]`;
const short = (value: number) => String(Number(value.toPrecision(6)));

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

function listing(arrays: readonly Listed[], say: Say, label: string): TemplateResult {
  const head = [say('name'), say('format'), say('shape'), say('first')];
  const rows = arrays.map(({ name, format, shape, first }) => [
    html`<code>${name}</code>`,
    format,
    shapeText(shape),
    first.map(short).join(', '),
  ]);
  return table(head, rows, label);
}

function comparing(comparisons: readonly Comparison[], say: Say): TemplateResult {
  const head = [say('name'), say('largest'), say('place'), say('tolerance'), say('verdict')];
  const rows = comparisons.map(({ name, largest, place, tolerance, agrees }) => [
    html`<code>${name}</code>`,
    largest.toExponential(2),
    shapeText(place),
    tolerance.toExponential(0),
    html`<strong class=${agrees ? 'agrees' : 'differs'}
      >${say(agrees ? 'agrees' : 'differs')}</strong
    >`,
  ]);
  return table(head, rows, say('verdict'));
}

function grid(rows: number[][], say: Say): TemplateResult {
  const head = [say('query'), ...(rows[0] ?? []).map((_, i) => String(i))];
  return html`<p class="of">${say('headWeights')}</p>
    ${table(
      head,
      rows.map((row, i) => [String(i), ...row.map((value) => value.toFixed(3))]),
      say('headWeights'),
    )}`;
}

/** Each cell's result by the cell's name. */
export function results(
  found: CellResults,
  notes: readonly string[],
  say: Say,
  save: (name: string) => void,
) {
  const errors = (cell: string) =>
    found.errors.filter((one) => one.cell === cell).map(({ text }) => text);
  const alerts = (lines: readonly string[]) =>
    lines.map((line) => html`<p class="refused" role="alert">${line}</p>`);
  const ours = (...names: string[]) => found.results.filter(({ name }) => names.includes(name));
  const note = (line: string) => html`<p class="of">${line}</p>`;
  const [tables, attended] = [ours('rotary'), ours('output', 'weights')];
  const sawAttention = attended.length > 0 || errors('attention').length > 0;
  return {
    arrays: html`${alerts([...notes, ...errors('arrays')])}
    ${found.arrays.length ? listing(found.arrays, say, say('name')) : note(say('nothing'))}`,
    table: html`${alerts(errors('table'))}
    ${tables.length ? listing(tables, say, 'rotary') : errors('table').length ? nothing : note(say('noTable'))}`,
    attention: html`${alerts(errors('attention'))}
    ${attended.length ? html`${listing(attended, say, 'output')}${grid(found.weights, say)}` : nothing}
    ${sawAttention ? nothing : note(`${say('missing')} ${found.missing.join(', ')}`)}`,
    compare: html`${alerts(errors('compare'))}
    ${found.comparisons.length ? comparing(found.comparisons, say) : errors('compare').length ? nothing : note(say('noTheirs'))}`,
    write: html`<p class="saving">
      ${found.results.map(
        ({ name, bytes }) =>
          html`<button type="button" @click=${() => save(name)}>
            ${say('save')} ${name}.npy <small>${bytes.length.toLocaleString('en-US')} B</small>
          </button>`,
      )}
    </p>`,
  };
}
