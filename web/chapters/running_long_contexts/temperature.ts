/** YaRN's temperature, and the rule of a model's configuration that sets it. */
import { html, nothing } from 'lit';
import type { Words } from '../../languages.ts';
import { chartFigure } from '../../figures/chart_figure.ts';
import { modelRange, range } from '../../figures/shared_controls.ts';
import { fixed } from '../../plots/number.ts';
import { largestFactor } from './jobs.ts';
import { runningStyle } from './style.ts';
import { words } from './temperature_text.ts';

/** A number of the configuration; 0 means that the configuration does not have it. */
const configNumber = (label: Words) => range(label, { default: 0, min: 0, max: 2, step: 0.001 });

/** What of the configuration sets the factor. */
type Given = Record<'given' | 'mscale' | 'mscaleAllDim', number>;

/**
 * Returns the index of the rule that applies: the first one in the order of Hugging Face
 * transformers whose parameters are given.
 */
function appliedRule({ given, mscale, mscaleAllDim }: Given): 0 | 1 | 2 {
  if (given > 0) return 0;
  return mscale > 0 && mscaleAllDim > 0 ? 1 : 2;
}

const resolver = (label: string, rules: readonly string[], applied: number) =>
  html`<ol class="resolver" aria-label=${label}>
    ${rules.map(
      (rule, k) => html`<li aria-current=${k === applied ? 'true' : nothing}
        data-number=${k === applied ? 'fired' : nothing}>${rule}</li>`,
    )}
  </ol>`;

export default chartFigure({
  claims: ['C32'],
  text: words.strings,
  tries: words.tries,
  styles: runningStyle,
  controls: {
    factor: modelRange('factor', words.factor, { default: 16, min: 1, max: largestFactor }),
    given: configNumber(words.given),
    mscale: configNumber(words.mscale),
    mscaleAllDim: configNumber(words.mscaleAllDim),
  },
  compute: ({ factor, given, mscale, mscaleAllDim }, engine) =>
    engine.attentionTemperature({ factor, attentionFactor: given, mscale, mscaleAllDim }),
  show({ data, settings, set, say }) {
    const { factors, yarn, longrope } = data;
    return {
      description: say.describe(fixed(settings.factor, 1), fixed(data.cosSin, 4)),
      charts: [
        {
          height: { share: 0.36, min: 250, max: 340 },
          x: {
            domain: [1, largestFactor],
            values: factors,
            label: say.factorAxis,
            scale: 'log',
          },
          y: { domain: [0.95, 2.1], label: say.multiplierAxis },
          series: [
            { name: say.yarn, values: yarn, look: 'parts bold' },
            { name: say.squared, values: yarn.map((m) => m * m), look: 'parts dashed' },
            { name: say.longrope, values: longrope, look: 'longrope bold' },
          ],
          cursor: settings.factor,
          onPick: (factor) => set({ factor: Math.round(2 * factor) / 2 }),
        },
      ],
      after: resolver(say.resolver, say.rules, appliedRule(settings)),
      numbers: {
        'cos-sin': [say.cosSin, fixed(data.cosSin, 6)],
        softmax: [say.softmax, fixed(data.softmaxScale, 6)],
        logits: [say.logits, fixed(data.logits, 6)],
      },
      table: [
        ['s', factors],
        [say.yarn, yarn],
        [say.longrope, longrope],
      ],
    };
  },
});
