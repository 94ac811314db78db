/** A Llama with other positions is trained on, and its stories become English. */
import { html, nothing, svg } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { choice } from '../../figures/shared_controls.ts';
import {
  limitAtX,
  lineChart,
  type Frame,
  type Point,
  type Range,
  type Series,
} from '../../plots/line_chart.ts';
import { fixed } from '../../plots/number.ts';
import { llamaFiles } from '../../trained/llama.ts';
import { recorded as recordedFile } from '../../trained/recordings.ts';
import type { Engine } from '../../worker/client.ts';
import { Lesson } from '../../worker/lessons.ts';
import { scalingOf, type HealMethod } from './healing.ts';
import { healsStyle } from './heals_style.ts';
import { healsWords as words } from './heals_text.ts';
import { lessonRow } from './lesson_row.ts';
import { originalLength } from './methods.ts';
import { ellipsisOf } from './story.ts';

interface Measured {
  step: number;
  places: number[];
  short: number;
  story?: string;
}

/** web/trained/recorded/healing.json, see tests/experiments/healing.mjs. */
interface RecordedHealing {
  plan: {
    places: readonly number[];
    measured: readonly number[];
    steps: number;
    texts: number;
    factor: number;
  };
  unchanged: Omit<Measured, 'step'>;
  results: { method: HealMethod; seed: number; seconds: number; measured: Measured[] }[];
}

const controls = defineControls({
  // What a training here changes is computed: this is no control of the drawing alone.
  method: choice(words.method, words.methods, 'pi'),
  steps: choice(words.steps, words.stepCounts, '80', { display: true }),
});

interface Heals {
  recorded: RecordedHealing;
  lesson: Lesson;
  /** What replaces the positions of the model. */
  change: { frequencies: { inverseFrequencies: Float64Array; attentionFactor: number } };
}

type HealsView = ViewOf<typeof controls, typeof words.strings, Heals>;

/** The lesson of each figure of the page, by its channel to the engine. */
const lessons = new WeakMap<object, Lesson>();

/** The seed of the live training; the recorded ones have others. */
const liveSeed = 3;

/** Width of a head. */
const dim = 8;

