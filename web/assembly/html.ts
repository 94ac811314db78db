/** HTML that several generators of pages write: escaped text and tables of facts. */
export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A table of facts, which scrolls by itself. */
export const factsTable = (
  columns: readonly string[],
  rows: readonly string[],
  look = '',
): string => `<div class="scrolling" tabindex="0"><table class="facts${look && ` ${look}`}">
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
