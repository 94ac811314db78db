/** Which distances share a bucket, and what one learned number does to a row of attention. */
import { html, svg } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { lineChart, type Frame, type Point } from '../../plots/line_chart.ts';
import { fixed } from '../../plots/number.ts';
import { bucketsText, words } from './buckets_text.ts';
import { rowKeys, type Buckets } from './jobs.ts';
import { biasStyle } from './style.ts';

const controls = defineControls(
  {
    direction: {
      kind: 'choice',
      label: words.direction,
      default: 'causal',
      options: [
        { value: 'causal', label: words.causal },
        { value: 'bidirectional', label: words.bidirectional },
      ],
    },
    buckets: {
      kind: 'range',
      label: words.buckets,
      default: 32,
      min: 4,
      max: 64,
      step: 4,
      follows: 'buckets',
    },
    maxDistance: {
      kind: 'range',
      label: words.maxDistance,
      default: 128,
      min: 40,
      max: 1024,
      step: 8,
      follows: 'maxDistance',
    },
    bucket: {
      kind: 'range',
      label: words.bucket,
      hue: 'position',
      default: 20,
      min: 0,
      max: 63,
    },
    scalar: {
      kind: 'range',
      label: words.scalar,
      symbol: 'r',
      hue: 'position',
      default: 2,
      min: -4,
      max: 4,
      step: 0.25,
    },
    query: {
      kind: 'range',
      label: words.query,
      symbol: 'm',
      hue: 'query',
      default: 60,
      min: 0,
      max: rowKeys - 1,
    },
  },
  {
    bucket: ({ buckets }) => buckets - 1,
  },
);

/** The value of key - query under the pointer. */
type BucketView = View<SettingsOf<typeof controls>, Buckets, number>;

const signed = (value: number) => fixed(value, 0);

/** Neighbouring values in one bucket. */
interface Run {
  bucket: number;
  from: number;
  to: number;
}

/** The value nearest to the query, and the farthest. */
const ends = ({ from, to }: Run) => (to > 0 ? ([from, to] as const) : ([to, from] as const));

/** Each run of values in one bucket, from the left. */
function runsOf({ relative, bucketOf }: Buckets): Run[] {
  const runs: Run[] = [];
  relative.forEach((value, at) => {
    const run = runs.at(-1);
    if (run && run.bucket === bucketOf[at]) run.to = value;
    else runs.push({ bucket: bucketOf[at]!, from: value, to: value });
  });
  return runs;
}

/** What a bucket holds: a run that reaches the end of the picture goes on beyond it. */
function heldBy({ data, settings, language }: BucketView, bucket: number): string | undefined {
  const strings = words.strings[language];
  const run = runsOf(data).find((each) => each.bucket === bucket);
  if (!run) return undefined;
  const [near, far] = ends(run);
  const isBefore = far === data.relative[0];
  const isAfter = far === data.relative.at(-1) && settings.direction === 'bidirectional';
  if (isBefore || isAfter) return strings.beyond(signed(near));
  return strings.held(signed(near), signed(far));
}

/** The distance, going back from the query, at which its last bucket begins. */
function lastBegins(data: Buckets): number {
  return -runsOf(data)[0]!.to;
}

function valueUnder(at: number, { data }: BucketView): number {
  return Math.min(data.relative.at(-1)!, Math.max(data.relative[0]!, Math.round(at)));
}

const bucketAt = ({ data }: BucketView, value: number) => data.bucketOf[value - data.relative[0]!]!;

function staircase(view: BucketView) {
  const { settings, data, language, width } = view;
  const strings = words.strings[language];
  const points = data.relative.flatMap((value, at): Point[] => [
    [value - 0.5, data.bucketOf[at]!],
    [value + 0.5, data.bucketOf[at]!],
  ]);
  return lineChart({
    width,
    height: Math.round(Math.min(380, Math.max(270, width * 0.36))),
    x: {
      domain: [data.relative[0]! - 0.5, data.relative.at(-1)! + 0.5],
      label: strings.relativeAxis,
    },
    y: { domain: [0, settings.buckets], label: strings.bucketAxis },
    series: [{ name: '', points, look: 'plain' }],
    label: describe(view),
    cursor: view.focus,
    digits: 0,
    onCursor: (at) => view.setFocus(at === undefined ? undefined : valueUnder(at, view)),
    onPick: (at) => view.set({ bucket: bucketAt(view, valueUnder(at, view)) }),
    below: (frame) => bands(view, frame),
  });
}

