/** Schemes that were trained on one task: their curves, their scores, and live runs over them. */
import { html, nothing, svg } from 'lit';
import type { Language } from '../../languages.ts';
import type { View } from '../../figures/figure.ts';
import { range } from '../../figures/shared_controls.ts';
import {
  limitAtX,
  limitAtY,
  lineChart,
  nameIn,
  type Frame,
  type Point,
  type Series,
} from '../../plots/line_chart.ts';
import { fixed, whole } from '../../plots/number.ts';
import {
  recording,
  type Recorded,
  type RecordedRun,
  type RecordedScores,
} from '../../trained/recordings.ts';
import { contestWords } from './contest_text.ts';
import {
  descriptionsOf,
  liveRunsOf,
  type LiveRun,
  type LiveRuns,
} from '../../trained/live_runs.ts';
import { liveBar } from './live_view.ts';
import { joined, spreadOf } from './recorded.ts';
import { looks, schemeNames, schemes, type Scheme } from './schemes.ts';

export interface Contest {
  recorded: Recorded;
  live: LiveRuns;
  /** Name of the evaluation that is shown. */
  evaluation: string;
  /** The number that is shown of it. */
  value(scores: RecordedScores): number;
}

/** The controls of live runs; a model takes at most as many steps as the recorded ones. */
export const liveControls = {
  seeds: range(
    contestWords.seeds,
    { default: 1, min: 1, max: 5 },
    { display: true, place: 'drawing' },
  ),
  seed: range(
    contestWords.seed,
    { default: 3, min: 0, max: 99 },
    { display: true, place: 'drawing' },
  ),
  steps: range(
    contestWords.steps,
    { default: 1000, min: 50, max: 1000, step: 50 },
    { display: true, place: 'drawing' },
  ),
} as const;

export type ContestSettings = Record<Scheme, boolean> & Record<keyof typeof liveControls, number>;

/** What the drawings here use of a figure's view. */
export type ContestView = Pick<
  View<ContestSettings, Contest, number>,
  'data' | 'settings' | 'language' | 'width' | 'redraw' | 'control' | 'focus' | 'setFocus'
>;

/** The recorded runs of a plan, with the live runs of the figure. */
export async function loadContest(
  engine: object,
  plan: string,
  shown: Pick<Contest, 'evaluation' | 'value'>,
): Promise<Contest> {
  const recorded = await recording(plan);
  return { recorded, live: liveRunsOf(engine, recorded), ...shown };
}

export const accuracyOf: Contest['value'] = ({ accuracy }) => accuracy;

/** The chosen schemes that the plan has. */
export const shownSchemes = ({ data, settings }: ContestView): Scheme[] =>
  schemes.filter((scheme) => settings[scheme] && scheme in data.recorded.plan.variants);

export const recordedRuns = ({ recorded }: Contest, scheme: Scheme) =>
  recorded.results.filter(({ variant }) => variant === scheme);

const liveRuns = ({ live, recorded }: Contest, scheme: Scheme) =>
  live.of(recorded.plan.name, scheme);

export const liveResults = (data: Contest, scheme: Scheme) =>
  liveRuns(data, scheme).flatMap(({ result }) => result ?? []);

/** A line with its band per scheme, and a bold line per live run. */
export function seriesOf(
  view: ContestView,
  pointsOf: (run: RecordedRun) => Point[],
  nameOf: (scheme: Scheme) => Pick<Series, 'name' | 'named'> = () => ({ name: '' }),
): Series[] {
  const { data } = view;
  return shownSchemes(view).flatMap((scheme) => [
    {
      ...nameOf(scheme),
      look: looks[scheme],
      ...joined(recordedRuns(data, scheme).map(pointsOf)),
    },
    ...liveResults(data, scheme).map((run) => ({
      name: '',
      look: `${looks[scheme]} live-line`,
      points: pointsOf(run),
    })),
  ]);
}

/** One evaluation of a run against length. */
export const byLength =
  ({ value }: Contest, evaluation: string) =>
  (run: RecordedRun): Point[] =>
    (run.evaluations[evaluation] ?? []).map((scores) => [scores.length, value(scores)]);

