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

/** Differences of means below this are no finding. */
const leastRise = 0.05;

/** The shown schemes on the chosen text, those with the fewest errors first. */
function ranked(view: FlipFlopView) {
  const usual = onText(view, 'usual');
  return shownSchemes(view)
    .map((scheme) => ({
      scheme,
      ...spreadOf(errorsOf(view, scheme)),
      usual: spreadOf(errorsOf(usual, scheme)).mean,
    }))
    .sort((a, b) => a.mean - b.mean);
}

type Ranked = ReturnType<typeof ranked>;

/** Those whose mean lies in the range of the first, to two digits. */
const leading = (all: Ranked) => all.filter(({ mean }) => mean < all[0]!.high + 0.005);

/** The scheme whose errors rise most from the usual text, if they do. */
const mostRisen = (all: Ranked) =>
  all
    .filter(({ mean, usual }) => mean - usual > leastRise)
    .toSorted((a, b) => b.mean - b.usual - (a.mean - a.usual))[0];

/** Each scheme on the chosen text; of the one that rises most, hollow, also on the usual one. */
function dots(view: FlipFlopView, width: number) {
  const { settings, language, say } = view;
  const all = ranked(view);
  const risen = mostRisen(all);
  const rows = all.map((row) => {
    const { scheme, mean, low, high, usual } = row;
    const here = liveResults(view.data, scheme)
      .flatMap(byLength(view.data, settings.text))
      .filter(([length]) => length === Number(settings.length))
      .map(([, value]) => ({ value, look: `${looks[scheme]} is-live` }));
    const other = { value: usual, look: 'is-other', text: say.usual(fixed(usual, 2)) };
    return {
      name: schemeNames[scheme][language],
      ...{ value: mean, low, high, look: looks[scheme], text: fixed(mean, 2) },
      others: row === risen ? [other, ...here] : here,
      isJoined: row === risen,
    };
  });
  return dotPlot({
    width,
    rows,
    x: { domain: [0, 0.6], label: say.errorAt(settings.length) },
    label: describe(view),
    limit: { at: 0.5, name: say.guess },
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
  return html`<p class="example">${say.task}<br />${say.example}</p>
    ${drawContest(view, { task: say.setting, main: (room) => dots(view, room) })}
    <div class="values-only">${overLength}</div>
    ${scoreTable(view, lengths, say.scores)}`;
}

/** The schemes with the fewest errors, and the one whose errors rise most from the usual text. */
function describe(given: FlipFlopView): string {
  const { settings, language, say } = given;
  const view = onText(given, settings.text);
  const all = ranked(view);
  const text = say.names[settings.text];
  if (all.length === 0) return say.errorAt(settings.length);
  const nameOf = ({ scheme }: Ranked[number]) => schemeNames[scheme][language];
  const risen = mostRisen(all);
  return say.describe(
    [text, settings.length],
    leading(all).map(nameOf),
    risen && [nameOf(risen), fixed(risen.usual, 2), fixed(risen.mean, 2)],
  );
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
