/** By which positions queries and keys are rotated, measured from their scores. */
import type { Functions } from '../ropewalk.js';
import type { Tensor } from '../runtime/tensor.js';
import type { Evidence, ScoreSides } from './evidence.js';
import type { Model, RotaryModel } from './model.js';
import { frequenciesOf, rowNumbers, startOf, temperatureOf } from './tables.js';

/** The true positions of some rows, and by what they are rotated as far as that can be measured. */
export interface Rows {
  /** Undefined for a table, which has no side. */
  side: 'q' | 'k' | undefined;
  truth: Float64Array;
  used: Float64Array;
  /** Which rows of their array these are. */
  numbers: readonly number[];
}

/** The furthest offsets that are tried for a model, and for one with another fault as well. */
const furthest = 2 ** 17;
const furthestChanged = 2 ** 10;

/** How many rows may need a search, and how many may be in vain. */
const mostScans = 6;
const mostFailures = 2;

/** Only a few of the other rows are compared with one row. */
const mostPartners = 4;

/** One score as a function of the distance δ: rest + Re Σ zᵢ · exp(i θᵢ δ). */
interface Wave {
  re: Float64Array;
  im: Float64Array;
  rest: number;
  score: number;
  tolerance: number;
  distance: number;
}

const norm = (x: Tensor, from: number, width: number) => {
  let sum = 0;
  for (let i = 0; i < width; i++) sum += x.data[from + i]! ** 2;
  return Math.sqrt(sum);
};

function waveOf(
  sides: ScoreSides,
  rotary: RotaryModel,
  factor: number,
  pairs: number,
  [head, query, key]: readonly [number, number, number],
): Wave | undefined {
  const { q, k, observed } = sides;
  const [, heads = 1, queries = 1, width = 1] = q.shape;
  const [, keyHeads = 1, keys = 1] = k.shape;
  const score = observed.data[(head * queries + query) * keys + key]!;
  if (!(Math.abs(score) < 1e4)) return undefined;
  const from = (head * queries + query) * width;
  const to = (Math.floor(head / (heads / keyHeads)) * keys + key) * width;
  const start = startOf(rotary, width, pairs);
  const isHalf = rotary.layout === 'half-split';
  const [re, im] = [new Float64Array(pairs), new Float64Array(pairs)];
  let whole = 0;
  for (let i = 0; i < width; i++) whole += q.data[from + i]! * k.data[to + i]!;
  let turned = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const a = start + (isHalf ? pair : 2 * pair);
    const b = start + (isHalf ? pair + pairs : 2 * pair + 1);
    const [qa, qb] = [q.data[from + a]!, q.data[from + b]!];
    const [ka, kb] = [k.data[to + a]!, k.data[to + b]!];
    re[pair] = qa * ka + qb * kb;
    im[pair] = qb * ka - qa * kb;
    turned += re[pair]!;
  }
  const amplitude = factor ** 2;
  for (let pair = 0; pair < pairs; pair++) {
    re[pair]! *= amplitude;
    im[pair]! *= amplitude;
  }
  const size = norm(q, from, width) * norm(k, to, width) * amplitude;
  return {
    re,
    im,
    rest: whole - turned + sides.others(head, query, key),
    score,
    tolerance: 4 * sides.relative * size,
    distance: sides.queries.positions[query]! - sides.keys.positions[key]!,
  };
}

function valueAt({ re, im, rest }: Wave, frequencies: Float64Array, distance: number): number {
  let sum = rest;
  for (let i = 0; i < re.length; i++) {
    const angle = frequencies[i]! * distance;
    sum += re[i]! * Math.cos(angle) - im[i]! * Math.sin(angle);
  }
  return sum;
}

/** The sum of squared errors of all scores; undefined where one is wrong by more than rounding. */
function errorAt(
  waves: readonly Wave[],
  frequencies: Float64Array,
  scale: number,
  offset: number,
): number | undefined {
  let sum = 0;
  for (const wave of waves) {
    const error = valueAt(wave, frequencies, wave.distance + offset) - wave.score / scale;
    if (!(Math.abs(error) <= wave.tolerance)) return undefined;
    sum += error ** 2;
  }
  return sum;
}

interface Offset {
  offset: number;
  error: number;
}

/**
 * The offset of the distance, in steps of `step`, under which all scores are as observed: the
 * first one, or of scores in a narrow format, under which several may be, the one that fits best.
 */
function scanned(
  waves: readonly Wave[],
  frequencies: Float64Array,
  scale: number,
  step: 1 | -1,
  { most, isExact }: { most: number; isExact: boolean },
): Offset | undefined {
  let best: Offset | undefined;
  const [first] = waves;
  const { re, im, rest, score, tolerance, distance } = first!;
  const pairs = re.length;
  // Turned by one step after another; in double that is exact enough for all of them.
  const [x, y] = [new Float64Array(pairs), new Float64Array(pairs)];
  const [c, s] = [new Float64Array(pairs), new Float64Array(pairs)];
  for (let i = 0; i < pairs; i++) {
    const angle = frequencies[i]! * distance;
    x[i] = re[i]! * Math.cos(angle) - im[i]! * Math.sin(angle);
    y[i] = re[i]! * Math.sin(angle) + im[i]! * Math.cos(angle);
    c[i] = Math.cos(frequencies[i]! * step);
    s[i] = Math.sin(frequencies[i]! * step);
  }
  const wanted = score / scale - rest;
  for (let count = 1; count <= most; count++) {
    let sum = 0;
    for (let i = 0; i < pairs; i++) {
      const [a, b] = [x[i]!, y[i]!];
      x[i] = a * c[i]! - b * s[i]!;
      y[i] = a * s[i]! + b * c[i]!;
      sum += x[i]!;
    }
    if (Math.abs(sum - wanted) > 2 * tolerance) continue;
    const error = errorAt(waves, frequencies, scale, step * count);
    if (error === undefined || (best && error >= best.error)) continue;
    best = { offset: step * count, error };
    if (isExact) break;
  }
  return best;
}

