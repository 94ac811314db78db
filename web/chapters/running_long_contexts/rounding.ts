/** The dtype microscope: positions, angles and scores as narrow formats hold them. */
import { nothing, svg } from 'lit';
import { chartFigure } from '../../figures/chart_figure.ts';
import { choice, range } from '../../figures/shared_controls.ts';
import { textWidth } from '../../plots/axis.ts';
import { bandBetween, nameIn, type Frame } from '../../plots/line_chart.ts';
import { fixed, rounded, whole } from '../../plots/number.ts';
import { words } from './rounding_text.ts';
import { firstPositions, positionsShown, type Rounding } from './jobs.ts';
import { runningStyle } from './style.ts';

const fanHeight = 142;
/** Around names on a drawing. */
const outline = 2;

/** Names of values, in lines with these baselines: one that would touch others is left out. */
function drawNames(values: readonly number[], { x }: Frame, lines: number[], looks: string) {
  const ends = lines.map(() => 0);
  return values.map((value) => {
    const half = textWidth(whole(value)) / 2;
    const line = ends.findIndex((end) => x(value) - half >= end);
    if (line < 0) return nothing;
    ends[line] = x(value) + half + 4;
    return svg`<text class=${looks} x=${x(value)} y=${lines[line]!}
      text-anchor="middle">${whole(value)}</text>`;
  });
}

/** Each position, and a line to the value that the format holds in place of it. */
function drawFan({ positions, held }: Rounding, frame: Frame, name: string) {
  const { x, top } = frame;
  const [from, to] = [top + 26, top + 74];
  const stored = [...new Set(held)];
  // The axis of the scores ends below.
  return svg`<g class="stored">
    <rect class="blank" x="0" y=${top - 1} width=${frame.left + 1} height=${fanHeight - 4} />
    ${nameIn(frame, name, { x: outline, y: top - 12 })}
    ${drawNames(positions, frame, [from - 9], '')}
    ${positions.map(
      (position, k) => svg`<path class=${held[k] === position ? '' : 'wrong'}
        d="M${x(position)},${from}L${x(held[k]!)},${to}" />
        <circle cx=${x(position)} cy=${from} r="2.5" />`,
    )}
    ${stored.map((value) => svg`<circle class="held" cx=${x(value)} cy=${to} r="4" />`)}
    ${drawNames(stored, frame, [to + 19, to + 34], 'held')}
  </g>`;
}

export default chartFigure({
  claims: [],
  text: words.strings,
  tries: words.tries,
  styles: runningStyle,
  controls: {
    start: range(words.start, { default: 500, min: 0, max: 60000, step: 20 }, { hue: 'position' }),
    format: choice(words.format, words.formats, 'bf16'),
    distance: range(words.distance, { default: 1, min: 0, max: 64 }, { symbol: 'Δ' }),
    stage: choice(words.stage, words.stages, 'position'),
  },
  compute: ({ format, stage, start, distance }, engine) =>
    engine.rotaryRounding({ format, stage, start, distance }),
  show({ data, settings, focus, setFocus, say }) {
    const { positions, held, scores, exact, distinctHere, distinctOfFirst } = data;
    const { format, stage, distance } = settings;
    const isHeld = stage === 'position' || stage === 'all';
    const [first, last] = [positions[0]!, positions.at(-1)!];
    const place = Math.min(positionsShown - 1, Math.max(0, Math.round((focus ?? 0) - first)));
    const [low, high] = [Math.min(exact, ...scores), Math.max(exact, ...scores)];
    const room = Math.max(1e-9, (high - low) * 0.15, Math.abs(exact) * 1e-3);
    const worst = Math.max(...scores.map((score) => Math.abs(score - exact)));
    const exactScores = positions.map(() => exact);
    return {
      description: say.describe({
        ends: [first, last],
        distinct: distinctHere,
        distance,
        scores: [fixed(exact, 3), fixed(low, 3), fixed(high, 3)],
      }),
      charts: [
        {
          height: { share: 0.5, min: 380, max: 430 },
          headroom: fanHeight,
          x: {
            domain: [Math.min(first, ...held) - 0.5, Math.max(last, ...held) + 0.5],
            values: positions,
            label: say.queryAxis,
            whole: true,
          },
          y: { domain: [low - room, high + room], label: '' },
          series: [
            {
              name: say.error,
              points: [],
              band: bandBetween(positions, scores, exactScores),
              look: 'wrong',
            },
            { name: say.scores, values: scores, look: 'query bold' },
            { name: say.exactScore, values: exactScores, look: 'faint dashed' },
          ],
          cursor: focus,
          onCursor: setFocus,
          below: (
            frame,
          ) => svg`${drawFan(data, frame, say.heldIn(isHeld && words.formats[format].en))}
            ${nameIn(frame, say.scoreOf(distance), { x: outline, y: frame.top + fanHeight - 12 })}`,
          digits: 3,
        },
      ],
      numbers: {
        here: [say.here(positionsShown), String(distinctHere)],
        first: [say.first(firstPositions), String(distinctOfFirst)],
        held: [say.held(positions[place]!), fixed(held[place]!, 0)],
        exact: [say.exact(distance), fixed(exact, 6)],
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
