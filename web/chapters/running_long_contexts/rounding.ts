/** The dtype microscope: positions, angles and scores as narrow formats hold them. */
import { chartFigure } from '../../figures/chart_figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { words } from './rounding_text.ts';
import { firstPositions, positionsShown } from './jobs.ts';
import { runningStyle } from './style.ts';

export default chartFigure({
  claims: [],
  text: words.strings,
  tries: words.tries,
  styles: runningStyle,
  controls: {
    start: range(words.start, { default: 480, min: 0, max: 60000, step: 20 }, { hue: 'position' }),
    format: choice(words.format, words.formats, 'bf16'),
    distance: range(words.distance, { default: 1, min: 0, max: 64 }, { symbol: 'Δ' }),
    stage: choice(words.stage, words.stages, 'position'),
  },
  compute: ({ format, stage, start, distance }, engine) =>
    engine.rotaryRounding({ format, stage, start, distance }),
  show({ data, settings, focus, setFocus, say }) {
    const { positions, held, scores, exact, distinctHere, distinctOfFirst } = data;
    const [first, last] = [positions[0]!, positions.at(-1)!];
    const place = Math.min(positionsShown - 1, Math.max(0, Math.round((focus ?? 0) - first)));
    const [low, high] = [Math.min(exact, ...scores), Math.max(exact, ...scores)];
    const room = Math.max(1e-9, (high - low) * 0.15, Math.abs(exact) * 1e-3);
    const worst = Math.max(...scores.map((score) => Math.abs(score - exact)));
    const common = {
      height: { share: 0.3, min: 230, max: 300 },
      x: { values: positions, label: say.positionAxis },
      cursor: focus,
      onCursor: setFocus,
    };
    return {
      description: say.describe(first, last, distinctHere),
      charts: [
        {
          ...common,
          y: {
            domain: [Math.min(first, ...held), Math.max(last, ...held)],
            label: say.heldAxis,
          },
          series: [
            { name: say.exactPosition, values: positions, look: 'faint' },
            { name: say.heldPosition, values: held, look: 'position', dots: true },
          ],
          digits: 0,
        },
        {
          ...common,
          y: { domain: [low - room, high + room], label: say.scoreAxis },
          series: [
            { name: say.scores, values: scores, look: 'query bold' },
            { name: say.exactScore, values: positions.map(() => exact), look: 'faint dashed' },
          ],
          label: say.scoresLabel(fixed(exact, 4), fixed(low, 4), fixed(high, 4)),
          digits: 5,
        },
      ],
      numbers: {
        here: [say.here(positionsShown), String(distinctHere)],
        first: [say.first(firstPositions), String(distinctOfFirst)],
        held: [say.held(positions[place]!), fixed(held[place]!, 0)],
        exact: [say.exact(settings.distance), fixed(exact, 6)],
        worst: [say.worst, rounded(worst, 3)],
      },
      table: [
        [say.positionAxis, positions],
        [say.heldPosition, held],
        [say.scores, scores],
      ],
    };
  },
});
