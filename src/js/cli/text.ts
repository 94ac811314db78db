/** Results as a terminal shows them: aligned columns, numbers of six digits, arrays cut short. */
import type { Outcome } from './rules.js';
import type { WritableTensor } from '../formats/file_tensor.js';
import { elementCount, placeOf, shapeText } from '../runtime/tensor.js';

const mostRows = 12;
const mostColumns = 6;

/** A number in six digits, whole ones in full. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isInteger(value)) return String(value);
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : 'NaN';
  return String(Number(value.toPrecision(6)));
}

/** Rows of cells as lines: numbers are aligned to the right, words to the left. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]!.length)),
  );
  const isNumber = (cell: string) => /^[-−]?[\d.e+∞…–-]+$|^NaN$/.test(cell);
  const areNumbers = rows[0]!.map((_, column) => rows.some((cells) => isNumber(cells[column]!)));
  const aligned = (cell: string, column: number) =>
    areNumbers[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return rows.map((cells) => `  ${cells.map(aligned).join('  ')}`.trimEnd());
}

/** The first `most` places of an axis. */
const firsts = (count: number, most: number) =>
  Array.from({ length: Math.min(count, most) }, (_, i) => i);

/** The first rows and columns of an array, with the place of each row. */
function arrayLines(name: string, { data, shape }: WritableTensor): string[] {
  const width = shape.at(-1) ?? 1;
  const outer = shape.slice(0, -1);
  const rows = width === 0 ? 0 : elementCount(outer);
  const shown = firsts(width, mostColumns);
  const cut = width > mostColumns ? ['…'] : [];
  const cells = firsts(rows, mostRows).map((row) => [
    outer.length ? shapeText(placeOf(row, outer)) : '',
    ...shown.map((column) => numberText(data[row * width + column]!)),
    ...cut,
  ]);
  return [
    `${name} ${shapeText(shape)}`,
    ...(cells.length ? columns([['', ...shown.map(String), ...cut], ...cells]) : []),
    ...(rows > mostRows ? [`  … ${rows - mostRows} more rows`] : []),
  ];
}

const factText = (value: unknown): string =>
  typeof value === 'number'
    ? numberText(value)
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** What a command found, where it has no words of its own for it. */
export function textOf({ arrays, facts = {}, text }: Outcome): string {
  if (text !== undefined) return text;
  const lines = [
    ...Object.entries(facts).map(([name, value]) => `${name}: ${factText(value)}`),
    ...Object.entries(arrays).flatMap(([name, array]) => arrayLines(name, array)),
    ...(Object.keys(arrays).length ? ['All values: --json, or --out FILE.'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
