/** The memory of one bit, by length and by how rarely the bit is written. */
import { html } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { choice } from '../../figures/shared_controls.ts';
import {
  drawContest,
  lengthChart,
  liveControls,
  loadContest,
  scoreRows,
  scoresAtEnds,
  scoreTable,
  type Contest,
} from './contest.ts';
import { words } from './flip_flop_text.ts';
import { schemeSwitches } from './schemes.ts';
import { shortStyle } from './style.ts';

const controls = defineControls({
  // Names of evaluations, with the share of ignored bits in them.
  text: choice(words.text, words.texts, 'sparse'),
  ...liveControls,
  ...schemeSwitches(['rope', 'alibi', 'kerple', 'fox', 'cope']),
});

type FlipFlopView = ViewOf<typeof controls, typeof words.strings, Contest, number>;

const lengths = [64, 128, 256, 512];

function draw(view: FlipFlopView) {
  const errors = (width: number) =>
    lengthChart(view, width, {
      lengths,
      y: { domain: [0, 0.6], label: view.say.error },
      label: describe(view),
      chance: 0.5,
    });
  return html`${drawContest(view, view.say.setting, errors)}
    ${scoreTable(view, lengths, view.say.scores)}`;
}

function describe(view: FlipFlopView): string {
  const { settings, language, say } = view;
  const text = words.texts[settings.text][language];
  return say.describe(text, scoresAtEnds(view, 64, 512));
}

export default defineFigure({
  claims: ['E3', 'C38', 'C40'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ text }: SettingsOf<typeof controls>, engine: object) =>
    loadContest(engine, 'c_flip_flop', {
      evaluation: text,
      value: ({ accuracy }) => 1 - accuracy,
    }),
  draw,
  describe,
  table: (view: FlipFlopView) => scoreRows(view, view.say.error),
  styles: shortStyle,
});
