/** The entropy of attention against the number of keys, with and without log-n. */
import { chartFigure } from '../../figures/chart_figure.ts';
import { range } from '../../figures/shared_controls.ts';
import { limitAtX } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { words } from './entropy_text.ts';
import { runningStyle } from './style.ts';

const growth = (values: number[]) => fixed(values.at(-1)! - values[5]!, 4);

export default chartFigure({
  claims: ['C27'],
  text: words.strings,
  tries: words.tries,
  styles: runningStyle,
  controls: {
    trained: range(
      words.trained,
      { default: 512, min: 16, max: 4096, step: 'log' },
      { symbol: 'L₀' },
    ),
    sharpness: range(words.sharpness, { default: 2.5, min: 0, max: 5, step: 0.1 }, { symbol: 'σ' }),
    seed: range(words.seed, { default: 1, min: 1, max: 99 }),
  },
  compute: ({ sharpness, trained, seed }, engine) =>
    engine.logNEntropy({ sharpness, originalLength: Math.round(trained), seed }),
  show({ data, settings, say }) {
    const { lengths, plain, scaled, factors } = data;
    const trained = Math.round(settings.trained);
    const [from, to] = [lengths[5]!, lengths.at(-1)!];
    return {
      description: say.describe(
        [from, to],
        [plain[5]!, plain.at(-1)!, scaled.at(-1)!].map((entropy) => fixed(entropy, 2)),
        rounded(Math.exp(plain.at(-1)! - plain[5]!), 2),
      ),
      charts: [
        {
          height: { share: 0.42, min: 280, max: 400 },
          x: { values: lengths, label: say.lengthAxis, scale: 'log' },
          y: { domain: [0, Math.log(to) * 1.03], label: say.entropyAxis },
          series: [
            {
              name: say.scaled,
              values: scaled,
              look: 'position bold',
              named: { x: to, side: 'below' },
            },
            { name: say.plain, values: plain, look: 'plain bold', named: { x: to } },
            {
              name: say.uniform,
              values: lengths.map(Math.log),
              look: 'faint dashed',
              named: { x: 128 },
            },
          ],
          below: (frame) => limitAtX(frame, trained, say.trained, frame.bottom - 6),
        },
      ],
      numbers: {
        plain: [say.growth(from, to), growth(plain)],
        scaled: [say.growthScaled, growth(scaled)],
        factor: [say.factor(to), fixed(factors.at(-1)!, 6)],
      },
      table: [
        ['n', lengths],
        [say.plain, plain],
        [say.scaled, scaled],
        [say.factorColumn, factors],
      ],
    };
  },
});
