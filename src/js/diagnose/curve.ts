/** Values along one axis, through the place where the data part from the configuration. */
import type { Evidence, Place } from './evidence.js';
import { changed, type Findings, type Result } from './search.js';

/** A line of the data beside what is predicted for it. */
export interface Curve {
  /** Where the data first part from what the configuration says; it is on the line. */
  where: Place;
  /** What x counts: 'pair', 'position', 'key', 'head' or 'channel'. */
  axis: string;
  /** Places along the axis. */
  x: number[];
  /** The given values at these places. */
  observed: number[];
  /** What the configuration says. */
  expected: number[];
  /** What the first hypothesis says; empty where that is the configuration. */
  explained: number[];
}

/** Points of a curve; a longer line is cut around the place. */
const mostPoints = 64;

interface Values {
  observed: ArrayLike<number>;
  predicted: ArrayLike<number>;
}

function valuesOf(evidence: Evidence, { candidates }: Result): Values | undefined {
  let values: Values | undefined;
  const model = changed(evidence.nominal, candidates) ?? evidence.nominal;
  evidence.compare(model, undefined, (observed, predicted) => (values = { observed, predicted }));
  return values;
}

/**
 * The curve of the evidence that fits the configuration least, beside the best hypothesis, or the
 * nearest where none fits.
 */
export function curveOf({ fitting, others }: Findings): Curve | undefined {
  const plain = [...fitting, ...others].find(({ candidates }) => candidates.length === 0);
  const best = [...fitting, ...others].find(({ candidates }) => candidates.length > 0);
  if (!plain) return undefined;
  const { evidence, comparison } = plain.worst;
  const values = valuesOf(evidence, plain);
  if (!values) return undefined;
  // The same arrays under another reading of the layers.
  const twin = best?.world.evidence[plain.world.evidence.indexOf(evidence)];
  const isExplained = fitting[0] !== plain && twin !== undefined;
  const explained = isExplained ? valuesOf(twin, best!)?.predicted : undefined;
  const { observed, predicted } = values;
  const { at } = comparison;
  const { axis, start, step, x } = evidence.lineOf(at, Math.max(observed.length, predicted.length));
  const from = Math.min(
    Math.max(0, Math.floor((at - start) / step) - mostPoints / 4),
    Math.max(0, x.length - mostPoints),
  );
  const points = Array.from({ length: Math.min(mostPoints, x.length) }, (_, i) => from + i);
  const along = (list: ArrayLike<number>) => points.map((i) => list[start + i * step] ?? NaN);
  return {
    where: evidence.placeOf(at),
    axis,
    x: points.map((i) => x[i]!),
    observed: along(observed),
    expected: along(predicted),
    explained: explained ? along(explained) : [],
  };
}