const chartHeight = 240;
/** Width of a chart from which on its lines have their names. */
const leastNamedWidth = 500;

/** Losses while training, also those of live runs that go on. */
function lossChart(view: ContestView, width: number) {
  const { data, language } = view;
  const say = contestWords[language];
  const recorded = shownSchemes(view).map((scheme) => ({
    name: '',
    look: looks[scheme],
    ...joined(recordedRuns(data, scheme).map(({ curve }) => curve)),
  }));
  const live = shownSchemes(view).flatMap((scheme) =>
    liveRuns(data, scheme).map(({ curve }) => ({
      name: '',
      look: `${looks[scheme]} live-line`,
      points: curve,
    })),
  );
  const losses = recorded.flatMap(({ points }) => points.map(([, loss]) => loss));
  return lineChart({
    width,
    height: chartHeight,
    x: { domain: [0, data.recorded.plan.steps], label: say.stepAxis },
    y: { domain: [0, Math.max(1, ...losses)], label: say.lossAxis },
    series: [...recorded, ...live],
    label: say.lossAxis,
  });
}

export interface LengthChart {
  lengths: readonly number[];
  /** Name of the x axis. Default: the length in tokens. */
  axis?: string;
  y: { domain: readonly [number, number]; label: string };
  label: string;
  /** Lines besides those of the schemes. */
  more?: readonly Series[];
  /** Score of a guess, where a line says it. */
  chance?: number;
  /** The longest of the training. */
  trained: number;
  /** A length whose scores are written as long as nothing is pointed at. */
  read?: number;
}

/** Scores against the length of the test input, with a dot at each length that was tested. */
export function lengthChart(view: ContestView, width: number, chart: LengthChart) {
  const { data, language, focus, setFocus } = view;
  const { lengths, y, label, more = [], chance, trained, read } = chart;
  const say = contestWords[language];
  // Where there is no room on the lines, the switches above are the legend.
  const nameOf = (scheme: Scheme) =>
    width < leastNamedWidth
      ? { name: '' }
      : {
          name: schemeNames[scheme][language],
          named: lengths
            .filter((x) => x > trained && x !== read)
            .flatMap((x) => [{ x }, { x, side: 'below' as const }]),
        };
  const chanceLine = (frame: Frame) => {
    if (chance === undefined) return nothing;
    const at = frame.y(chance);
    const hasRoomBelow = at + 20 < frame.bottom;
    // After the training length, whose upright line would cross the name.
    const place = { x: frame.x(trained) + 6, y: at + (hasRoomBelow ? 15 : -6) };
    return svg`${limitAtY(frame, chance)} ${nameIn(frame, say.chance, place)}`;
  };
  const scores = byLength(data, data.evaluation);
  // Lines break at a training length that was not tested: nobody knows where they cross it.
  const unknown: Point[] = lengths.includes(trained) ? [] : [[trained, NaN]];
  const lines = seriesOf(
    view,
    (run) => [...scores(run), ...unknown].sort(([a], [b]) => a - b),
    nameOf,
  );
  const dots = lines.map(({ look, points }) => ({
    name: '',
    look,
    points: points.filter(([, score]) => Number.isFinite(score)),
    dots: true,
  }));
  return lineChart({
    width,
    height: chartHeight,
    x: {
      domain: [Math.min(lengths[0]!, 0.8 * trained), lengths.at(-1)!],
      label: chart.axis ?? say.lengthAxis,
      scale: 'log',
      ticks: lengths,
    },
    y,
    series: [...lines, ...dots, ...more],
    label,
    cursor: focus ?? read,
    onCursor: setFocus,
    digits: 2,
    headroom: limitHeadroom,
    below: (frame) => svg`${chanceLine(frame)} ${trainedLimit(frame, trained, language)}`,
  });
}

/** Height of the label that trainedLimit() draws above a chart. */
export const limitHeadroom = 24;

