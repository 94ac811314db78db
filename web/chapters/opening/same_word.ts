/** Without position a word scores the same with its copy at any distance. */
import { chartFigure } from '../../figures/chart_figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { farthest } from './jobs.ts';
import { words } from './same_word_text.ts';

const spread = (scores: readonly number[]) => Math.max(...scores) - Math.min(...scores);

export default chartFigure({
  claims: ['C01'],
  text: words.strings,
  controls: {
    distance: range(
      words.distance,
      { default: 12, min: 0, max: farthest },
      { symbol: 'm − n', hue: 'position', display: true },
    ),
    scheme: choice(
      words.scheme,
      { sinusoidal: words.sinusoidal, 'rope-interleaved': words.rope, alibi: words.alibi },
      'sinusoidal',
    ),
    seed: range(words.seed, { default: 1, min: 0, max: 99 }),
  },
  cursor: 'distance',
  compute: ({ scheme, seed }, engine, language) =>
    engine.sameWord({ word: words.word[language], scheme, seed }),
  show({ data, cursor: at, say }) {
    const both = [...data.without, ...data.with];
    const [low, high] = [Math.min(...both), Math.max(...both)];
    const room = Math.max(0.5, (high - low) * 0.12);
    return {
      description: say.describe(rounded(spread(data.without), 2), fixed(spread(data.with), 2)),
      charts: [
        {
          height: 300,
          x: { domain: [0, farthest], label: say.distance },
          y: { domain: [low - room, high + room], label: say.score },
          series: [
            { name: say.with, values: data.with, look: 'position' },
            { name: say.without, values: data.without, look: 'plain dashed' },
          ],
        },
      ],
      numbers: {
        without: [say.here(at, say.without), fixed(data.without[at]!, 4)],
        with: [say.here(at, say.with), fixed(data.with[at]!, 4)],
        'spread-without': [say.spread.without, rounded(spread(data.without), 2)],
        'spread-with': [say.spread.with, fixed(spread(data.with), 4)],
      },
      table: [
        [say.distance, data.without.map((_, k) => k)],
        [say.without, data.without],
        [say.with, data.with],
      ],
    };
  },
});