/** Relative rounding of scores up to which an offset does not fit by chance. */
const exactRounding = 1e-3;

function offsetOf(
  waves: readonly Wave[],
  frequencies: Float64Array,
  scale: number,
  most: number,
  isExact: boolean,
): number {
  const up = scanned(waves, frequencies, scale, 1, { most, isExact });
  const least = isExact && up ? up.offset : most;
  const down = scanned(waves, frequencies, scale, -1, { most: least, isExact });
  if (!up || !down || isExact) return (down ?? up)?.offset ?? NaN;
  return down.error < up.error ? down.offset : up.offset;
}

/** Rows of one side, when those of the other side are as they should be. */
function rowsOfSide(
  sides: ScoreSides,
  rotary: RotaryModel,
  frequencies: Float64Array,
  { factor, scale, most }: { factor: number; scale: number; most: number },
  side: 'q' | 'k',
): Rows {
  const own = side === 'q' ? sides.queries : sides.keys;
  const { rows } = own;
  const heads = sides.q.shape[1]!;
  const queries = sides.q.shape[2]!;
  const truth = own.positions.slice(0, rows);
  const used = new Float64Array(rows).fill(NaN);
  const pairs = frequencies.length;
  let [scans, failures, last] = [0, 0, 0];
  const order = [...Array(rows).keys()];
  for (const row of side === 'k' ? order.reverse() : order) {
    // First keys and last queries: those that are most often right, and see most.
    const partners = Array.from(
      { length: Math.min(mostPartners, sides.keys.rows, queries) },
      (_, i) => (side === 'q' ? i : queries - 1 - i),
    );
    const waves = partners.flatMap((partner) =>
      Array.from({ length: Math.min(heads, 2) }, (_, head) => {
        const at = side === 'q' ? ([head, row, partner] as const) : ([head, partner, row] as const);
        return waveOf(sides, rotary, factor, pairs, at);
      }).filter((wave) => wave !== undefined),
    );
    const sign = side === 'q' ? 1 : -1;
    // As it should be, as the row before, and where that row is.
    const beside = side === 'q' ? row - 1 : row + 1;
    const still = (used[beside] ?? NaN) - truth[row]!;
    const hints = [0, last, Number.isFinite(still) ? sign * still : 0];
    if (waves.length < 2) continue;
    let offset = hints.find((each) => errorAt(waves, frequencies, scale, each) !== undefined);
    if (offset === undefined) {
      if (++scans > mostScans || failures >= mostFailures) break;
      offset = offsetOf(waves, frequencies, scale, most, sides.relative <= exactRounding);
      if (Number.isNaN(offset) && ++failures) continue;
    }
    last = offset;
    used[row] = truth[row]! + sign * offset;
  }
  return { side, truth, used, numbers: rowNumbers(own) };
}

const known = new WeakMap<Evidence, WeakMap<Model, Rows[]>>();

/** The rows of both sides, each measured against the other; none where scores do not show them. */
export function scoredRows(
  rw: Functions,
  evidence: Evidence,
  change: (model: Model) => Model | undefined,
): Rows[] {
  const { sides } = evidence;
  const model = change(evidence.nominal);
  if (!sides || !model?.rotary) return [];
  const ofEvidence = known.get(evidence) ?? new WeakMap<Model, Rows[]>();
  known.set(evidence, ofEvidence);
  const found =
    ofEvidence.get(model) ??
    measuredRows(rw, sides, model, model.rotary, model === evidence.nominal);
  ofEvidence.set(model, found);
  return found;
}

function measuredRows(
  rw: Functions,
  sides: ScoreSides,
  model: Model,
  rotary: RotaryModel,
  isNominal: boolean,
): Rows[] {
  const { softcap, rowFactor, keyHeads } = model.scores;
  const isPlain = model.scheme === 'rotary' && !rowFactor && keyHeads === 'grouped';
  const isRotated = rotary.rotates && !rotary.swapped && !rotary.inverted;
  const hasOneAxis = sides.queries.axes === 1 && sides.keys.axes === 1;
  if (!isPlain || !isRotated || !hasOneAxis || sides.q.shape[0] !== 1) return [];
  if (sides.queries.rows > 256 || sides.keys.rows > 256) return [];
  const { inverseFrequencies } = frequenciesOf(rw, rotary.recipe);
  if (2 * inverseFrequencies.length > sides.q.shape[3]!) return [];
  const factors = {
    factor: temperatureOf(rw, rotary).cosSin,
    scale: sides.scaleOf(model),
    most: isNominal ? furthest : furthestChanged,
  };
  // The scores of a dump may be those before a softcap or after it.
  const readings = softcap === undefined ? [sides] : [sides, uncapped(sides, softcap)];
  return readings.flatMap((each) =>
    (['q', 'k'] as const).map((side) =>
      rowsOfSide(each, rotary, inverseFrequencies, factors, side),
    ),
  );
}

/** Scores as they were before a softcap, cap · tanh(score / cap). Masked ones become infinite. */
function uncapped(sides: ScoreSides, softcap: number): ScoreSides {
  const data = sides.observed.data.map((score) => softcap * Math.atanh(score / softcap));
  return { ...sides, observed: { ...sides.observed, data } };
}
