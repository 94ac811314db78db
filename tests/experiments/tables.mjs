/** Tables of results.md. */

/** Mean ± standard deviation (n − 1). */
export function spread(values, digits = 3) {
  const numbers = values.filter((value) => value !== undefined);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  if (numbers.length === 0) return '–';
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (numbers.length - 1));
  return numbers.length > 1
    ? `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`
    : mean.toFixed(digits);
}

export const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
