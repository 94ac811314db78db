/** E3, C38, C40: who remembers one bit, over length and over how rarely it is written. */
import { html } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { whole } from '../../plots/number.ts';
import {
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
  shownSchemes,
  spreadText,
  type Contest,
} from './contest.ts';
import { flipFlopText, words } from './flip_flop_text.ts';
import { recording } from './recordings.ts';
import { schemeNames, schemeSwitches } from './schemes.ts';
import { shortStyle } from './style.ts';

/** Names of evaluations, and the share of ignored bits in them. */
const texts = ['usual', 'sparse', 'dense'] as const;

const controls = defineControls({
  text: {
    kind: 'choice',
    label: words.text,
    default: 'sparse',
    options: texts.map((value) => ({ value, label: words.texts[value] })),
  },
  ...liveControls,
  ...schemeSwitches(['rope', 'alibi', 'kerple', 'fox', 'cope']),
});

type FlipFlopView = View<SettingsOf<typeof controls>, Contest, number>;

async function load({ text }: SettingsOf<typeof controls>, engine: object): Promise<Contest> {
  const recorded = await recording('c_flip_flop');
  return {
    recorded,
    live: liveRunsOf(engine, recorded),
    evaluation: text,
    value: ({ accuracy }) => 1 - accuracy,
  };
}

const lengths = [64, 128, 256, 512];

function draw(view: FlipFlopView) {
  const { data, language, width } = view;
  const say = words.strings[language];
  const half = halfWidth(width);
  const { plan, seeds } = data.recorded;
  return html`<p class="setting">${say.setting(whole(plan.steps), String(seeds.length))}</p>
    ${schemeLegend(view)} ${liveRow(view)}
    <div class="charts" ?data-wide=${half < width}>
      ${lossChart(view, half)}
      ${lengthChart(view, half, {
        lengths,
        y: { domain: [0, 0.6], label: say.error },
        label: describe(view),
        chance: 0.5,
      })}
    </div>
    ${scoreTable(view, lengths, say.scores)}`;
}

function describe(view: FlipFlopView): string {
  const { data, settings, language } = view;
  const values = shownSchemes(view).map((scheme) => {
    const at = (length: number) => spreadText(scoresAt(data, recordedRuns(data, scheme), length));
    return [schemeNames[scheme][language], at(64), at(512)] as const;
  });
  return words.strings[language].describe(words.texts[settings.text][language], values);
}

export default defineFigure({
  name: 'flip-flop-memory',
  claims: ['E3', 'C38', 'C40'],
  text: flipFlopText,
  controls,
  compute: load,
  draw,
  describe,
  table: (view: FlipFlopView) => scoreRows(view, words.strings[view.language].error),
  styles: shortStyle,
});
