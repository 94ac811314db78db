/** The quiet menu under a figure: its values, its files, its link. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../languages.ts';
import type { Table } from './figure.ts';
import { words } from './words.ts';

export interface Actions {
  language: Language;
  /** Name of the files. */
  name: string;
  /** The message of the last action. */
  status: string;
  /** Whether the row has the button for the table of values. */
  hasValues: boolean;
  isTableOpen: boolean;
  numbers(): Table;
  drawing(): HTMLElement;
  /** The address of the figure as it stands, where it has one. */
  link: (() => URL) | undefined;
  setStatus(text: string): void;
  toggleTable(): void;
  reset(): void;
}

export function actionMenu(figure: Actions): TemplateResult {
  const { language, name, hasValues, isTableOpen } = figure;
  const { menu, values, csv, png, svg, link, reset } = words.actions;
  const button = (label: string, title: string, action: () => unknown) =>
    html`<button type="button" title=${title} @click=${action}>${label}</button>`;
  const file = (
    ending: string,
    [label, title]: [string, string],
    made: (files: typeof import('./download.ts')) => Blob | Promise<Blob>,
  ) =>
    button(label, title, async () => {
      try {
        const files = await import('./download.ts');
        files.save(await made(files), `${name}.${ending}`);
      } catch (error) {
        figure.setStatus(words.fault[language](error as Error));
      }
    });
  const valuesButton = html`<button
    type="button"
    aria-expanded=${isTableOpen}
    @click=${() => figure.toggleTable()}
  >
    ${values[language]}
  </button>`;
  return html`<details class="actions">
    <summary>${menu[language]}</summary>
    ${hasValues ? valuesButton : nothing}
    ${file('csv', ['CSV', csv[language]], ({ csvOf }) => csvOf(figure.numbers()))}
    ${file('png', ['PNG', png[language]], ({ rasterOf }) => rasterOf(figure.drawing()))}
    ${file('svg', ['SVG', svg[language]], ({ pictureOf }) => pictureOf(figure.drawing()))}
    ${figure.link && button(link.label[language], link.title[language], () => copyLink(figure))}
    ${button(reset.label[language], reset.title[language], () => figure.reset())}
    <span class="status" role="status">${figure.status}</span>
  </details>`;
}

async function copyLink(figure: Actions) {
  const { href } = figure.link!();
  try {
    await navigator.clipboard.writeText(href);
    figure.setStatus(words.copied[figure.language]);
  } catch {
    // No clipboard without https or permission: the link itself, to be copied by hand.
    figure.setStatus(href);
  }
}

/** As much as a reader scrolls through, and a browser lays out at once; the file has it all. */
const shown = { rows: 200, columns: 40, cells: 4000 };

export function valueTable({ columns, rows }: Table, language: Language): TemplateResult {
  const width = Math.min(columns.length, shown.columns);
  const height = Math.min(rows.length, shown.rows, Math.floor(shown.cells / width));
  const cells = (row: Table['rows'][number]) =>
    row.slice(0, width).map((cell) => html`<td>${cell}</td>`);
  const hidden = { rows: rows.length - height, columns: columns.length - width };
  const label = words.actions.values[language];
  return html`<div class="table" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>${columns.slice(0, width).map((column) => html`<th scope="col">${column}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.slice(0, height).map((row) => html`<tr>${cells(row)}</tr>`)}
      </tbody>
    </table>
    ${
      hidden.rows + hidden.columns > 0
        ? html`<p>${words.more[language](hidden.rows, hidden.columns)}</p>`
        : nothing
    }
  </div>`;
}
