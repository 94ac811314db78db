/** The positions by which rows are rotated, measured where the data allow it. */
import type { World } from './fault.js';
import { anglesOf, measuredPositions } from './measure.js';
import type { Model } from './model.js';
import { scoredRows, type Rows } from './scored_rows.js';
import { axesOf, frequenciesOf, rowNumbers } from './tables.js';

type Change = (model: Model) => Model | undefined;

const sides = { q: 'q', k: 'k', table: undefined, inv_freq: undefined } as const;

/** For each list of rows of each evidence. */
export function rowsOf(world: World, change: Change): Rows[] {
  const rotated = world.rotary.flatMap((evidence): Rows[] => {
    const model = change(evidence.nominal);
    const { sequence, role } = evidence;
    if (!model?.rotary || !sequence) return [];
    const data = evidence.measured(model);
    const { inverseFrequencies } = frequenciesOf(world.rw, model.rotary.recipe);
    if (!data || data.pairs !== inverseFrequencies.length) return [];
    const angles = anglesOf(data, model.rotary);
    // Of several axes, that of the fastest pair, which shows positions best.
    const axes = axesOf(world.rw, model.rotary, data.pairs);
    const shown = sequence.axes > 1 ? axes[0]! : 0;
    const frequencies = inverseFrequencies.map((each, pair) => (axes[pair] === axes[0] ? each : 0));
    const used = measuredPositions(angles, frequencies, data.rows).map(snapped);
    const { rows, batches, padding } = sequence;
    const positions = sequence.positions.subarray(shown * batches * rows);
    const numbers = rowNumbers(sequence);
    return Array.from({ length: batches }, (_, batch) => {
      const real = [...Array(rows).keys()].filter((row) => !padding?.[batch * rows + row]);
      const at = (list: Float64Array) =>
        Float64Array.from(real, (row) => list[batch * rows + row]!);
      return {
        side: sides[role],
        truth: at(positions),
        used: at(used),
        numbers: real.map((row) => numbers[row]!),
      };
    }).filter(({ truth }) => truth.length > 0);
  });
  return [
    ...rotated,
    ...world.evidence.flatMap((evidence) => scoredRows(world.rw, evidence, change)),
  ];
}

const snapped = (position: number) =>
  Math.abs(position - Math.round(position)) < 0.2 ? Math.round(position) : position;

/** Lists of true positions, measured or not. */
export function truths(world: World): Float64Array[] {
  const fromEvidence = world.rotary.flatMap(({ sequence }) =>
    sequence ? [sequence.positions.subarray(0, sequence.rows)] : [],
  );
  if (fromEvidence.length > 0) return fromEvidence;
  const length = world.length ?? 0;
  return length > 0 ? [Float64Array.from({ length }, (_, at) => at)] : [];
}
