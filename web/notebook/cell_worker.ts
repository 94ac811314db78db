/** Runs the notebook's cells, the very files whose source it shows, off the page. */
import { createRopewalk } from 'ropewalk';
import type { FileTensor, WritableTensor } from 'ropewalk/files';
import { arraysOf } from './cells/arrays.js';
import { attention } from './cells/attention.js';
import { difference } from './cells/compare.js';
import { rotaryTable } from './cells/table.js';
import { fileOf } from './cells/write.js';
import type { Answer, Listed, Question } from './protocol.ts';

type Arrays = Map<string, FileTensor>;

const started = createRopewalk();
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

async function answerTo({ id, files, settings }: Question): Promise<Answer> {
  const rw = await started;
  const answer: Answer = {
    id,
    arrays: [],
    results: [],
    weights: [],
    comparisons: [],
    refused: [],
    missing: [],
  };
  const arrays: Arrays = new Map();
  const trying = (cell: Answer['refused'][number]['cell'], about: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      answer.refused.push({ cell, text: `${about}${(error as Error).message}` });
    }
  };
  for (const { file, bytes } of files) {
    trying('arrays', `${file}: `, () => {
      const read: Arrays = arraysOf(file, bytes);
      for (const [name, array] of read) {
        arrays.set(name, array);
        answer.arrays.push(listed(name, array));
      }
    });
  }
  const ours = new Map<string, WritableTensor>();
  const size = sizeOf(arrays);
  trying('table', '', () => {
    if (size) ours.set('rotary', rotaryTable(rw, { ...size, base: settings.base }));
  });
  const [q, k, v] = ['q', 'k', 'v'].map((name) => arrays.get(name));
  answer.missing = ['q', 'k', 'v'].filter((name) => !arrays.has(name));
  trying('attention', '', () => {
    if (!q || !k || !v) return;
    const { output, weights } = attention(rw, { q, k, v }, settings);
    ours.set('output', output);
    ours.set('weights', weights!);
    const [rows, columns] = weights!.shape.slice(-2) as [number, number];
    answer.weights = Array.from({ length: Math.min(rows, mostShown) }, (_, row) =>
      Array.from(
        weights!.data.subarray(row * columns, row * columns + Math.min(columns, mostShown)),
      ),
    );
  });
  for (const [name, tensor] of ours) {
    answer.results.push({ ...listed(name, tensor), bytes: fileOf(tensor) });
    const theirs = theirsOf(arrays, name);
    if (!theirs) continue;
    trying('compare', `${name}: `, () => {
      const { largest, at } = difference(tensor, theirs);
      const tolerance = tolerances[name as keyof typeof tolerances];
      answer.comparisons.push({
        name,
        largest,
        place: placeOf(at, tensor.shape),
        tolerance,
        agrees: largest <= tolerance,
      });
    });
  }
  return answer;
}

addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  const answer = await answerTo(data);
  (postMessage as (message: unknown, transfer: Transferable[]) => void)(
    answer,
    answer.results.map(({ bytes }) => bytes.buffer),
  );
});
