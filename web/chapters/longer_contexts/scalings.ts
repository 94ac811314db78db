/** Every method over the pairs and over distance, as many at once as one likes. */
import { html, svg } from 'lit';
import type { Words } from '../../languages.ts';
import { baseControl } from '../../figures/base_control.ts';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { shownPair } from '../../figures/pair_buttons.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import type { Scaling, Scalings } from './jobs.ts';
import { methodNames, methods, type Method } from './methods.ts';
import { scalingsText, words } from './scalings_text.ts';
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

const shownAtFirst: readonly Method[] = ['direct', 'linear', 'ntk', 'yarn'];

interface Switch {
  kind: 'switch';
  label: Words;
  default: boolean;
  place: 'drawing';
}

const switches = Object.fromEntries(
  methods.map((method): [Method, Switch] => [
    method,
    {
      kind: 'switch',
      label: methodNames[method],
      default: shownAtFirst.includes(method),
      place: 'drawing',
    },
  ]),
) as Record<Method, Switch>;

const controls = defineControls(
  {
    factor: {
      kind: 'range',
      label: words.factor,
      symbol: 's',
      default: 8,
      min: 1,
      max: 64,
      step: 0.5,
      follows: 'factor',
    },
    trained: {
      kind: 'range',
      label: words.trained,
      symbol: 'L₀',
      default: 4096,
      min: 64,
      max: 131072,
      step: 'log',
      follows: 'originalLength',
    },
    length: {
      kind: 'range',
      label: words.length,
      symbol: 'L',
      hue: 'position',
      default: 32768,
      min: 64,
      max: 1048576,
      step: 'log',
      follows: 'length',
    },
    base: baseControl(100, 1e7),
    dim: {
      kind: 'range',
      label: words.dim,
      symbol: 'd',
      default: 128,
      min: 8,
      max: 256,
      step: 2,
      follows: 'dim',
    },
    pair: {
      kind: 'range',
      label: words.pair,
      symbol: 'i',
      default: 33,
      min: 0,
      max: 127,
      display: true,
      brush: true,
    },
    ...switches,
  },
  {
    pair: ({ dim }) => dim / 2 - 1,
  },
);

/** The distance under the pointer of the second chart. */
type ScalingsView = View<SettingsOf<typeof controls>, Scalings, number>;

const series = (view: ScalingsView, points: (made: Scaling) => Point[]) =>
  view.data.made.map((made) => ({ name: '', look: looks[made.method], points: points(made) }));

/** The switches are the legend. */
function legend(view: ScalingsView) {
  return html`<fieldset class="methods">
    <legend class="visually-hidden">${words.strings[view.language].methods}</legend>
    ${methods.map(
      (method) => html`<div>
        <svg width="30" height="10" aria-hidden="true">
          <line class="line ${looks[method]}" x1="1" x2="29" y1="5" y2="5" />
        </svg>
        ${view.control(method)}
      </div>`,
    )}
  </fieldset>`;
}

function overPairs(view: ScalingsView) {
  const { settings, language, width, data } = view;
  const strings = words.strings[language];
  const pairs = settings.dim / 2;
  const toPair = (at: number) => Math.min(pairs - 1, Math.max(0, Math.round(at)));
  const least = Math.min(0.5 / settings.factor, ...data.made.flatMap(({ ratios }) => ratios));
  return lineChart({
    width,
    height: Math.round(Math.min(340, Math.max(250, width * 0.36))),
    x: { domain: [0, pairs - 1], label: strings.pairAxis },
    y: { domain: [Math.min(0.1, least * 0.9), 1.15], label: strings.ratioAxis, scale: 'log' },
    series: series(view, ({ ratios }) => ratios.map((ratio, i): Point => [i, ratio])),
    label: describe(view),
    cursor: shownPair(view),
    onCursor: (at) => view.brush(at === undefined ? undefined : toPair(at)),
    onPick: (at) => view.set({ pair: toPair(at) }),
    below: ({ y, left, right }) => svg`
      <line class="limit" x1=${left} x2=${right}
        y1=${y(1 / settings.factor)} y2=${y(1 / settings.factor)} />
      <text class="limit-label" x=${left + 6} y=${y(1 / settings.factor) - 6}>1/s</text>`,
  });
}

function overDistance(view: ScalingsView) {
  const { data, language, width, settings, focus } = view;
  const strings = words.strings[language];
  const { distances, made } = data;
  const scores = made.flatMap(({ scores }) => scores);
  const trained = Math.round(settings.trained);
  return lineChart({
    width,
    height: Math.round(Math.min(340, Math.max(250, width * 0.36))),
    x: { domain: [1, Math.max(2, distances.at(-1)!)], label: strings.distanceAxis, scale: 'log' },
    y: { domain: [Math.min(-0.2, ...scores), Math.max(1, ...scores)], label: strings.scoreAxis },
    series: series(view, ({ scores }) => scores.map((score, k): Point => [distances[k]!, score])),
    label: strings.distanceLabel(distances.at(-1)!),
    cursor: focus,
    onCursor: view.setFocus,
    below: ({ x, top, bottom, right }) =>
      x(trained) > right
        ? svg``
        : svg`<line class="limit" x1=${x(trained)} x2=${x(trained)} y1=${top} y2=${bottom} />
          <text class="limit-label" x=${x(trained) - 5} y=${top + 12}
            text-anchor="end">L₀</text>`,
  });
}

function recipes(view: ScalingsView) {
  const { data, language } = view;
  const strings = words.strings[language];
  const pair = shownPair(view);
  return html`<div class="scrolling" tabindex="0" role="region" aria-label=${strings.recipes}>
    <table>
      <thead><tr>${strings.columns(pair).map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
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

function describe(view: ScalingsView): string {
  const { data, language } = view;
  const pair = shownPair(view);
  const values = data.made.map(
    ({ method, ratios }) => [methodNames[method][language], rounded(ratios[pair]!, 3)] as const,
  );
  return words.strings[language].describe(pair, values);
}

export default defineFigure({
  claims: ['C28', 'C29', 'C32'],
  text: scalingsText,
  controls,
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
  draw: (view: ScalingsView) =>
    html`${legend(view)} ${overPairs(view)} ${overDistance(view)} ${recipes(view)}`,
  describe,
  table: ({ data, language }: ScalingsView) => {
    const [first] = data.made;
    return {
      columns: ['i', ...data.made.map(({ method }) => methodNames[method][language])],
      rows: Array.from(first?.ratios ?? [], (_, i) => [
        i,
        ...data.made.map(({ ratios }) => ratios[i]!),
      ]),
    };
  },
  styles: longerStyle,
});
