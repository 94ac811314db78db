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

/** Returns HTML in which cells name their column, for rows that stack on a phone. */
export const stacking = (html: string): string =>
  html.replaceAll(/<table class="facts(?=[" ])[^]*?<\/table>/g, (table) => {
    const columns = Array.from(table.matchAll(/<th(?: scope="col")?>(.*?)<\/th>/g), ([, name]) =>
      name!.replaceAll(/<[^>]*>/g, ''),
    );
    // Of two columns the second needs no name; numbers of many stand side by side.
    const names = columns.length > 2 ? columns : [];
    let at = 0;
    return table
      .replace('class="facts', `class="facts stacking${columns.length > 4 ? ' wide' : ''}`)
      .replaceAll(/<tr>|<td>|<th scope="row">/g, (tag) => {
        if (tag === '<tr>') at = -1;
        at++;
        return tag === '<td>' && at > 1 && names[at - 1]
          ? `<td data-column="${names[at - 1]}">`
          : tag;
      });
  });
