/** Which pairs reach angles unseen in training. */
import { html, nothing, svg } from 'lit';
import type { AngleCoverage } from 'ropewalk';
import { chartFigure } from '../../figures/chart_figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { baseRange, choice, modelRange, pairRange } from '../../figures/shared_controls.ts';
import { textWidth } from '../../plots/axis.ts';
import { limitAtY, nameIn, type Frame } from '../../plots/line_chart.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import { words } from './coverage_text.ts';
import { longerStyle } from './style.ts';

/** Neighboring pairs as stretches, so that one shade covers each. */
function stretches(pairs: readonly number[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const pair of pairs) {
    const last = found.at(-1);
    if (last?.[1] === pair - 1) last[1] = pair;
    else found.push([pair, pair]);
  }
  return found;
}

/** Shades the pairs. */
const shades = (pairs: readonly number[], { x, top, bottom, left, right }: Frame) =>
  stretches(pairs).map(
    ([from, to]) => svg`<rect class="unseen" y=${top} height=${bottom - top}
      x=${Math.max(left, x(from - 0.5))}
      width=${Math.min(right, x(to + 0.5)) - Math.max(left, x(from - 0.5))} />`,
  );

/** Inside the shade where it has room. */
function nameShade(pairs: readonly number[], name: string, frame: Frame) {
  const { x, top, right } = frame;
  const room = right - x((pairs[0] ?? Infinity) - 0.5);
  if (!(room > textWidth(name) + 12)) return nothing;
  return nameIn(frame, name, { x: right - 8, y: top + 20, anchor: 'end' }, 'unseen-name');
}

/** An arc that ended where it begins would be none. */
const nearlyAll = 0.9999;

/** The angles of the pair that were seen in training, and those of the text at hand. */
function drawPair(data: AngleCoverage, pair: number, text: string) {
  const size = 176;
  const circle = pairCircle(size, 14, 'top');
  const angle = (rotations: number) => 2 * Math.PI * Math.min(nearlyAll, rotations);
  const seen = angle(data.trainedTurns[pair]!);
  const reached = angle(data.turns[pair]!);
  const inner = 60 / circle.radius;
  return html`<div class="angles">
    <svg width=${size} height=${size} viewBox="0 0 ${size} ${size}" aria-hidden="true">
      ${circle.outline()} ${circle.tick(8)}
      ${circle.arc(0, seen, 1, 'arc seen')}
      ${circle.arc(0, Math.min(seen, reached), inner, 'arc position')}
      ${data.firstUnseen[pair]! >= 0 ? circle.arc(seen, reached, inner, 'arc unseen-arc') : null}
      <text class="name" x=${circle.middle} y=${circle.middle + 5} text-anchor="middle">i = ${pair}</text>
    </svg>
    <p>${text}</p>
  </div>`;
}

export default chartFigure({
  claims: ['C26', 'C28', 'C29'],
  text: words.strings,
  tries: words.tries,
  styles: longerStyle,
  controls: {
    length: modelRange(
      'length',
      words.length,
      { default: 8192, min: 16, max: 1048576 },
      { hue: 'position' },
    ),
    method: choice(words.method, words.methods, 'direct'),
    trained: modelRange('originalLength', words.trained, { default: 2048, min: 16, max: 131072 }),
    base: baseRange(2, 1e7),
    dim: modelRange('dim', words.dim, { default: 128, min: 8, max: 256 }),
    pair: pairRange(words.pair, { default: 46, max: 127 }),
  },
  cursor: 'pair',
  compute: ({ dim, base, trained, length, method }, engine) => {
    const originalLength = Math.round(trained);
    // A shorter text needs no extension.
    const factor = Math.max(1, Math.round(length) / originalLength);
    return engine.unseenAngles({
      dim,
      base,
      method,
      originalLength,
      length: Math.round(length),
      factor,
    });
  },
  show({ data, settings, cursor: pair, say }) {
    const { trainedTurns, turns, unseenPairs, firstUnseen } = data;
    const every = [...trainedTurns, ...turns];
    const low = 10 ** Math.floor(Math.log10(Math.min(0.1, ...every)));
    const high = 10 ** Math.ceil(Math.log10(Math.max(10, ...every)));
    const first = firstUnseen[pair]!;
    const results = numbers({
      unseen: [say.unseen(unseenPairs[0]), say.of(unseenPairs.length, turns.length)],
      'trained-turns': [say.trainedTurns(pair), fixed(trainedTurns[pair]!, 4)],
      turns: [say.turns(pair), fixed(turns[pair]!, 4)],
      'first-unseen': [say.firstUnseen(pair), first < 0 ? say.never : rounded(first, 7)],
    });
    return {
      description: say.describe(
        Math.round(settings.trained),
        Math.round(settings.length),
        unseenPairs.length,
        turns.length,
      ),
      charts: [
        {
          height: { share: 0.42, min: 280, max: 400 },
          x: { domain: [0, turns.length - 1], label: say.pairAxis },
          y: { domain: [low, high], label: say.turnAxis, scale: 'log' },
          series: [
            {
              name: say.trained,
              values: trainedTurns,
              look: 'faint wide',
              named: { x: turns.length / 5, side: 'below' },
            },
            { name: say.now, values: turns, look: 'position bold', named: { x: turns.length / 3 } },
          ],
          below: (frame) => svg`${shades(unseenPairs, frame)}
            ${nameShade(unseenPairs, say.shaded, frame)}
            ${limitAtY(frame, 1, say.oneTurn, 'above')}`,
        },
      ],
      after: html`<div class="angles-row">
        ${drawPair(data, pair, say.dial(first >= 0))}<div>${results}</div>
      </div>`,
      table: [
        ['i', turns.map((_, i) => i)],
        [say.trained, trainedTurns],
        [say.now, turns],
        [say.firstColumn, firstUnseen],
      ],
    };
  },
});
