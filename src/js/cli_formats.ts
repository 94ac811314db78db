/** What a command found, as the bytes of a file. */
import { plotOf } from './cli_plot.js';
import type { Deflate } from './cli_png.js';
import { UsageError, type Outcome } from './cli_rules.js';
import { svgOf } from './cli_sheet.js';
import { pngOf } from './cli_strokes.js';
import { writeNpy, writeSafetensors, type WritableTensor } from './files.js';
import { placeOf } from './tensor.js';

type Arrays = Outcome['arrays'];

/** JSON has no infinities and no NaN: they are told by their names. */
const told = (value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value)
    ? String(value)
    : ArrayBuffer.isView(value)
      ? Array.from(value as Float64Array)
      : value;

/** The one array of a format that holds one. */
function onlyOne(arrays: Arrays, format: string, chosen: boolean): [name: string, WritableTensor] {
  const names = Object.keys(arrays);
  if (names.length === 0 || (chosen && names.length > 1)) {
    throw new UsageError(
      `--return must name one array for ${format}, got ${names.join(',') || 'nothing'}`,
    );
  }
  return [names[0]!, arrays[names[0]!]!];
}

const lines = (rows: (string | number | bigint)[][]) =>
  rows.map((row) => `${row.join(',')}\n`).join('');

/** A line per row of the last axis, behind the numbers of the axes before. */
function csvOfArray({ data, shape }: WritableTensor): string {
  const width = shape.at(-1) ?? 1;
  const axes = shape.slice(0, -1);
  const header = [...axes.map((_, axis) => `axis${axis}`), ...Array(width).keys()];
  const rows = Array.from({ length: width && data.length / width }, (_, row) => {
    return [...placeOf(row, axes), ...data.subarray(row * width, (row + 1) * width)];
  });
  return lines([header, ...rows]);
}

/** Lists of one length stand side by side. */
function csv(arrays: Arrays, chosen: boolean): string {
  const lists = Object.values(arrays);
  const length = lists[0]?.shape[0];
  const sameLists = lists.every(({ shape }) => shape.length === 1 && shape[0] === length);
  if (length === undefined || !sameLists) return csvOfArray(onlyOne(arrays, 'csv', chosen)[1]);
  const rows = Array.from({ length }, (_, i) => [i, ...lists.map(({ data }) => data[i]!)]);
  return lines([['index', ...Object.keys(arrays)], ...rows]);
}

type Written = (outcome: Outcome, chosen: boolean, deflate: Deflate) => string | Uint8Array;

export const formats: Record<string, Written> = {
  json: ({ arrays, facts }) =>
    `${JSON.stringify({ ...facts, ...arrays }, (_, value) => told(value))}\n`,
  csv: ({ arrays }, chosen) => csv(arrays, chosen),
  npy: ({ arrays }, chosen) => writeNpy(onlyOne(arrays, 'npy', chosen)[1]),
  safetensors: ({ arrays }) => writeSafetensors(arrays),
  svg: (outcome, chosen, deflate) => svgOf(plotOf('svg', outcome, chosen), deflate),
  png: (outcome, chosen, deflate) => pngOf(plotOf('png', outcome, chosen), deflate),
};

/** Only the arrays that --return names. */
export function narrowed(outcome: Outcome, names: string | undefined): Outcome {
  if (names === undefined) return outcome;
  const chosen = names.split(',').map((name) => {
    if (!Object.hasOwn(outcome.arrays, name)) {
      throw new UsageError(
        `--return must be of ${Object.keys(outcome.arrays).join(', ')}, got ${name}`,
      );
    }
    return [name, outcome.arrays[name]!] as const;
  });
  return { ...outcome, arrays: Object.fromEntries(chosen) };
}