/** Names the training length in a chart over lengths or places, above all lines. */
export const trainedLimit = (frame: Frame, length: number, language: Language) =>
  limitAtX(frame, length, contestWords[language].trained, frame.top + 12);

/** The switches of the schemes that the plan has; a mark stands for lines that are hidden. */
function schemeLegend({ data, language, control }: ContestView, hidden: readonly Scheme[]) {
  const stroke = (scheme: Scheme) => svg`<line class="line ${looks[scheme]}"
      x1="1" x2="29" y1="9" y2="9" />
    ${hidden.includes(scheme) ? svg`<text class="unknown" x="15" y="14" text-anchor="middle">?</text>` : nothing}`;
  return html`<fieldset class="schemes">
    <legend>${contestWords[language].schemes}</legend>
    ${schemes
      .filter((scheme) => scheme in data.recorded.plan.variants)
      .map(
        (scheme) => html`<div>
          <svg width="30" height="18" aria-hidden="true">${stroke(scheme)}</svg>
          ${control(scheme)}
        </div>`,
      )}
  </fieldset>`;
}

/** The row of live runs. */
function liveRow(view: ContestView) {
  const { data, settings, language, redraw } = view;
  const { live, recorded } = data;
  live.redraw = redraw;
  const seeds = Array.from({ length: settings.seeds }, (_, k) => settings.seed + k);
  const chosen = shownSchemes(view).flatMap((scheme) =>
    descriptionsOf(recorded.plan, scheme, seeds, settings.steps),
  );
  const nameOf = ({ description: { variant, trainer } }: LiveRun) =>
    contestWords[language].run(schemeNames[variant as Scheme][language], trainer.seed ?? 0);
  return liveBar({ live, language, chosen, nameOf });
}

/** Mean ± deviation, the mean alone of one run, a dash of none. */
export function spreadText(values: readonly number[]): string {
  if (values.length === 0) return '–';
  const { mean, deviation } = spreadOf(values);
  return Number.isNaN(deviation) ? fixed(mean, 2) : `${fixed(mean, 2)} ± ${fixed(deviation, 2)}`;
}

/** The scores of several runs at one length. */
const scoresAt = (data: Contest, runs: readonly RecordedRun[], length: number) =>
  runs
    .flatMap(byLength(data, data.evaluation))
    .filter(([at]) => at === length)
    .map(([, value]) => value);

/** Recorded scores at every length; those of live runs, if any, at the shortest and the longest. */
export function scoreTable(view: ContestView, lengths: readonly number[], label: string) {
  const { data, language } = view;
  const say = contestWords[language];
  const isLive = shownSchemes(view).some((scheme) => liveRuns(data, scheme).length > 0);
  const liveEnds = isLive ? [lengths[0]!, lengths.at(-1)!] : [];
  const cells = (
    kind: string,
    scheme: Scheme,
    runs: readonly RecordedRun[],
    at: readonly number[],
  ) =>
    at.map(
      (length) => html`<td data-number="${kind}-${scheme}-${length}">
        ${spreadText(scoresAt(data, runs, length))}
      </td>`,
    );
  const row = (scheme: Scheme) => {
    const runs = recordedRuns(data, scheme);
    return html`<tr>
      <th scope="row">${schemeNames[scheme][language]}</th>
      ${cells('recorded', scheme, runs, lengths)}
      <td>${runs.length}</td>
      ${cells('live', scheme, liveResults(data, scheme), liveEnds)}
    </tr>`;
  };
  return html`<div class="scrolling values-only" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead><tr>
        <th scope="col">${say.scheme}</th>
        ${lengths.map((length) => html`<th scope="col">${length}</th>`)}
        <th scope="col">${say.models}</th>
        ${liveEnds.map((length) => html`<th scope="col">${say.liveAt(length)}</th>`)}
      </tr></thead>
      <tbody>${shownSchemes(view).map(row)}</tbody>
    </table>
  </div>`;
}

