/** Every method over the pairs and over distance, as many at once as one likes. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { defineControls, type ViewOf } from '../../figures/figure.ts';
import { baseRange, legendSwitches, modelRange, pairRange } from '../../figures/shared_controls.ts';
import { limitAtX, limitAtY, lineChart, nameIn } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import type { Scaling, Scalings } from './jobs.ts';
import { methodNames, methods, type Method } from './methods.ts';
import { words } from './scalings_text.ts';
import { longerStyle } from './style.ts';

const looks: Record<Method, string> = {
  // They lie on the limits, which show through.
  direct: 'plain wide',
  linear: 'linear wide',
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

/** Shown first; the others are behind “Other methods”. */
const main: readonly Method[] = ['direct', 'linear', 'ntk', 'yarn'];

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
  ...legendSwitches(methodNames, main),
});

type ScalingsView = ViewOf<typeof controls, typeof words.strings, Scalings, number>;

/** Where a line is alone in the first view. */
function nameAt(method: Method, pairs: number) {
  const places: Partial<Record<Method, number>> = {
    direct: 0.6,
    linear: 0.35,
    ntk: 0.22,
    yarn: 0.62,
  };
  return {
    x: (places[method] ?? 0.5) * (pairs - 1),
    side: method === 'ntk' ? 'below' : 'above',
  } as const;
}

/** The switches are the legend. */
function legend({ say, control, settings }: Pick<ScalingsView, 'say' | 'control' | 'settings'>) {
  const named = (method: Method) => html`<div>
    <svg width="30" height="10" aria-hidden="true">
      <line class="line ${looks[method]}" x1="1" x2="29" y1="5" y2="5" />
    </svg>
    ${control(method)}
  </div>`;
  const others = methods.filter((method) => !main.includes(method));
  return html`<fieldset>
    <legend class="visually-hidden">${say.methods}</legend>
    <div class="methods">${main.map(named)}</div>
    <details ?open=${others.some((method) => settings[method])}>
      <summary>${say.others}</summary>
      <div class="methods">${others.map(named)}</div>
    </details>
  </fieldset>`;
}

/** How many pairs turn as in training, and how many at most as fast as interpolated ones. */
function countsOf({ ratios }: Scaling, factor: number) {
  const count = (is: (ratio: number) => boolean) => ratios.filter(is).length;
  return [count((ratio) => ratio > 0.9999), count((ratio) => ratio < 1.0001 / factor)] as const;
}

/** The score of equal query and key over distance, in the colors of the methods. */
function overDistance({ data, settings, say, width }: ScalingsView): TemplateResult {
  const { distances, made } = data;
  const trained = Math.round(settings.trained);
  const scores = made.flatMap((each) => each.scores);
  const farthest = distances.at(-1)!;
  return html`<div class="values-only">
    ${lineChart({
      width,
      height: { share: 0.3, min: 220, max: 260 },
      x: {
        domain: [1, Math.max(2, farthest)],
        values: distances,
        label: say.distanceAxis,
        scale: 'log',
      },
      y: { domain: [Math.min(-0.2, ...scores), Math.max(1, ...scores)], label: say.scoreAxis },
      series: made.map((each) => ({
        name: '',
        look: looks[each.method].replace(' wide', ''),
        values: each.scores,
      })),
      label: say.distanceLabel(farthest),
      below: (frame) =>
        trained > farthest ? svg`` : limitAtX(frame, trained, 'L₀', frame.top + 12),
    })}
  </div>`;
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
    const { made } = data;
    const { factor, dim } = settings;
    const least = Math.min(0.5 / factor, ...made.flatMap(({ ratios }) => ratios));
    const nameOf = (method: Method) => methodNames[method][language];
    return {
      description: say.describe(
        dim / 2,
        rounded(factor, 3),
        made
          .filter(({ method }) => method !== 'direct')
          .map((each) => [nameOf(each.method), ...countsOf(each, factor)] as const),
      ),
      charts: [
        {
          before: legend(view),
          hasOwnLegend: true,
          height: { share: 0.5, min: 280, max: 400 },
          x: { domain: [0, dim / 2 - 1], label: say.pairAxis },
          y: { domain: [Math.min(0.1, least * 0.9), 1.4], label: say.ratioAxis, scale: 'log' },
          // Among more lines, names would lie on others.
          series: made.map(({ method, ratios }) => ({
            name: made.length > main.length ? '' : nameOf(method),
            look: looks[method],
            values: ratios,
            named: nameAt(method, dim / 2),
          })),
          below: (frame) => svg`${limitAtY(frame, 1)}
            ${limitAtY(frame, 1 / factor, say.slowed, 'below')}
            ${
              frame.y(1 / factor) - frame.y(1) < 24
                ? nothing
                : nameIn(frame, say.kept, { x: frame.right - 6, y: frame.y(1) + 16, anchor: 'end' })
            }`,
        },
      ],
      after: html`${overDistance(view)} ${recipes(view, pair)}`,
      table: [
        ['i', (made[0]?.ratios ?? []).map((_, i) => i)],
        ...made.map(({ method, ratios }) => [nameOf(method), ratios] as const),
      ],
    };
  },
});
