/** The results of a command as the bytes of a file. */
import { plotOf } from './plot.js';
import type { Deflate } from './png.js';
import { UsageError, type Outcome } from './rules.js';
import { svgOf } from './sheet.js';
import { textOf } from './text.js';
import type { WritableTensor } from '../formats/file_tensor.js';
import { writeNpy } from '../formats/npy.js';
import { writeSafetensors } from '../formats/safetensors.js';
import { placeOf } from '../runtime/tensor.js';

type Arrays = Outcome['arrays'];

/** JSON has no infinities and no NaN: they are written as strings. */
const jsonValue = (value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value)
    ? String(value)
    : ArrayBuffer.isView(value)
      ? Array.from(value as Float64Array)
      : value;

/** Joins short texts into larger pieces; one text for all could exceed the longest string. */
function* pieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 2 ** 16) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** The members of an object, in JSON. An array of numbers comes value by value. */
function* json({ arrays, facts }: Outcome): Iterable<string> {
  let separator = '{';
  for (const [name, member] of Object.entries({ ...facts, ...arrays })) {
    const text = Object.hasOwn(arrays, name)
      ? ''
      : JSON.stringify(member, (_, part) => jsonValue(part));
    if (text === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:${text}`;
    separator = ',';
    if (text === '') yield* jsonOfArray(arrays[name]!);
  }
  yield separator === '{' ? '{}\n' : '}\n';
}

function* jsonOfArray({ data, shape }: WritableTensor): Iterable<string> {
  yield '{"data":[';
  for (let at = 0; at < data.length; at++)
    yield `${at ? ',' : ''}${JSON.stringify(jsonValue(data[at]))}`;
  yield `],"shape":${JSON.stringify(shape)}}`;
}

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

/** A line of CSV: leading cells, then values. */
function* line(
  before: (string | number)[],
  count: number,
  cell: (i: number) => string | number | bigint,
): Iterable<string> {
  yield before.join();
  for (let i = 0; i < count; i++) yield `${i + before.length ? ',' : ''}${cell(i)}`;
  yield '\n';
}

/** A line per row of the last axis, behind the numbers of the axes before. */
function* csvOfArray({ data, shape }: WritableTensor): Iterable<string> {
  // Without a value there is no column, however long the last axis is.
  const width = data.length && (shape.at(-1) ?? 1);
  const axes = shape.slice(0, -1);
  const names = axes.map((_, axis) => `axis${axis}`);
  yield* line(names, width, (column) => column);
  for (let at = 0; at < data.length; at += width)
    yield* line(placeOf(at / width, axes), width, (column) => data[at + column]!);
}

function* csvOfLists(arrays: Arrays, length: number): Iterable<string> {
  const lists = Object.values(arrays);
  yield `${['index', ...Object.keys(arrays)].join()}\n`;
  for (let i = 0; i < length; i++) yield `${[i, ...lists.map(({ data }) => data[i]!)].join()}\n`;
}

/** Writes lists of equal length as columns. */
function csv(arrays: Arrays, chosen: boolean): Iterable<string> {
  const lists = Object.values(arrays);
  const length = lists[0]?.shape[0];
  const sameLists = lists.every(({ shape }) => shape.length === 1 && shape[0] === length);
  return length !== undefined && sameLists
    ? csvOfLists(arrays, length)
    : csvOfArray(onlyOne(arrays, 'csv', chosen)[1]);
}

/** The pieces of a file, in their order. */
export type Pieces = Iterable<string | Uint8Array>;

interface Format {
  /** A binary format. */
  binary?: true;
  written(outcome: Outcome, chosen: boolean, deflate: Deflate): Pieces;
}

export const formats: Record<string, Format> = {
  text: { written: (outcome) => [textOf(outcome)] },
  json: { written: (outcome) => pieces(json(outcome)) },
  csv: { written: ({ arrays }, chosen) => pieces(csv(arrays, chosen)) },
  npy: {
    binary: true,
    written: ({ arrays }, chosen) => [writeNpy(onlyOne(arrays, 'npy', chosen)[1])],
  },
  safetensors: {
    binary: true,
    written: ({ arrays, metadata }) => [writeSafetensors(arrays, metadata)],
  },
  svg: { written: (outcome, chosen, deflate) => [svgOf(plotOf('svg', outcome, chosen), deflate)] },
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
  const { text: _, ...rest } = outcome;
  return { ...rest, arrays: Object.fromEntries(chosen) };
}
