/** Every method over the pairs and over distance, as many at once as one likes. */
import { html, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { baseRange, legendSwitches, modelRange, pairRange } from '../../figures/shared_controls.ts';
import { limitAtY } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import type { Scaling, Scalings } from './jobs.ts';
import { methodNames, methods, type Method } from './methods.ts';
import { words } from './scalings_text.ts';
import { longerStyle } from './style.ts';

const looks: Record<Method, string> = {
  direct: 'plain',
  linear: 'linear bold',
  ntk: 'ntk bold',
  'ntk-old': 'ntk dashed',
  'ntk-fixed': 'ntk long',
  'ntk-mixed': 'ntk dotted',
  'dynamic-ntk': 'dynamic bold',
  'by-parts': 'parts dotted',
  'yarn-paper': 'parts dashed',
  yarn: 'parts bold',
  longrope: 'longrope bold',
  llama3: 'llama bold',
};

const controls = defineControls({
  factor: modelRange('factor', words.factor, { default: 8, min: 1, max: 64 }),
  length: modelRange(
    'length',
    words.length,
    { default: 32768, min: 64, max: 1048576 },
    { hue: 'position' },
  ),
  trained: modelRange('originalLength', words.trained, { default: 4096, min: 64, max: 131072 }),
  base: baseRange(100, 1e7),
  dim: modelRange('dim', words.dim, { default: 128, min: 8, max: 256 }),
  pair: pairRange(words.pair, { default: 33, max: 127 }),
  ...legendSwitches(methodNames, ['direct', 'linear', 'ntk', 'yarn']),
});

type ScalingsView = ViewOf<typeof controls, typeof words.strings, Scalings, number>;

/** The switches are the legend. */
function legend({ say, control }: Pick<ScalingsView, 'say' | 'control'>) {
  return html`<fieldset class="methods">
    <legend class="visually-hidden">${say.methods}</legend>
    ${methods.map(
      (method) => html`<div>
        <svg width="30" height="10" aria-hidden="true">
          <line class="line ${looks[method]}" x1="1" x2="29" y1="5" y2="5" />
        </svg>
        ${control(method)}
      </div>`,
    )}
  </fieldset>`;
}

function recipes({ data, language, say }: ScalingsView, pair: number) {
  return html`<div class="scrolling values-only" tabindex="0" role="region" aria-label=${say.recipes}>
    <table>
      <thead><tr>${say.columns(pair).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>
        ${data.made.map(
          ({ method, ratios, inverseFrequencies, base, attentionFactor, logits }) => html`<tr>
            <th scope="row">${methodNames[method][language]}</th>
            <td data-number="ratio-${method}">${rounded(ratios[pair]!, 6)}</td>
            <td data-number="frequency-${method}">${rounded(inverseFrequencies[pair]!, 6)}</td>
            <td data-number="base-${method}">${rounded(base, 7)}</td>
            <td data-number="factor-${method}">${fixed(attentionFactor, 4)}</td>
            <td data-number="logits-${method}">${fixed(logits, 4)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const height = { share: 0.3, min: 220, max: 260 };

export default chartFigure({
  claims: ['C28', 'C29', 'C32'],
  isWide: true,
  text: words.strings,
  tries: words.tries,
  styles: longerStyle,
  controls,
  cursor: 'pair',
  compute: (settings, engine) => {
    const { dim, base, factor, trained, length } = settings;
    return engine.frequencyScalings({
      dim,
      base,
      factor,
      originalLength: Math.round(trained),
      length: Math.round(length),
      methods: methods.filter((method) => settings[method]),
    });
  },
  show(view) {
    const { data, settings, language, cursor: pair, say } = view;
    const { distances, made } = data;
    const least = Math.min(0.5 / settings.factor, ...made.flatMap(({ ratios }) => ratios));
    const scores = made.flatMap((each) => each.scores);
    const farthest = distances.at(-1)!;
    const trained = Math.round(settings.trained);
    const nameOf = (method: Method) => methodNames[method][language];
    const series = (values: (made: Scaling) => number[]) =>
      made.map((each) => ({ name: '', look: looks[each.method], values: values(each) }));
    return {
      description: say.describe(
        pair,
        made.map(({ method, ratios }) => [nameOf(method), rounded(ratios[pair]!, 3)] as const),
      ),
      charts: [
        {
          before: legend(view),
          height,
          x: { domain: [0, settings.dim / 2 - 1], label: say.pairAxis },
          y: { domain: [Math.min(0.1, least * 0.9), 1.15], label: say.ratioAxis, scale: 'log' },
          series: series(({ ratios }) => ratios),
          below: (frame) => limitAtY(frame, 1 / settings.factor, '1/s', 'above'),
        },
        {
          height,
          x: {
            domain: [1, Math.max(2, farthest)],
            values: distances,
            label: say.distanceAxis,
            scale: 'log',
          },
          y: { domain: [Math.min(-0.2, ...scores), Math.max(1, ...scores)], label: say.scoreAxis },
          series: series((each) => each.scores),
          label: say.distanceLabel(farthest),
          cursor: undefined,
          onCursor: undefined,
          onPick: undefined,
          below: ({ x, top, bottom, right }) =>
            x(trained) > right
              ? svg``
              : svg`<line class="limit" x1=${x(trained)} x2=${x(trained)} y1=${top} y2=${bottom} />
                <text class="limit-label" x=${x(trained) - 5} y=${top + 12}
                  text-anchor="end">L₀</text>`,
        },
      ],
      after: recipes(view, pair),
      table: [
        ['i', (made[0]?.ratios ?? []).map((_, i) => i)],
        ...made.map(({ method, ratios }) => [nameOf(method), ratios] as const),
      ],
    };
  },
});
