/** The value tables: as much as a browser lays out at once, and the rest in the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

const mostCells = 4000;

/** The cells of a figure's open table where every range is at its largest. */
async function cellsAtMost(element) {
  const root = element.shadowRoot;
  root.querySelector('.actions button').click();
  const largest = Object.entries(element.figure.controls)
    .filter(([, { kind }]) => kind === 'range')
    .map(([key, { max }]) => [key, max]);
  element.set(Object.fromEntries(largest));
  await element.updateComplete;
  while (!element.hasAttribute('drawn')) await new Promise((done) => setTimeout(done));
  const { rows } = root.querySelector('.table tbody');
  return { rows: rows.length, cells: root.querySelectorAll('.table td').length };
}

describeInChromium('value tables', (visit) => {
  for (const { path, figures } of pages) {
    test(`/${path}: no figure shows more than ${mostCells} cells, however large its numbers`, async () => {
      await visit.open(path);
      for (const figureName of figures) {
        await visit.page.figure(figureName);
        const element = await visit.tab.$(`ropewalk-figure[name="${figureName}"]`);
        const { rows, cells } = await element.evaluate(cellsAtMost);
        // The squares of the long text come piece by piece.
        assert.ok(rows > 0 || figureName === 'long-text', figureName);
        assert.ok(cells <= mostCells, `${figureName}: ${cells} cells in ${rows} rows`);
      }
    });
  }

  for (const [path, rest] of [
    ['', 'The CSV file has 412 more rows and 729 more columns.'],
    ['zh/', 'CSV 文件中还有 412 行、729 列。'],
  ]) {
    test(`“${rest}”, and it has`, async () => {
      const figure = await visit.figure('learned-table', { rows: 512, dim: 768 }, path);
      await figure.inside(
        `(root.querySelector('.actions button').click(), element.updateComplete.then(() => 0))`,
      );
      assert.equal(await figure.text('.table p'), rest);
      assert.equal(await figure.inside(`root.querySelectorAll('.table th').length`), 40);
      const { columns, rows } = await figure.csv();
      assert.deepEqual([columns.length, rows.length], [769, 512]);
    });
  }
});
