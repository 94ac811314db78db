/** E1, C33, C34, C35, C39: schemes trained on short inputs and tested on long ones. */
import { html, nothing } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { lineChart } from '../../plots/line_chart.ts';
import { whole } from '../../plots/number.ts';
import {
  byLength,
  halfWidth,
  lengthChart,
  liveControls,
  liveRow,
  liveRunsOf,
  lossChart,
  recordedRuns,
  schemeLegend,
  scoreRows,
  scoresAt,
  scoreTable,
  seriesOf,
  shownSchemes,
  spreadText,
  trainedLimit,
  type Contest,
} from './contest.ts';
import { raceText, words } from './race_text.ts';
import { byPlace, joined } from './recorded.ts';
import { recording } from './recordings.ts';
import { looks, schemeNames, schemeSwitches } from './schemes.ts';
import { shortStyle } from './style.ts';

const controls = defineControls({
  task: {
    kind: 'choice',
    label: words.task,
    default: 'drawers',
    options: (['drawers', 'characters'] as const).map((value) => ({
      value,
      label: words.tasks[value],
    })),
  },
  randomized: { kind: 'switch', label: words.randomized, default: false, place: 'drawing' },
  ...liveControls,
  ...schemeSwitches(['sinusoidal', 'rope', 't5', 'alibi']),
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

type RaceView = View<SettingsOf<typeof controls>, Race, number>;

async function load(settings: SettingsOf<typeof controls>, engine: object): Promise<Race> {
  const { task } = settings;
  const isRandomized = task === 'drawers' && settings.randomized;
  const recorded = await recording(plans[isRandomized ? 'randomized' : task]);
  const common = { recorded, live: liveRunsOf(engine, recorded) };
  if (task === 'characters')
    return { ...common, evaluation: 'held_out', value: ({ loss }) => loss };
  const value: Contest['value'] = ({ accuracy }) => accuracy;
  return isRandomized
    ? { ...common, evaluation: 'randomized', other: 'consecutive', value }
    : { ...common, evaluation: 'length', value };
}

const lengths = [32, 64, 128, 256, 512];

function overLength(view: RaceView, width: number) {
  const { data, settings, language } = view;
  const { other } = data;
  const say = words.strings[language];
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
  const { data, language, width } = view;
  const say = words.strings[language];
  const series = seriesOf(view, (run) => byPlace(run, data.evaluation));
  const losses = series.flatMap(({ points }) => points.map(([, loss]) => loss));
  if (losses.length === 0) return nothing;
  return lineChart({
    width,
    height: Math.round(Math.min(320, Math.max(240, width * 0.34))),
    x: { domain: [16, 512], label: say.placeAxis, scale: 'log', ticks: [16, ...lengths] },
    y: { domain: [0, Math.max(1, ...losses)], label: say.placeLoss },
    series,
    label: say.placeLoss,
    below: (frame) => trainedLimit(frame, 32, language),
  });
}

function setting({ data: { recorded }, settings, language }: RaceView) {
  const isRandomized = settings.task === 'drawers' && settings.randomized;
  const about = words.strings[language][isRandomized ? 'randomized' : settings.task];
  const { plan, seeds } = recorded;
  return html`<p class="setting">${about(whole(plan.steps), String(seeds.length))}</p>`;
}

function draw(view: RaceView) {
  const { settings, language, width, control } = view;
  const half = halfWidth(width);
  return html`${settings.task === 'drawers' ? control('randomized') : nothing}
    ${setting(view)} ${schemeLegend(view)} ${liveRow(view)}
    <div class="charts" ?data-wide=${half < width}>
      ${lossChart(view, half)} ${overLength(view, half)}
    </div>
    ${overPlaces(view)} ${scoreTable(view, lengths, words.strings[language].scores)}`;
}

function describe(view: RaceView): string {
  const { data, settings, language } = view;
  const values = shownSchemes(view).map((scheme) => {
    const at = (length: number) => spreadText(scoresAt(data, recordedRuns(data, scheme), length));
    return [schemeNames[scheme][language], at(32), at(512)] as const;
  });
  return words.strings[language].describe(words.tasks[settings.task][language], values);
}

export default defineFigure({
  name: 'length-race',
  claims: ['E1', 'C33', 'C34', 'C35', 'C39'],
  text: raceText,
  controls,
  compute: load,
  draw,
  describe,
  table: (view: RaceView) => {
    const say = words.strings[view.language];
    return scoreRows(view, view.settings.task === 'drawers' ? say.accuracy : say.nats);
  },
  styles: shortStyle,
});
