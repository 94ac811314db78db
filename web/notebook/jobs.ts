/** Runs the notebook's cells: the files whose source the page shows. Runs in the worker. */
import type { Ropewalk } from 'ropewalk';
import type { FileTensor, WritableTensor } from 'ropewalk/files';
import { errorTextOf } from '../error_text.ts';
import { arraysOf } from './cells/arrays.js';
import { attention } from './cells/attention.js';
import { difference } from './cells/compare.js';
import { rotaryTable } from './cells/table.js';
import { fileOf } from './cells/write.js';
import {
  emptyResults,
  type CellResults,
  type Inputs,
  type Listed,
  type Settings,
} from './protocol.ts';
import { bytesOf } from './read.ts';

type Arrays = Map<string, FileTensor>;

/** Doubles agree to their last bits, floats to what a sum of a row loses. */
const tolerances = { rotary: 1e-12, output: 1e-5, weights: 1e-5 };
const mostShown = 8;

/** What PyTorch users call the output. */
const theirsOf = (arrays: Arrays, name: string) =>
  arrays.get(name) ?? (name === 'output' ? arrays.get('attention') : undefined);

function listed(name: string, { data, shape, format }: WritableTensor): Listed {
  const kind = format ?? (data instanceof Float64Array ? 'f64' : 'f32');
  return { name, format: kind, shape: [...shape], first: Array.from(data.slice(0, 4), Number) };
}

function placeOf(at: number, shape: readonly number[]): number[] {
  return shape.map((extent, axis) => {
    const inner = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    return Math.floor(at / inner) % extent;
  });
}

/** How large the table is: as the reader's, else as q. */
function sizeOf(arrays: Arrays) {
  const [rotary, q] = [arrays.get('rotary'), arrays.get('q')];
  if (rotary?.shape.length === 3) return { positions: rotary.shape[1]!, dim: 2 * rotary.shape[2]! };
  return q && q.shape.length >= 2
    ? { positions: q.shape.at(-2)!, dim: q.shape.at(-1)! }
    : undefined;
}

/** Every cell, from the files to the differences. An invalid input ends its own cell only. */
export async function runCells(
  rw: Ropewalk,
  files: readonly File[],
  settings: Settings,
): Promise<CellResults> {
  const found = emptyResults();
  const arrays: Arrays = new Map();
  const failed = (cell: CellResults['errors'][number]['cell'], about: string, error: unknown) => {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    found.errors.push({ cell, about, error: errorTextOf(error) });
  };
  const trying = (cell: CellResults['errors'][number]['cell'], about: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      failed(cell, about, error);
    }
  };
  for (const file of files) {
    try {
      const bytes = await bytesOf(file, ['npy', 'safetensors']);
      for (const [name, array] of arraysOf(file.name, bytes)) {
        arrays.set(name, array);
        found.arrays.push(listed(name, array));
      }
    } catch (error) {
      failed('arrays', file.name, error);
    }
  }
  const ours = new Map<string, WritableTensor>();
  const size = sizeOf(arrays);
  trying('table', '', () => {
    if (size) ours.set('rotary', rotaryTable(rw, { ...size, base: settings.base }));
  });
  const [q, k, v] = ['q', 'k', 'v'].map((name) => arrays.get(name));
  found.missing = ['q', 'k', 'v'].filter((name) => !arrays.has(name));
  trying('attention', '', () => {
    if (!q || !k || !v) return;
    // The package's own error says what is wrong with an array without dimensions.
    const inputs = { q, k, v } as Inputs;
    const { output, weights } = attention(rw, inputs, settings);
    ours.set('output', output);
    ours.set('weights', weights!);
    const [rows, columns] = weights!.shape.slice(-2) as [number, number];
    found.weights = Array.from({ length: Math.min(rows, mostShown) }, (_, row) =>
      Array.from(
        weights!.data.subarray(row * columns, row * columns + Math.min(columns, mostShown)),
      ),
    );
  });
  for (const [name, tensor] of ours) {
    found.results.push({ ...listed(name, tensor), bytes: fileOf(tensor) });
    const theirs = theirsOf(arrays, name);
    if (!theirs) continue;
    trying('compare', name, () => {
      const { largest, at } = difference(tensor, theirs);
      const tolerance = tolerances[name as keyof typeof tolerances];
      found.comparisons.push({
        name,
        largest,
        place: placeOf(at, tensor.shape),
        tolerance,
        agrees: largest <= tolerance,
      });
    });
  }
  return found;
}
