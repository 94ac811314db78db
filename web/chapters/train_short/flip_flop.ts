/** The memory of one bit, by length and by how rarely the bit is written. */
import { html } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { choice } from '../../figures/shared_controls.ts';
import { dotPlot } from '../../plots/dot_plot.ts';
import { fixed } from '../../plots/number.ts';
import {
  byLength,
  drawContest,
  lengthChart,
  liveControls,
  liveResults,
  loadContest,
  recordedRuns,
  scoreRows,
  scoreTable,
  shownSchemes,
  type Contest,
} from './contest.ts';
import { words } from './flip_flop_text.ts';
import { spreadOf } from './recorded.ts';
import { looks, schemeNames, schemeSwitches, type Scheme } from './schemes.ts';
import { shortStyle } from './style.ts';

const controls = defineControls({
  // Names of evaluations, with the share of ignored bits in them.
  text: choice(words.text, words.texts, 'sparse', { display: true }),
  length: choice(words.length, words.lengths, '512', { display: true }),
  ...liveControls,
  ...schemeSwitches(['rope', 'alibi', 'kerple', 'fox', 'cope']),
});

type FlipFlopView = ViewOf<typeof controls, typeof words.strings, Contest, number>;

const lengths = [64, 128, 256, 512];

/** The view of a test text. */
const onText = (view: FlipFlopView, text: FlipFlopView['settings']['text']): FlipFlopView => ({
  ...view,
  data: { ...view.data, evaluation: text },
});

/** Shares read wrongly at the chosen length, by the recorded models of a scheme. */
function errorsOf(view: FlipFlopView, scheme: Scheme) {
  const { data, settings } = view;
  return recordedRuns(data, scheme)
    .flatMap(byLength(data, data.evaluation))
    .filter(([length]) => length === Number(settings.length))
    .map(([, error]) => error);
}

/** Each scheme on the chosen text, and hollow on the usual one. */
function dots(view: FlipFlopView, width: number) {
  const { settings, language, say } = view;
  const usual = onText(view, 'usual');
  const meanOf = (scheme: Scheme) => spreadOf(errorsOf(view, scheme)).mean;
  const order = shownSchemes(view).sort((a, b) => meanOf(a) - meanOf(b));
  const rows = order.map((scheme) => {
    const { mean, low, high } = spreadOf(errorsOf(view, scheme));
    const here = liveResults(view.data, scheme)
      .flatMap(byLength(view.data, settings.text))
      .filter(([length]) => length === Number(settings.length))
      .map(([, value]) => ({ value, look: `${looks[scheme]} is-live` }));
    const other = { value: spreadOf(errorsOf(usual, scheme)).mean, look: 'is-other' };
    return {
      name: schemeNames[scheme][language],
      ...{ value: mean, low, high, look: looks[scheme] },
      others: settings.text === 'usual' ? here : [other, ...here],
      isJoined: settings.text !== 'usual',
    };
  });
  return dotPlot({
    width,
    rows,
    x: { domain: [0, 0.6], label: say.errorAt(settings.length) },
    label: describe(view),
    limit: { at: 0.5, name: say.guess },
    ...(settings.text !== 'usual' && {
      dotNames: [say.names[settings.text], say.names.usual] as const,
    }),
  });
}

function draw(given: FlipFlopView) {
  const view = onText(given, given.settings.text);
  const { width, say } = view;
  const overLength = lengthChart(view, width, {
    lengths,
    y: { domain: [0, 0.6], label: say.error },
    label: describe(view),
    chance: 0.5,
    trained: 64,
  });
  return html`<p class="example">${say.example}</p>
    ${drawContest(view, { task: say.setting, main: (room) => dots(view, room) })}
    <div class="values-only">${overLength}</div>
    ${scoreTable(view, lengths, say.scores)}`;
}

/** The scheme whose errors rise most from the usual text, and that with the fewest. */
function describe(given: FlipFlopView): string {
  const { settings, language, say } = given;
  const meanOn = (text: FlipFlopView['settings']['text'], scheme: Scheme) =>
    spreadOf(errorsOf(onText(given, text), scheme)).mean;
  const rows = shownSchemes(given).map((scheme) => ({
    name: schemeNames[scheme][language],
    usual: meanOn('usual', scheme),
    error: meanOn(settings.text, scheme),
  }));
  if (rows.length === 0) return say.errorAt(settings.length);
  const least = rows.reduce((a, b) => (b.error < a.error ? b : a));
  const risen = rows.reduce((a, b) => (b.error - b.usual > a.error - a.usual ? b : a));
  const most = rows.reduce((a, b) => (b.error > a.error ? b : a));
  const best = [least.name, fixed(least.error, 2)] as const;
  return settings.text === 'usual'
    ? say.describe(settings.length, best, [most.name, fixed(most.error, 2)])
    : say.risen(settings.length, say.names[settings.text], best, [
        risen.name,
        fixed(risen.usual, 2),
        fixed(risen.error, 2),
      ]);
}

export default defineFigure({
  claims: ['E3', 'C38', 'C40'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: (_: SettingsOf<typeof controls>, engine: object) =>
    loadContest(engine, 'c_flip_flop', {
      evaluation: 'sparse',
      value: ({ accuracy }) => 1 - accuracy,
    }),
  draw,
  describe,
  table: (view: FlipFlopView) => scoreRows(onText(view, view.settings.text), view.say.error),
  styles: shortStyle,
});
