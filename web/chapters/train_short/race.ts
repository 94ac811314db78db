/** Schemes trained on short inputs and tested on long ones. */
import { html, nothing } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { choice } from '../../figures/shared_controls.ts';
import { lineChart } from '../../plots/line_chart.ts';
import {
  accuracyOf,
  byLength,
  drawContest,
  lengthChart,
  limitHeadroom,
  liveControls,
  loadContest,
  recordedRuns,
  scoreRows,
  scoresAtEnds,
  scoreTable,
  seriesOf,
  shownSchemes,
  trainedLimit,
  type Contest,
} from './contest.ts';
import { words } from './race_text.ts';
import { byPlace, joined } from './recorded.ts';
import { looks, schemeSwitches } from './schemes.ts';
import { shortStyle } from './style.ts';

const controls = defineControls({
  task: choice(words.task, words.tasks, 'drawers'),
  randomized: { kind: 'switch', label: words.randomized, default: false, place: 'drawing' },
  ...liveControls,
  ...schemeSwitches(['sinusoidal', 'rope', 'alibi', 'fox']),
});

const plans = {
  drawers: 'a1_drawers',
  characters: 'a2_characters',
  randomized: 'd1_drawers_randomized',
};

interface Race extends Contest {
  /** An evaluation to compare with. */
  other?: string;
}

type RaceView = ViewOf<typeof controls, typeof words.strings, Race, number>;

async function load(settings: SettingsOf<typeof controls>, engine: object): Promise<Race> {
  const { task } = settings;
  if (task === 'characters')
    return loadContest(engine, plans.characters, {
      evaluation: 'held_out',
      value: ({ loss }) => loss,
    });
  if (!settings.randomized)
    return loadContest(engine, plans.drawers, { evaluation: 'length', value: accuracyOf });
  const shown = { evaluation: 'randomized', value: accuracyOf };
  return { ...(await loadContest(engine, plans.randomized, shown)), other: 'consecutive' };
}

const lengths = [32, 64, 128, 256, 512];

function overLength(view: RaceView, width: number) {
  const { data, settings, say } = view;
  const { other } = data;
  const more =
    other === undefined
      ? []
      : shownSchemes(view).map((scheme) => ({
          name: '',
          look: `${looks[scheme]} other`,
          points: joined(recordedRuns(data, scheme).map(byLength(data, other))).points,
        }));
  const label = describe(view);
  return settings.task === 'drawers'
    ? lengthChart(view, width, {
        lengths,
        y: { domain: [0, 1], label: say.accuracy },
        label,
        more,
        chance: 1 / 6,
      })
    : lengthChart(view, width, { lengths, y: { domain: [1.5, 4], label: say.nats }, label });
}

function overPlaces(view: RaceView) {
  const { data, language, say, width } = view;
  const series = seriesOf(view, (run) => byPlace(run, data.evaluation));
  const losses = series.flatMap(({ points, band = [] }) => [
    ...points.map(([, loss]) => loss),
    ...band.map(([, , high]) => high),
  ]);
  if (losses.length === 0) return nothing;
  return lineChart({
    width,
    height: { share: 0.34, min: 240, max: 320 },
    x: { domain: [16, 512], label: say.placeAxis, scale: 'log', ticks: [16, ...lengths] },
    y: { domain: [0, Math.max(1, ...losses)], label: say.placeLoss },
    series,
    label: say.placeLoss,
    headroom: limitHeadroom,
    below: (frame) => trainedLimit(frame, 32, language),
  });
}

function draw(view: RaceView) {
  const { settings, say, control } = view;
  const hasDrawers = settings.task === 'drawers';
  const task = say[hasDrawers && settings.randomized ? 'randomized' : settings.task];
  return html`${hasDrawers ? control('randomized') : nothing}
    ${drawContest(view, task, (width) => overLength(view, width))}
    ${overPlaces(view)} ${scoreTable(view, lengths, say.scores)}`;
}

function describe(view: RaceView): string {
  const { settings, language, say } = view;
  const task = words.tasks[settings.task][language];
  return say.describe(task, scoresAtEnds(view, 32, 512));
}

export default defineFigure({
  claims: ['E1', 'C33', 'C34', 'C35', 'C39'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  draw,
  describe,
  table: (view: RaceView) =>
    scoreRows(view, view.settings.task === 'drawers' ? view.say.accuracy : view.say.nats),
  styles: shortStyle,
});
