/** Loss by place of a trained model, far beyond the length of its training, for several methods. */
import { html, svg, type TemplateResult } from 'lit';
import {
  defineControls,
  defineFigure,
  type SettingsOf,
  type ViewOf,
} from '../../figures/figure.ts';
import { legendSwitches, range } from '../../figures/shared_controls.ts';
import { limitAtX, lineChart, type Point, type Series } from '../../plots/line_chart.ts';
import { fixed, whole } from '../../plots/number.ts';
import { llama, recordedLlama } from '../../trained/llama.ts';
import type { Engine } from '../../worker/client.ts';
import { beyondWords as words } from './beyond_text.ts';
import {
  changeOf,
  defaults,
  methodNames,
  originalLength,
  sections,
  shownLosses,
  type Method,
  type ShownLosses,
} from './methods.ts';
import { beyondStyle } from './beyond_style.ts';

const controls = defineControls({
  factor: range(
    words.factor,
    { default: defaults.factor, min: 1, max: 8, step: 0.5 },
    { symbol: 's' },
  ),
  reach: range(
    words.reach,
    { default: defaults.reach, min: 16, max: 1024, step: 16 },
    { symbol: 'w' },
  ),
  keys: range(
    words.keys,
    { default: defaults.keys, min: 16, max: 1024, step: 16 },
    { place: 'drawing' },
  ),
  ...legendSwitches(words.methods, ['direct', 'rerope', 'ntk', 'yarn'], {
    display: true,
  }),
});

/** Places at which lines that are shown first have their names. */
const nameAt: Partial<Record<Method, Series['named']>> = {
  direct: { x: 128, side: 'below' },
  rerope: { x: 700, side: 'below' },
  ntk: { x: 352 },
  yarn: { x: 160 },
};

type Losses = Record<Method, ShownLosses>;

interface Beyond {
  losses: Losses;
  isRecorded: boolean;
}

type BeyondView = ViewOf<typeof controls, typeof words.strings, Beyond>;

async function load(settings: SettingsOf<typeof controls>, engine: Engine): Promise<Beyond> {
  const { tokens, methods } = await recordedLlama<Losses>();
  const { factor, keys, reach } = settings;
  const isRecorded =
    factor === defaults.factor && keys === defaults.keys && reach === defaults.reach;
  if (isRecorded) return { losses: methods, isRecorded };
  const losses: Partial<Losses> = {};
  // One after the other: a newer request of a figure supersedes the one before.
  for (const method of methodNames) {
    const change = await changeOf(method, { factor, keys, reach }, engine, tokens.length);
    losses[method] = shownLosses(await llama.losses(tokens, { change }));
  }
  return { losses: losses as Losses, isRecorded };
}

const shownMethods = ({ settings }: BeyondView) => methodNames.filter((name) => settings[name]);

/** The switches of the methods, each with its line. */
function legend({ say, control }: BeyondView): TemplateResult {
  return html`<fieldset class="methods">
    <legend>${say.methods}</legend>
    ${methodNames.map(
      (method) => html`<div>
        <svg width="30" height="10" aria-hidden="true">${svg`<line class="line is-${method}" x1="1" x2="29" y1="5" y2="5" />`}</svg>
        ${control(method)}
      </div>`,
    )}
  </fieldset>`;
}

function meansTable(view: BeyondView): TemplateResult {
  const { data, language, say } = view;
  return html`<div class="scrolling values-only" tabindex="0" role="region" aria-label=${say.means}>
    <table>
      <thead><tr>
        <th scope="col">${say.method}</th>
        ${sections.map(([start, end]) => html`<th scope="col">${say.places(whole(start), whole(end - 1))}</th>`)}
      </tr></thead>
      <tbody>${shownMethods(view).map(
        (method) => html`<tr>
          <th scope="row">${words.methods[method][language]}</th>
          ${data.losses[method].means.map(
            (mean, at) => html`<td data-number="${method}-${at}">${fixed(mean, 2)}</td>`,
          )}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
}

function draw(view: BeyondView) {
  const { data, language, width, say, control } = view;
  const shown = shownMethods(view);
  const direct = data.losses.direct.bins;
  const lines = shown.map((method) => ({
    ...(width >= 500
      ? { name: words.methods[method][language], named: nameAt[method] ?? { x: 900 } }
      : { name: '' }),
    look: `is-${method}`,
    points: data.losses[method].bins.map(([place, loss], bin): Point => [
      place,
      loss - direct[bin]![1],
    ]),
  }));
  const differences = lines.flatMap(({ points }) => points.map(([, loss]) => loss));
  const warm = () => void llama.load().catch(() => {});
  return html`<div @focusin=${warm} @pointerenter=${warm}>
    ${legend(view)}
    ${lineChart({
      width,
      height: { share: 0.42, min: 260, max: 380 },
      x: { domain: [0, 1100], label: say.placeAxis, ticks: [0, 256, 512, 768, 1024] },
      y: {
        domain: [Math.min(-0.2, ...differences) - 0.05, Math.max(0.4, ...differences)],
        label: say.differenceAxis,
      },
      series: lines,
      label: describe(view),
      digits: 2,
      headroom: 24,
      below: (frame) => limitAtX(frame, originalLength, say.trained, frame.top + 12),
    })}
    ${meansTable(view)}
    <p class="setting">${data.isRecorded ? say.recorded : say.live}</p>
    <details class="more" ?open=${view.settings.keys !== defaults.keys}>
      <summary>${say.more}</summary>
      <div class="controls">${control('keys')}</div>
    </details>
  </div>`;
}

function describe(view: BeyondView): string {
  const { data, language, say } = view;
  const within = (method: Method) => data.losses[method].means[1]!;
  const beyond = (method: Method) => data.losses[method].means.at(-2)!;
  const shown = shownMethods(view);
  const best = shown.reduce<Method>((a, b) => (beyond(b) < beyond(a) ? b : a), 'direct');
  const dearest = shown.reduce<Method>((a, b) => (within(b) > within(a) ? b : a), 'direct');
  const cost = (method: Method) =>
    [words.methods[method][language], fixed(within(method) - within('direct'), 2)] as const;
  if (best === 'direct') return say.none(fixed(beyond('direct'), 2));
  const gain = fixed(beyond('direct') - beyond(best), 2);
  return say.describe(gain, cost(best), cost(dearest));
}

export default defineFigure({
  claims: ['C43'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: load,
  draw,
  describe,
  table: (view: BeyondView) => ({
    columns: [
      view.say.placeAxis,
      ...shownMethods(view).map((name) => words.methods[name][view.language]),
    ],
    rows: view.data.losses.direct.bins.map(([place], bin) => [
      place,
      ...shownMethods(view).map((name) => view.data.losses[name].bins[bin]![1]),
    ]),
  }),
  styles: beyondStyle,
});
