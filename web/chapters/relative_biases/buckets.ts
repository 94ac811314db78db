/** Which distances share a bucket, and what one learned number does to a row of attention. */
import { html, nothing, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { choice, modelRange, range } from '../../figures/shared_controls.ts';
import { textWidth } from '../../plots/axis.ts';
import type { Frame, Point } from '../../plots/line_chart.ts';
import { fixed } from '../../plots/number.ts';
import { words } from './buckets_text.ts';
import { rowKeys, type Buckets } from './jobs.ts';
import { biasStyle } from './style.ts';

const controls = defineControls(
  {
    buckets: modelRange('buckets', words.buckets, { default: 32, min: 4, max: 64 }),
    maxDistance: modelRange('maxDistance', words.maxDistance, { default: 128, min: 40, max: 1024 }),
    direction: choice(
      words.direction,
      { causal: words.causal, bidirectional: words.bidirectional },
      'causal',
    ),
    bucket: range(words.bucket, { default: 20, min: 0, max: 63 }, { hue: 'position' }),
    scalar: range(
      words.scalar,
      { default: 2, min: -4, max: 4, step: 0.25 },
      { symbol: 'r', hue: 'position' },
    ),
    query: range(
      words.query,
      { default: 60, min: 0, max: rowKeys - 1 },
      { symbol: 'm', hue: 'query' },
    ),
  },
  { bucket: ({ buckets }) => buckets - 1 },
);

/** The focus is the value of key - query under the pointer. */
type BucketView = ViewOf<typeof controls, typeof words.strings, Buckets, number>;

const signed = (value: number) => fixed(value, 0);

/** Neighboring values in one bucket. */
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
function heldBy({ data, settings, say }: BucketView, bucket: number): string | undefined {
  const run = runsOf(data).find((each) => each.bucket === bucket);
  if (!run) return undefined;
  const [near, far] = ends(run);
  const isBefore = far === data.relative[0];
  const isAfter = far === data.relative.at(-1) && settings.direction === 'bidirectional';
  if (isBefore || isAfter) return say.beyond(signed(near));
  return say.held(signed(near), signed(far));
}

/** The distance, going back from the query, at which its last bucket begins. */
function lastBegins(data: Buckets): number {
  return -runsOf(data)[0]!.to;
}

function valueUnder(at: number, { data }: BucketView): number {
  return Math.min(data.relative.at(-1)!, Math.max(data.relative[0]!, Math.round(at)));
}

const bucketAt = ({ data }: BucketView, value: number) => data.bucketOf[value - data.relative[0]!]!;

/** Every other bucket shaded, the chosen one in the hue of position. */
function bands({ settings, data }: BucketView, { x, top, bottom }: Frame) {
  const shown = runsOf(data).filter(({ bucket }, at) => at % 2 === 1 || bucket === settings.bucket);
  return svg`${shown.map(({ bucket, from, to }) => {
    const left = x(from - 0.5);
    return svg`<rect class=${bucket === settings.bucket ? 'band is-chosen' : 'band'} x=${left}
      y=${top} width=${x(to + 0.5) - left} height=${bottom - top} />`;
  })}`;
}

/** The step of the last bucket before the query goes on beyond the picture. */
function lastName({ data, say }: BucketView, { x, y }: Frame) {
  const { bucket, to } = runsOf(data)[0]!;
  const at = x(data.relative[0]! - 0.5) + 8;
  if (at + textWidth(say.endless) > x(to + 0.5)) return nothing;
  return svg`<text x=${at} y=${y(bucket) + 18}>${say.endless}</text>`;
}

function reading(view: BucketView): string {
  const { focus, settings, data, say } = view;
  const chosen = runsOf(data).find(({ bucket }) => bucket === settings.bucket);
  const value = focus ?? (chosen && ends(chosen)[0]);
  if (value === undefined) return '';
  const bucket = bucketAt(view, valueUnder(value, view));
  return say.reading(signed(value), bucket, heldBy(view, bucket) ?? '');
}

/** The weights of a row as bars, those of keys in the chosen bucket in its hue. */
function bars({ settings, data }: BucketView, { x, y }: Frame) {
  const { query, bucket } = settings;
  return svg`${Array.from(data.weights, (weight, key) => {
    const isChosen = data.keyBuckets[key] === bucket;
    return svg`<rect class=${isChosen ? 'bar is-chosen' : 'bar'} x=${x(key - 0.38)}
      y=${y(weight)} width=${x(0.76) - x(0)} height=${y(0) - y(weight)} />`;
  })}
  <path class="query-mark" d="M${x(query)},${y(data.weights[query]!) - 4}l-5,-8h10z" />`;
}

export default chartFigure({
  claims: ['C18'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  styles: biasStyle,
  controls,
  compute: (settings, engine) => engine.t5Row(settings),
  show(view) {
    const { data, settings, focus, set, setFocus, say } = view;
    const { relative, bucketOf, weights, keyBuckets } = data;
    const { bucket, buckets, query, scalar } = settings;
    const last = String(lastBegins(data));
    const seen = Array.from(weights).filter(
      (weight, key) => keyBuckets[key] === bucket && weight > 0,
    );
    const total = seen.reduce((sum, weight) => sum + weight, 0);
    const steps = relative.flatMap((value, at): Point[] => [
      [value - 0.5, bucketOf[at]!],
      [value + 0.5, bucketOf[at]!],
    ]);
    return {
      description: say.describe(buckets, last),
      charts: [
        {
          height: { share: 0.36, min: 270, max: 380 },
          x: { domain: [relative[0]! - 0.5, relative.at(-1)! + 0.5], label: say.relativeAxis },
          y: { domain: [0, buckets], label: say.bucketAxis },
          series: [{ name: '', points: steps, look: 'plain' }],
          cursor: focus,
          digits: 0,
          onCursor: (at) => setFocus(at === undefined ? undefined : valueUnder(at, view)),
          onPick: (at) => set({ bucket: bucketAt(view, valueUnder(at, view)) }),
          below: (frame) => svg`${bands(view, frame)}${lastName(view, frame)}`,
        },
        {
          before: html`<p class="readout" data-number="reading">${reading(view)}</p>
            <p class="lead">${say.row(query, bucket, fixed(scalar, 2))}</p>`,
          height: 190,
          x: { domain: [-0.7, rowKeys - 0.3], label: say.keyAxis },
          y: { domain: [0, Math.max(...weights) * 1.15], label: say.weightAxis },
          series: [],
          below: (frame) => bars(view, frame),
        },
      ],
      numbers: {
        held: [say.distances(bucket), heldBy(view, bucket) ?? say.empty],
        last: [say.last, last],
        keys: [say.keys(bucket), String(seen.length)],
        weight: [say.weight(bucket), fixed(total, 4)],
        learned: [say.learned, String(buckets * 12)],
      },
      table: {
        columns: say.columns,
        rows: relative.map((value, at) => [value, bucketOf[at]!]),
      },
    };
  },
});