async function load({ method }: SettingsOf<typeof controls>, engine: Engine): Promise<Heals> {
  const recorded = await recordedFile<RecordedHealing>('healing');
  const lesson = lessons.get(engine) ?? new Lesson();
  lessons.set(engine, lesson);
  lesson.choose(method);
  const scaling = scalingOf(method);
  const { inverseFrequencies, attentionFactor } = await engine.rotaryFrequencies({ dim, scaling });
  return { recorded, lesson, change: { frequencies: { inverseFrequencies, attentionFactor } } };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const runsOf = ({ recorded }: Heals, method: HealMethod) =>
  recorded.results.filter((run) => run.method === method);

/** The scores of all seeds after so many steps. */
const after = (data: Heals, method: HealMethod, step: number) =>
  runsOf(data, method).flatMap(({ measured }) => measured.filter((one) => one.step === step));

/** Loss over places 1,024 to 2,047: the last two ranges. */
const farOf = ({ places }: { places: readonly number[] }) => mean(places.slice(-2));

/** A step line over the ranges of places. */
function overPlaces({ plan }: RecordedHealing, losses: readonly number[]): Point[] {
  return losses.flatMap((loss, i): Point[] => [
    [plan.places[i]!, loss],
    [plan.places[i + 1]!, loss],
  ]);
}

function bandOf(recorded: RecordedHealing, lists: readonly (readonly number[])[]): Range[] {
  const low = lists[0]!.map((_, i) => Math.min(...lists.map((list) => list[i]!)));
  const high = lists[0]!.map((_, i) => Math.max(...lists.map((list) => list[i]!)));
  const highs = overPlaces(recorded, high);
  return overPlaces(recorded, low).map(([x, y], i) => [x, y, highs[i]![1]]);
}

const height = { share: 0.6, min: 230, max: 280 };
const highest = 3.6;

function placeChart(view: HealsView, width: number) {
  const { data, settings, say } = view;
  const { recorded, lesson } = data;
  const step = Number(settings.steps);
  const scores = after(data, settings.method, step).map(({ places }) => places);
  const means = scores[0]!.map((_, i) => mean(scores.map((places) => places[i]!)));
  const live = lesson.measured.findLast((one) => one.step <= step);
  const series: Series[] = [
    {
      name: say.unchanged,
      look: 'faint dashed',
      points: overPlaces(recorded, recorded.unchanged.places),
    },
    {
      name: say.trained(step),
      look: `is-${settings.method}`,
      points: overPlaces(recorded, means),
      band: bandOf(recorded, scores),
    },
    ...(live
      ? [
          {
            name: say.live(live.step),
            look: 'live-line',
            points: overPlaces(recorded, live.places),
          },
        ]
      : []),
  ];
  return lineChart({
    width,
    height,
    x: { domain: [0, 2048], label: say.placeAxis, ticks: [0, 512, 1024, 1536, 2048] },
    y: { domain: [0.5, highest], label: say.lossAxis },
    series,
    label: describe(view),
    digits: 2,
    below: (frame) => limitAtX(frame, originalLength, say.limit, frame.top + 12),
  });
}

/** Loss far beyond the training length, by steps. */
function stepChart(view: HealsView, width: number) {
  const { data, settings, language, say } = view;
  const { recorded, lesson } = data;
  const { plan, unchanged } = recorded;
  const chosen = Number(settings.steps);
  const series = (Object.keys(words.methods) as HealMethod[]).map((method): Series => {
    const scores = plan.measured.map((step) => after(data, method, step).map(farOf));
    return {
      name: words.methods[method][language],
      ...(method === 'pi' && { named: { x: chosen === 20 ? 10 : 20 } }),
      look: `is-${method} ${method === settings.method ? 'bold' : ''}`,
      points: plan.measured.map((step, i) => [step, mean(scores[i]!)]),
      band: plan.measured.map((step, i) => [
        step,
        Math.min(...scores[i]!),
        Math.max(...scores[i]!),
      ]),
    };
  });
  series.push({
    name: say.unchangedWith(fixed(farOf(unchanged), 2)),
    look: 'faint dashed',
    points: [0, plan.steps].map((step) => [step, farOf(unchanged)]),
  });
  if (lesson.measured.length > 0)
    series.push({
      name: say.here,
      look: 'live-line',
      points: lesson.measured.map((one) => [one.step, farOf(one)]),
    });
  return lineChart({
    width,
    height,
    x: { domain: [0, plan.steps], label: say.stepAxis, whole: true },
    y: { domain: [1, highest], label: say.farAxis },
    series,
    label: say.farAxis,
    digits: 2,
    below: (frame) => chosenPoint(view, frame),
  });
}

/** The chosen method before the training and after the chosen steps: rings with their losses. */
function chosenPoint({ data, settings }: HealsView, { x, y, top, bottom }: Frame) {
  const { method } = settings;
  const chosen = Number(settings.steps);
  const ring = (step: number) => {
    const lossOf = (of: HealMethod) => mean(after(data, of, step).map(farOf));
    const losses = (Object.keys(words.methods) as HealMethod[]).map(lossOf);
    const loss = lossOf(method);
    const isLast = step === data.recorded.plan.steps;
    // Clear of all lines: below the lowest, else above the highest.
    const textY =
      loss === Math.min(...losses)
        ? y(loss) + 20
        : y(Math.max(...losses, farOf(data.recorded.unchanged))) - 9;
    return svg`<circle class="is-${method}" cx=${x(step)} cy=${y(loss)} r="4" />
      <text class="is-${method}" x=${x(step) + (isLast ? -9 : 9)} y=${textY}
        text-anchor=${isLast ? 'end' : 'start'}>${fixed(loss, 2)}</text>`;
  };
  return svg`<g class="cursor">
    <line x1=${x(chosen)} x2=${x(chosen)} y1=${top} y2=${bottom} />
    ${[...new Set([0, chosen])].map(ring)}
  </g>`;
}

/** The row that starts and stops the live training. */
function liveRow({ data, settings, language, say, redraw }: HealsView) {
  const { lesson, recorded, change } = data;
  lesson.redraw = redraw;
  return lessonRow({
    lesson,
    language,
    name: words.methods[settings.method][language],
    steps: recorded.plan.steps,
    preparing: say.preparing,
    start: () =>
      lesson.start(async (jobs) => {
        await jobs.startHealing(await llamaFiles(), change, liveSeed);
      }),
  });
}

function stories(view: HealsView) {
  const { data, settings, say } = view;
  const step = Number(settings.steps);
  const { lesson, recorded } = data;
  const [first] = runsOf(data, settings.method);
  const after = (steps: number) => first?.measured.find((one) => one.step === steps)?.story ?? '';
  const liveStep = [...lesson.texts.keys()].filter((one) => one <= step).at(-1);
  const line = (name: string, text: string, id: string) =>
    html`<div class=${id === 'unchanged' ? 'values-only' : ''}><dt>${name}</dt><dd lang="en" data-story=${id}>${text.trimEnd()}${ellipsisOf(text)}</dd></div>`;
  return html`<dl class="stories">
    ${step === 0 ? nothing : line(say.before, after(0), 'before')}
    ${line(step === 0 ? say.before : say.trained(step), after(step), 'recorded')}
    ${liveStep === undefined ? nothing : line(say.live(liveStep), lesson.texts.get(liveStep)!, 'live')}
    ${line(say.unchanged, recorded.unchanged.story ?? '', 'unchanged')}
  </dl>`;
}

function draw(view: HealsView) {
  const { data, settings, say, width } = view;
  const { recorded } = data;
  const last = after(data, settings.method, Number(settings.steps));
  return html`${stepChart(view, width)} ${liveRow(view)} ${stories(view)}
    <div class="values-only">${placeChart(view, width)}</div>
    ${numbers({
      far: [say.far, fixed(mean(last.map(farOf)), 2)],
      'far-unchanged': [say.farUnchanged, fixed(farOf(recorded.unchanged), 2)],
      short: [say.short, fixed(mean(last.map(({ short }) => short)), 2)],
      'short-unchanged': [say.shortUnchanged, fixed(recorded.unchanged.short, 2)],
    })}`;
}

function describe(view: HealsView): string {
  const { data, settings, language, say } = view;
  const { method } = settings;
  const step = Number(settings.steps);
  const far = (at: number) => mean(after(data, method, at).map(farOf));
  const unchanged = farOf(data.recorded.unchanged);
  if (method === 'direct')
    return say.describeDirect(step, fixed(far(step), 2), fixed(unchanged, 2));
  const { measured } = data.recorded.plan;
  const mended = measured.findIndex((at) => far(at) < unchanged);
  const name = words.methods[method][language];
  const ends = [fixed(far(0), 2), fixed(unchanged, 2)] as const;
  return mended === 0
    ? say.needsNone(name, ...ends)
    : say.needs(name, measured.slice(mended - 1, mended + 1), ends);
}

export default defineFigure({
  claims: ['C44'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  draw,
  describe,
  table: ({ data, language, say }: HealsView) => {
    const { plan, results, unchanged } = data.recorded;
    const ranges = plan.places.slice(1).map((past, i) => `${plan.places[i]}–${past - 1}`);
    const rows = results.flatMap(({ method, seed, measured }) =>
      measured.map(({ step, places, short }) => [
        words.methods[method][language],
        seed,
        step,
        ...places,
        short,
      ]),
    );
    return {
      columns: [say.methodColumn, say.seedColumn, say.stepColumn, ...ranges, say.shortColumn],
      rows: [[say.unchanged, '–', 0, ...unchanged.places, unchanged.short], ...rows],
    };
  },
  styles: healsStyle,
});
