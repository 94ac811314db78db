/** Figures as text. */

export const times = (value) => (value === undefined ? undefined : `${value.toFixed(2)} ×`);
export const percent = (value) =>
  Number.isFinite(value) ? `${Math.round(100 * value)} %` : undefined;

/** Three digits, in the unit that keeps the number readable. */
export function duration(milliseconds) {
  if (milliseconds === undefined) return undefined;
  const [value, unit] =
    milliseconds >= 1000
      ? [milliseconds / 1000, 's']
      : milliseconds >= 1
        ? [milliseconds, 'ms']
        : [milliseconds * 1000, 'µs'];
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
}

/** A table with its title above and its notes below; the first column is left-aligned. */
export function shown({ title, columns, rows, notes = [] }) {
  const lines = [columns, ...rows].map((row) => row.map((cell) => String(cell ?? '–')));
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  const aligned = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
  );
  return [title, '', ...aligned, ...notes.map((note) => `* ${note}`), ''].join('\n');
}
