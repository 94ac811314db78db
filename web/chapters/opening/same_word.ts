/** Without position a word scores the same with its copy at any distance. */
import { chartFigure } from '../../figures/chart_figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { wordLine, wordLineStyle } from '../../figures/word_line.ts';
import { margins } from '../../plots/axis.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { farthest } from './jobs.ts';
import { words } from './same_word_text.ts';

const spread = (scores: readonly number[]) => Math.max(...scores) - Math.min(...scores);

/** As a text is read: the copy before the word, the farthest one first. */
const places = Array.from({ length: farthest + 1 }, (_, k) => k - farthest);
/** The distance of the highest score far back, and not at the end: the name is on a crest. */
const highestFar = (scores: readonly number[]) =>
  scores.indexOf(Math.max(...scores.slice(farthest / 2, farthest - 9)), farthest / 2);
const distanceAt = (place: number) => Math.min(farthest, Math.max(0, Math.round(-place)));

export default chartFigure({
  claims: ['C01'],
  text: words.strings,
  tries: words.tries,
  styles: wordLineStyle,
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
  compute: ({ scheme, seed }, engine, language) =>
    engine.sameWord({ word: words.word[language], scheme, seed }),
  show({ data, settings, focus, set, setFocus, language, say, width }) {
    const at = focus ?? settings.distance;
    const both = [...data.without, ...data.with];
    const [low, high] = [Math.min(...both), Math.max(...both)];
    const room = Math.max(0.5, (high - low) * 0.12);
    const word = words.word[language];
    const line = wordLine({
      width,
      domain: [-farthest, 0],
      sides: margins([], [{ value: 0, text: '\u221260' }]),
      words: [
        { text: word, hue: 'query', at: 0 },
        {
          text: word,
          hue: 'key',
          at: -at,
          drag: {
            label: say.copy,
            min: -farthest,
            max: 0,
            move: (place) => set({ distance: distanceAt(place) }),
          },
        },
      ],
    });
    return {
      description: say.describe(
        fixed(data.without[0]!, 2),
        fixed(Math.min(...data.with), 2),
        fixed(Math.max(...data.with), 2),
      ),
      charts: [
        {
          before: line,
          height: 260,
          x: { values: places, label: say.place },
          y: { domain: [low - room, high + room], label: say.score },
          series: [
            // The number beside the cursor is that of the first.
            {
              name: say.with,
              values: data.with.toReversed(),
              look: 'position',
              named: { x: -highestFar(data.with) },
            },
            {
              name: say.without,
              values: data.without.toReversed(),
              look: 'plain strong',
              named: { x: -45, side: 'below' },
            },
          ],
          cursor: -at,
          onCursor: (place) => setFocus(place === undefined ? undefined : distanceAt(place)),
          onPick: (place) => set({ distance: distanceAt(place) }),
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
