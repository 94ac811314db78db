/** YaRN's temperature, and the rule of a model's configuration that sets it. */
import { html, nothing } from 'lit';
import { defineControls, defineFigure, type SettingsOf, type View } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { lineChart, type Point } from '../../plots/line_chart.ts';
import { fixed } from '../../plots/number.ts';
import { largestFactor, type Temperature } from './jobs.ts';
import { runningStyle } from './style.ts';
import { temperatureText, words } from './temperature_text.ts';

/** A number of the configuration; 0 means that the configuration does not have it. */
const configNumber = { kind: 'range', default: 0, min: 0, max: 2, step: 0.001 } as const;

const controls = defineControls({
  factor: {
    kind: 'range',
    label: words.factor,
    symbol: 's',
    default: 16,
    min: 1,
    max: largestFactor,
    step: 0.5,
    follows: 'factor',
  },
  given: { ...configNumber, label: words.given },
  mscale: { ...configNumber, label: words.mscale },
  mscaleAllDim: { ...configNumber, label: words.mscaleAllDim },
});

type TemperatureView = View<SettingsOf<typeof controls>, Temperature, number>;

/**
 * Returns the index of the rule that applies: the first one in the order of Hugging Face
 * transformers whose parameters are given.
 */
function appliedRule({ given, mscale, mscaleAllDim }: TemperatureView['settings']): 0 | 1 | 2 {
  if (given > 0) return 0;
  return mscale > 0 && mscaleAllDim > 0 ? 1 : 2;
}

function chart(view: TemperatureView) {
  const { data, settings, language, width, focus } = view;
  const strings = words.strings[language];
  const curve = (values: number[]) => values.map((value, k): Point => [data.factors[k]!, value]);
  return lineChart({
    width,
    height: Math.round(Math.min(340, Math.max(250, width * 0.36))),
    x: { domain: [1, largestFactor], label: strings.factorAxis, scale: 'log' },
    y: { domain: [0.95, 2.1], label: strings.multiplierAxis },
    series: [
      { name: strings.yarn, points: curve(data.yarn), look: 'parts bold' },
      { name: strings.squared, points: curve(data.yarn.map((m) => m * m)), look: 'parts dashed' },
      { name: strings.longrope, points: curve(data.longrope), look: 'longrope bold' },
    ],
    label: describe(view),
    cursor: focus ?? settings.factor,
    onCursor: view.setFocus,
    onPick: (factor) => view.set({ factor: Math.round(2 * factor) / 2 }),
  });
}

function resolver(view: TemperatureView) {
  const { settings, language } = view;
  const strings = words.strings[language];
  const applied = appliedRule(settings);
  return html`<ol class="resolver" aria-label=${strings.resolver}>
    ${strings.rules.map(
      (rule, k) => html`<li aria-current=${k === applied ? 'true' : nothing}
        data-number=${k === applied ? 'fired' : nothing}>${rule}</li>`,
    )}
  </ol>`;
}

function draw(view: TemperatureView) {
  const { data, language } = view;
  const strings = words.strings[language];
  return html`${chart(view)} ${resolver(view)}
    ${numbers([
      { id: 'cos-sin', label: strings.cosSin, value: fixed(data.cosSin, 6) },
      { id: 'softmax', label: strings.softmax, value: fixed(data.softmaxScale, 6) },
      { id: 'logits', label: strings.logits, value: fixed(data.logits, 6) },
    ])}`;
}

function describe({ settings, data, language }: TemperatureView): string {
  return words.strings[language].describe(fixed(settings.factor, 1), fixed(data.cosSin, 4));
}

export default defineFigure({
  claims: ['C32'],
  text: temperatureText,
  controls,
  compute: ({ factor, given, mscale, mscaleAllDim }, engine) =>
    engine.attentionTemperature({ factor, attentionFactor: given, mscale, mscaleAllDim }),
  draw,
  describe,
  table: ({ data, language }: TemperatureView) => {
    const strings = words.strings[language];
    return {
      columns: ['s', strings.yarn, strings.longrope],
      rows: data.factors.map((factor, k) => [factor, data.yarn[k]!, data.longrope[k]!]),
    };
  },
  styles: runningStyle,
});
