/** A list is copied that is longer than those of the training. */
import { html } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import {
  accuracyOf,
  drawContest,
  heldAndLost,
  lengthChart,
  liveControls,
  loadContest,
  scoreRows,
  scoreTable,
  type Contest,
} from './contest.ts';
import { words } from './copy_text.ts';
import { schemeSwitches } from './schemes.ts';
import { shortStyle } from './style.ts';

const controls = defineControls({
  randomized: { kind: 'switch', label: words.randomized, default: false, place: 'drawing' },
  ...liveControls,
  ...schemeSwitches(['none', 'rope', 'alibi', 't5', 'fox']),
});

type CopyView = ViewOf<typeof controls, typeof words.strings, Contest, number>;

/** Items of the lists that are tested; the longest of the training have 12. */
const counts = [8, 16, 20, 24, 32, 48, 64];
const mostItems = 12;
const readAt = 24;

function draw(view: CopyView) {
  const { settings, say, control } = view;
  const accuracies = (width: number) =>
    lengthChart(view, width, {
      lengths: counts,
      axis: say.items,
      y: { domain: [0, 1], label: say.accuracy },
      label: describe(view),
      chance: 1 / 32,
      trained: mostItems,
      read: readAt,
    });
  return html`${control('randomized')}
    ${drawContest(view, { task: say[settings.randomized ? 'drawn' : 'setting'], main: accuracies })}
    ${scoreTable(view, counts, say.scores)}`;
}

const describe = (view: CopyView): string => view.say.describe(...heldAndLost(view, readAt, 0.9));

export default defineFigure({
  claims: ['C40'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ randomized }: SettingsOf<typeof controls>, engine: object) =>
    loadContest(engine, randomized ? 'd2_copy_randomized' : 'd2_copy', {
      evaluation: 'items',
      value: accuracyOf,
    }),
  draw,
  describe,
  table: (view: CopyView) => scoreRows(view, view.say.accuracy),
  styles: shortStyle,
});
