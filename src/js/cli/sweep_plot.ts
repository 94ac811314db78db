/** The results of a plan as a drawing: means over the seeds of each variant, and their range. */
import { numberText, quiet, ticksOf, widthOf } from './plot.js';
import { line, rule, text, type Mark, type Point, type Sheet } from './sheet.js';
import type { RunResult } from '../training/run.js';

/** Values of a variant at one place: one of each seed. */
type Samples = Map<number, number[]>;

interface Chart {
  title: string;
  axis: string;
  /** Places are lengths, each twice the last as a rule. */
  isLogarithmic: boolean;
  /** By variant. */
  series: Map<string, Samples>;
}

/** Enough for the schemes of a usual plan; they repeat after that. */
const hues =
  '#99348c #0a6bb0 #a85b00 #0b7558 #b3261e #5a4fcf #6b7d00 #00798c #8c5a3c #4a4a4a'.split(' ');

const [width, height, left, top, room] = [300, 180, 60, 56, 92];

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

function chartOf(
  title: string,
  axis: string,
  isLogarithmic: boolean,
  results: readonly RunResult[],
  points: (result: RunResult) => (readonly [number, number])[],
): Chart {
  const series = new Map<string, Samples>();
  for (const result of results) {
    const name = result.variant ?? '';
    const samples = series.get(name) ?? new Map<number, number[]>();
    series.set(name, samples);
    for (const [place, value] of points(result))
      if (Number.isFinite(value)) samples.set(place, [...(samples.get(place) ?? []), value]);
  }
  return { title, axis, isLogarithmic, series };
}

function chartsOf(results: readonly RunResult[]): Chart[] {
  const sound = results.filter(({ failed }) => failed === undefined);
  const names = [...new Set(sound.flatMap(({ evaluations }) => Object.keys(evaluations)))];
  const scores = (name: string, kind: 'loss' | 'accuracy') =>
    chartOf(`${name}: ${kind}`, 'length', true, sound, ({ evaluations }) =>
      (evaluations[name] ?? []).map((each) => [each.length, each[kind]] as const),
    );
  return [
    chartOf('training: loss', 'step', false, results, ({ curve }) => curve),
    ...names.flatMap((name) => [scores(name, 'loss'), scores(name, 'accuracy')]),
  ];
}

function drawn({ title, axis, isLogarithmic, series }: Chart, [x, y]: Point): Mark[] {
  const places = [...series.values()].flatMap((samples) => [...samples.keys()]);
  const values = [...series.values()].flatMap((samples) => [...samples.values()].flat());
  const scaled = (place: number) => (isLogarithmic ? Math.log2(place) : place);
  const [first, last] = [Math.min(...places.map(scaled)), Math.max(...places.map(scaled))];
  const most = Math.max(0, ...values) || 1;
  const across = (place: number) => x + ((scaled(place) - first) / (last - first || 1)) * width;
  const down = (value: number) => y + height * (1 - value / most);
  const labels = isLogarithmic
    ? [...new Set(places)].sort((a, b) => a - b)
    : ticksOf(0, last, 5).filter((tick) => tick >= first);
  const marks: Mark[] = [
    text([x, y - 16], 'start', title),
    text([x + width, y - 16], 'end', `by ${axis}`, quiet),
    ...ticksOf(0, most, 5).flatMap((value) => [
      line(
        [
          [x, down(value)],
          [x + width, down(value)],
        ],
        rule,
      ),
      text([x - 6, down(value) + 4], 'end', numberText(value)),
    ]),
    ...labels.map((place) => text([across(place), y + height + 18], 'middle', String(place))),
  ];
  for (const [i, samples] of [...series.values()].entries()) {
    const hue = hues[i % hues.length]!;
    const sorted = [...samples].sort(([a], [b]) => a - b);
    marks.push(
      line(
        sorted.map(([place, all]) => [across(place), down(mean(all))]),
        hue,
        2,
      ),
    );
    if (!isLogarithmic) continue;
    for (const [place, all] of sorted)
      if (all.length > 1)
        marks.push(
          line(
            [
              [across(place), down(Math.min(...all))],
              [across(place), down(Math.max(...all))],
            ],
            hue,
          ),
        );
  }
  return marks;
}

/** Charts, two in a row, above the names of their variants. */
function sheetOf(
  title: string,
  [note, description]: readonly [string, string],
  charts: readonly Chart[],
  variants: readonly string[],
): Sheet {
  const across = Math.min(2, charts.length);
  const at = (i: number): Point => [
    left + (i % across) * (width + room),
    top + 40 + Math.floor(i / across) * (height + room),
  ];
  const full = left + across * (width + room);
  const rows = Math.ceil(charts.length / across);
  return {
    width: full,
    height: top + rows * (height + room) + 20 + 16 * variants.length,
    title,
    description,
    marks: [
      text([left, 24], 'start', title),
      text([left, 42], 'start', note, quiet),
      ...charts.flatMap((chart, i) => drawn(chart, at(i))),
      ...variants.map((variant, i) =>
        text(
          [left, top + rows * (height + room) + 16 * (i + 1)],
          'start',
          variant.slice(0, Math.floor(full / widthOf('m'))),
          hues[i % hues.length],
        ),
      ),
    ],
  };
}

/** Loss curves, then loss and accuracy of each evaluation; vertical lines go over all seeds. */
export function sweepSheet(name: string, results: readonly RunResult[]): Sheet {
  const variants = [...new Set(results.map(({ variant = '' }) => variant))];
  const seeds = new Set(results.map(({ seed }) => seed)).size;
  return sheetOf(
    `${name}: ${variants.length} variants, ${seeds} seeds`,
    [
      'means over seeds, with their range',
      'Lines are means over seeds; vertical lines go from the least to the most.',
    ],
    chartsOf(results),
    variants,
  );
}

/**
 * The loss of a text by place.
 * @param series means of a range of places, by the middle of the range, for each name
 */
export function lossSheet(
  title: string,
  note: string,
  series: ReadonlyMap<string, readonly (readonly [number, number])[]>,
): Sheet {
  const samples = [...series].map(
    ([name, points]) => [name, new Map(points.map(([place, loss]) => [place, [loss]]))] as const,
  );
  const chart = {
    title: 'loss (nats per token)',
    axis: 'place',
    isLogarithmic: false,
    series: new Map(samples),
  };
  return sheetOf(
    title,
    [note, 'Lines are means over windows of the text.'],
    [chart],
    [...series.keys()],
  );
}
