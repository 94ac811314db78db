/** Schemes trained on short inputs and tested on long ones. */
import { css, html, nothing } from 'lit';
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
  heldAndLost,
  lengthChart,
  limitHeadroom,
  liveControls,
  loadContest,
  meanAt,
  recordedRuns,
  scoreRows,
  scoresAtEnds,
  scoreTable,
  seriesOf,
  shownSchemes,
  trainedLimit,
  type Contest,
} from './contest.ts';
import { fixed } from '../../plots/number.ts';
import { contestWords } from './contest_text.ts';
import { words } from './race_text.ts';
import { byPlace, joined } from './recorded.ts';
import { drawInput, placesOf, raceInput, originalLength, type RaceInput } from './race_input.ts';
import { looks, schemeNames, schemeSwitches, type Scheme } from './schemes.ts';
import { shortStyle } from './style.ts';

/** The models that were recorded as they read one input. */
const { sinusoidal, rope, alibi, fox } = schemeNames;
const readers = { sinusoidal, rope, alibi, fox };

const controls = defineControls({
  task: choice(words.task, words.tasks, 'drawers'),
  shown: {
    kind: 'switch',
    label: words.shown,
    default: false,
    display: true,
    place: 'drawing',
  },
  reader: choice(words.reader, readers, 'sinusoidal', { display: true, place: 'drawing' }),
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
  /** One of the drawers, with consecutive positions. */
  input?: RaceInput;
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
    return {
      ...(await loadContest(engine, plans.drawers, { evaluation: 'length', value: accuracyOf })),
      input: await raceInput(),
    };
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
  const common = { lengths, label: describe(view), trained: originalLength, read: 512 };
  return settings.task === 'drawers'
    ? lengthChart(view, width, {
        ...common,
        y: { domain: [0, 1], label: say.accuracy },
        more,
        chance: 1 / 6,
      })
    : lengthChart(view, width, { ...common, y: { domain: [1.5, 4], label: say.nats } });
}

/** A reader who has settled nothing yet guesses first. */
const isShown = ({ settings, data }: RaceView) =>
  data.live.runs.length > 0 ||
  Object.entries(controls).some(
    ([key, control]) => settings[key as keyof typeof controls] !== control.default,
  );

/** Behind a guess are all chosen schemes but the first, whose line asks for it. */
const hiddenSchemes = (view: RaceView) =>
  isShown(view) ? [] : shownSchemes(view).filter((scheme) => scheme !== 'sinusoidal');

const namesOf = ({ language }: RaceView, schemes: readonly Scheme[]) =>
  schemes.map((scheme) => schemeNames[scheme][language]);

/** A test input, and what one of the models finds in it. */
function inputStrip(view: RaceView) {
  const { data, settings, language, say, width, control } = view;
  if (!data.input) return nothing;
  const places = placesOf(data.input, settings.reader);
  const wrong = (from: number, end: number) => {
    const scored = places.slice(from, end).filter(({ thing }) => thing !== undefined);
    return [scored.filter(({ isRight }) => !isRight).length, scored.length] as const;
  };
  const counts = say.wrong(
    schemeNames[settings.reader][language],
    wrong(0, originalLength),
    wrong(originalLength, places.length),
  );
  return html`<div class="input-strip">
    <p>${say.input}</p>
    ${control('reader')}
    ${drawInput(places, width, { label: counts, limitName: contestWords[language].trained })}
    <p data-number="input">${counts}</p>
  </div>`;
}

function overPlaces(view: RaceView) {
  const { data, language, say, width } = view;
  const series = seriesOf(view, (run) => byPlace(run, data.evaluation));
  const losses = series.flatMap(({ points, band = [] }) => [
    ...points.map(([, loss]) => loss),
    ...band.map(([, , high]) => high),
  ]);
  if (losses.length === 0) return nothing;
  const chart = lineChart({
    width,
    height: { share: 0.34, min: 240, max: 320 },
    x: { domain: [16, 512], label: say.placeAxis, scale: 'log', ticks: [16, ...lengths] },
    y: { domain: [0, Math.max(1, ...losses)], label: say.placeLoss },
    series,
    label: say.placeLoss,
    headroom: limitHeadroom,
    below: (frame) => trainedLimit(frame, originalLength, language),
  });
  return html`<div class="values-only">${chart}</div>`;
}

function draw(view: RaceView) {
  const { settings, say, control, set } = view;
  const hasDrawers = settings.task === 'drawers';
  const hidden = hiddenSchemes(view);
  const show = html`<button type="button" class="show" @click=${() => set({ shown: true })}>
    ${say.show(namesOf(view, hidden))}
  </button>`;
  const main = (width: number) =>
    html`${overLength(view, width)} ${isShown(view) ? nothing : show}`;
  return html`<div class=${isShown(view) ? '' : 'is-unguessed'}>
      ${drawContest(view, {
        task: say[hasDrawers && settings.randomized ? 'randomized' : settings.task],
        main,
        strip: inputStrip(view),
        more: hasDrawers ? control('randomized') : nothing,
        hidden,
      })}
    </div>
    ${overPlaces(view)} ${scoreTable(view, lengths, say.scores)}`;
}

function describe(view: RaceView): string {
  const { settings, language, say } = view;
  if (!isShown(view)) {
    const [short, long] = [32, 512].map((length) => fixed(meanAt(view, 'sinusoidal', length), 2));
    return say.guess(short!, long!, namesOf(view, hiddenSchemes(view)));
  }
  return settings.task === 'drawers'
    ? say.stay(...heldAndLost(view, 512, 0.9))
    : say.describe(words.tasks[settings.task][language], scoresAtEnds(view, 32, 512));
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
  // The finding takes as much room as it needs, before the guess too.
  styles: css`
    ${shortStyle}
    .finding {
      min-height: 3em;
    }
    @container (width < 640px) {
      .finding {
        min-height: 6em;
      }
    }
  `,
});