/** Every other bucket shaded, the chosen one in the hue of position. */
function bands({ settings, data }: BucketView, { x, top, bottom }: Frame) {
  const shown = runsOf(data).filter(({ bucket }, at) => at % 2 === 1 || bucket === settings.bucket);
  return svg`${shown.map(({ bucket, from, to }) => {
    const left = x(from - 0.5);
    return svg`<rect class=${bucket === settings.bucket ? 'band is-chosen' : 'band'} x=${left}
      y=${top} width=${x(to + 0.5) - left} height=${bottom - top} />`;
  })}`;
}

function reading(view: BucketView): string {
  const { focus, settings, data, language } = view;
  const chosen = runsOf(data).find(({ bucket }) => bucket === settings.bucket);
  const value = focus ?? (chosen && ends(chosen)[0]);
  if (value === undefined) return '';
  const bucket = bucketAt(view, valueUnder(value, view));
  return words.strings[language].reading(signed(value), bucket, heldBy(view, bucket) ?? '');
}

function row(view: BucketView) {
  const { settings, data, language, width } = view;
  const strings = words.strings[language];
  const highest = Math.max(...data.weights);
  const points = Array.from(data.weights, (weight, key): Point => [key, weight]);
  return html`<p class="lead">${strings.row(settings.query)}</p>
    ${lineChart({
      width,
      height: 190,
      x: { domain: [-0.7, rowKeys - 0.3], label: strings.keyAxis },
      y: { domain: [0, highest * 1.15], label: strings.weightAxis },
      series: [],
      label: describe(view),
      below: ({ x, y }) => svg`${points.map(([key, weight]) => {
        const isChosen = data.keyBuckets[key] === settings.bucket;
        return svg`<rect class=${isChosen ? 'bar is-chosen' : 'bar'} x=${x(key - 0.38)}
          y=${y(weight)} width=${x(0.76) - x(0)} height=${y(0) - y(weight)} />`;
      })}
      <path class="query-mark"
        d="M${x(settings.query)},${y(data.weights[settings.query]!) - 4}l-5,-8h10z" />`,
    })}`;
}

function results(view: BucketView) {
  const { settings, data, language } = view;
  const { bucket, buckets } = settings;
  const strings = words.strings[language];
  const mine = Array.from(data.weights).filter((_, key) => data.keyBuckets[key] === bucket);
  const seen = mine.filter((weight) => weight > 0);
  const total = seen.reduce((sum, weight) => sum + weight, 0);
  return numbers([
    { id: 'held', label: strings.distances(bucket), value: heldBy(view, bucket) ?? strings.empty },
    { id: 'last', label: strings.last, value: String(lastBegins(data)) },
    { id: 'keys', label: strings.keys(bucket), value: String(seen.length) },
    { id: 'weight', label: strings.weight(bucket), value: fixed(total, 4) },
    { id: 'learned', label: strings.learned, value: String(buckets * 12) },
  ]);
}

function describe({ settings, data, language }: BucketView): string {
  const direction = words[settings.direction][language];
  return words.strings[language].describe(settings.buckets, direction, String(lastBegins(data)));
}

export default defineFigure({
  claims: ['C18'],
  text: bucketsText,
  controls,
  compute: (settings, engine) => engine.t5Row(settings),
  draw: (view: BucketView) => html`${staircase(view)}
    <p class="readout" data-number="reading">${reading(view)}</p>
    ${row(view)} ${results(view)}`,
  describe,
  table: ({ data, language }: BucketView) => ({
    columns: words.strings[language].columns,
    rows: data.relative.map((value, at) => [value, data.bucketOf[at]!]),
  }),
  styles: biasStyle,
});
