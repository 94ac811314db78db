/** YaRN's temperature, and the rule of a model's configuration that sets it. */
import { html, nothing, svg } from 'lit';
import type { Language, Words } from '../../languages.ts';
import { chartFigure } from '../../figures/chart_figure.ts';
import { modelRange, range } from '../../figures/shared_controls.ts';
import { limitAtY } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { fittingKey, largestFactor, type Temperature } from './jobs.ts';
import { runningStyle } from './style.ts';
import { drawRows } from './temperature_rows.ts';
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
  html`<ol class="resolver values-only" aria-label=${label}>
    ${rules.map(
      (rule, k) => html`<li aria-current=${k === applied ? 'true' : nothing}
        data-number=${k === applied ? 'fired' : nothing}>${rule}</li>`,
    )}
  </ol>`;

/** What is multiplied, and by how much: query and key each have cos and sin. */
const chain = (
  { cosSin, softmaxScale, logits }: Temperature,
  say: (typeof words.strings)[Language],
) =>
  html`<p class="chain">
    <span><b>${fixed(cosSin, 3)}²</b> ${say.twice}</span> ×
    <span><b>${fixed(softmaxScale, 3)}</b> ${say.scale}</span> =
    <span><b>${fixed(logits, 3)}</b> ${say.product}</span>
  </p>`;

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
  show({ data, settings, set, say, width }) {
    const { factors, yarn, longrope, cosSin, logits } = data;
    const { factor } = settings;
    const rule = appliedRule(settings);
    const shares = data.rows.map(({ weights }) => weights[fittingKey]!);
    const description = say.describe(
      rule,
      fixed(logits, 3),
      whole(data.rows[2].keys),
      shares.map(say.share),
    );
    const row = { ...say.row(rounded(factor, 3), fixed(logits, 2)), share: say.share };
    return {
      description,
      charts: [
        {
          before: drawRows(data.rows, { width, label: description, say: row }),
          height: { share: 0.3, min: 200, max: 270 },
          x: {
            domain: [1, largestFactor],
            values: factors,
            label: say.factorAxis,
            scale: 'log',
          },
          y: {
            domain: [Math.min(0.6, logits), Math.max(2.1, 1.1 * logits)],
            label: say.logitsAxis,
          },
          series: [
            { name: say.squared, values: yarn.map((m) => m * m), look: 'faint bold' },
            { name: say.now, points: [[factor, logits]], look: 'parts bold', dots: true },
          ],
          onPick: (at) => set({ factor: Math.round(2 * at) / 2 }),
          below: (frame) => {
            const [x, y] = [frame.x(factor), frame.y(logits)];
            const side = x > frame.left + 80 ? -1 : 1;
            const hasRoom = logits >= 1 && frame.y(1) + 20 < frame.bottom;
            return svg`${limitAtY(frame, 1, say.plain, hasRoom ? 'below' : 'above')}
              <line class="line strong parts" x1=${x} x2=${x} y1=${frame.y(1)} y2=${y} />
              <text class="limit-label product" x=${x + 9 * side} y=${y - 8}
                text-anchor=${side < 0 ? 'end' : 'start'}>× ${fixed(logits, 2)}</text>`;
          },
        },
      ],
      after: html`${chain(data, say)} ${resolver(say.resolver, say.rules, rule)}`,
      numbers: {
        'cos-sin': [say.cosSin, fixed(cosSin, 6)],
        softmax: [say.softmax, fixed(data.softmaxScale, 6)],
        logits: [say.logits, fixed(logits, 6)],
        ...Object.fromEntries(
          ['trained', 'plain', 'scaled'].map((name, k) => [
            `weight-${name}`,
            [say.weightOf[k]!, fixed(100 * shares[k]!, 3)],
          ]),
        ),
      },
      table: [
        ['s', factors],
        [say.yarn, yarn],
        [say.longrope, longrope],
      ],
    };
  },
});