/** Every score of every run, for the value table and the file. */
export function scoreRows(view: ContestView, name: string) {
  const { data, language } = view;
  const say = contestWords[language];
  const rows = (scheme: Scheme, kind: string, runs: readonly RecordedRun[]) =>
    runs.flatMap((run) =>
      byLength(
        data,
        data.evaluation,
      )(run).map(([length, value]) => [
        schemeNames[scheme][language],
        kind,
        run.seed,
        length,
        value,
      ]),
    );
  return {
    columns: [say.scheme, say.kind, say.seedColumn, 'L', name],
    rows: shownSchemes(view).flatMap((scheme) => [
      ...rows(scheme, say.recorded, recordedRuns(data, scheme)),
      ...rows(scheme, say.live, liveResults(data, scheme)),
    ]),
  };
}

/** The mean score of a scheme's recorded models at a length. */
export const meanAt = ({ data }: ContestView, scheme: Scheme, length: number) =>
  spreadOf(scoresAt(data, recordedRuns(data, scheme), length)).mean;

/** The chosen schemes by their mean scores at a length, largest first. */
const ranked = (view: ContestView, length: number) =>
  shownSchemes(view)
    .filter((scheme) => recordedRuns(view.data, scheme).length > 0)
    .map((scheme) => ({
      scheme,
      name:
        scheme === 'none' ? contestWords[view.language].none : schemeNames[scheme][view.language],
      mean: meanAt(view, scheme, length),
    }))
    .sort((a, b) => b.mean - a.mean);

/** A scheme, and its recorded scores at two lengths. */
export type ScoresAtEnds = readonly [name: string, short: string, long: string];

/** The first and the last of the chosen schemes by their mean score at `long`, largest first. */
export function scoresAtEnds(view: ContestView, short: number, long: number): ScoresAtEnds[] {
  const rows = ranked(view, long).map(({ scheme, name, mean }): ScoresAtEnds => [
    name,
    fixed(meanAt(view, scheme, short), 2),
    fixed(mean, 2),
  ]);
  return [...rows.slice(0, 1), ...rows.slice(1).slice(-1)];
}

/** The chosen schemes that have at least `least` at a length, with their means; and the others. */
export function heldAndLost(view: ContestView, length: number, least: number) {
  const rows = ranked(view, length);
  const held = rows.filter(({ mean }) => mean >= least);
  return [
    held.map(({ name, mean }) => `${name} ${fixed(mean, 2)}`),
    rows.slice(held.length).map(({ name }) => name),
  ] as const;
}

interface ContestParts {
  /** The text about the task, given the steps and the number of recorded models. */
  task(steps: string, count: string): string;
  /** The main drawing at a width. */
  main(width: number): unknown;
  /** An example, behind “The task and the models”. */
  strip?: unknown;
  /** More controls there. */
  more?: unknown;
  /** Schemes whose lines are hidden until the reader asks for them. */
  hidden?: readonly Scheme[];
}

/** A contest: the schemes, its main drawing, live runs, and the losses while there are some. */
export function drawContest(
  view: ContestView,
  { task, main, strip = nothing, more = nothing, hidden = [] }: ContestParts,
) {
  const { data, language, width, control } = view;
  const { plan, seeds } = data.recorded;
  const isWide = width >= 600 && data.live.runs.length > 0;
  const left = isWide ? Math.floor(0.62 * (width - 24)) : width;
  const right = isWide ? width - 24 - left : width;
  return html`${schemeLegend(view, hidden)}
    <div class="charts" ?data-wide=${isWide}>
      <div>${main(left)}</div>
      <div class=${isWide ? '' : 'values-only'}>${lossChart(view, right)}</div>
    </div>
    ${liveRow(view)}
    <details class="about">
      <summary>${contestWords[language].about}</summary>
      <p class="setting">${task(whole(plan.steps), String(seeds.length))}</p>
      ${strip}
      <div class="controls">${more} ${control('seeds')} ${control('seed')} ${control('steps')}</div>
    </details>`;
}

/** The width of each of two drawings, side by side if there is room. */
export const halfWidth = (width: number) => (width >= 720 ? Math.floor((width - 32) / 2) : width);
