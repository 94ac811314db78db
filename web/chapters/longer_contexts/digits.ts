/** A position's digits in base beta = b^(2/d), each as a dial above the one of its pair's angle. */
import { html, svg } from 'lit';
import type { PositionDigits } from 'ropewalk';
import { defineControls, defineFigure, type ViewOf } from '../../figures/figure.ts';
import { numbers } from '../../figures/numbers.ts';
import { range } from '../../figures/shared_controls.ts';
import { fixed, rounded } from '../../plots/number.ts';
import { pairCircle } from '../../plots/pair_circle.ts';
import '../../components/play.ts';
import { words } from './digits_text.ts';
import { longerStyle } from './style.ts';

const lastPosition = 99999;

const controls = defineControls({
  position: range(
    words.position,
    { default: 2026, min: 0, max: lastPosition },
    { symbol: 'n', hue: 'position' },
  ),
  base: range(words.base, { default: 10000, min: 2, max: 1e6, step: 'log' }, { symbol: 'b' }),
  dim: range(words.dim, { default: 8, min: 4, max: 32, step: 2 }, { symbol: 'd' }),
});

type DigitsView = ViewOf<typeof controls, typeof words.strings, PositionDigits>;

/** The pair in the frame, whose division is written out. */
const example = 1;

const digitOf = ({ beta, digits }: PositionDigits, pair: number) =>
  fixed(digits[pair]!, Number.isInteger(beta) ? 0 : 2);

/** More marks would run together. */
const mostMarks = 24;

/** Two dials of one quotient: a turn of the upper one is beta, of the lower one 2 pi. */
function place({ data, settings, say }: DigitsView, pair: number) {
  const { beta, digits, angles } = data;
  const digit = digitOf(data, pair);
  const angle = fixed(angles[pair]!, 3);
  const circle = pairCircle(78, 4, 'top');
  const turned = (part: number) => circle.vectorAt((2 * Math.PI * part) / beta);
  const mark = (part: number) => {
    const [from, to] = [circle.at(turned(part), 0.86), circle.at(turned(part))];
    return svg`<line class="tick" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} />`;
  };
  const marks = beta > mostMarks ? 1 : Math.ceil(beta);
  return html`<li class="place ${pair === example ? 'is-example' : ''}"
    aria-label=${say.place(pair, digit, angle)}>
    <span class="which">i = ${pair}</span>
    <span class="quotient">${rounded(settings.position / beta ** pair, 4)}</span>
    <strong class="digit ${digit.length > 3 ? 'is-long' : ''}" data-number="digit-${pair}">${digit}</strong>
    <svg width="78" height="78" viewBox="0 0 78 78" aria-hidden="true">
      ${circle.outline()} ${Array.from({ length: marks }, (_, part) => mark(part))}
      ${circle.line(turned(digits[pair]!), '')}
    </svg>
    <svg width="78" height="78" viewBox="0 0 78 78" aria-hidden="true">
      ${circle.outline()} ${circle.tick()} ${circle.line(circle.vectorAt(angles[pair]!), 'position')}
    </svg>
    <span class="angle" data-number="dial-${pair}">${angle}</span>
  </li>`;
}

function draw(view: DigitsView) {
  const { data, settings, say } = view;
  const pairs = data.digits.length;
  const whole = Number.isInteger(data.beta) && data.beta <= 10;
  return html`
    <rw-play
      .label=${say.play}
      @tick=${() => view.set({ position: (settings.position + 1) % (lastPosition + 1) })}
    ></rw-play>
    <div class="digits">
      <div class="places-head">
        <span>n / βⁱ</span>
        <span>${say.digitRow} <small>β = b<sup>2/d</sup> = ${rounded(data.beta, 4)}</small></span>
        <span>${say.angleRow}</span>
      </div>
      <ol class="places" aria-label=${describe(view)}>
        ${Array.from({ length: pairs }, (_, k) => place(view, pairs - 1 - k))}
      </ol>
      <p class="division">${division(view)}</p>
    </div>
    ${numbers({
      beta: [say.beta, rounded(data.beta, 6)],
      reach: [say.reach(pairs), rounded(data.beta ** pairs, 6)],
      ...(whole && {
        written: [say.written(settings.position, data.beta), [...data.digits].reverse().join('')],
      }),
    })}`;
}

/** What both dials of the frame make of its quotient. */
function division({ settings, data, say }: DigitsView): string {
  const { beta, angles } = data;
  const quotient = rounded(settings.position / beta ** example, 4);
  const angle = fixed(angles[example]!, 3);
  return say.division(quotient, rounded(beta, 4), digitOf(data, example), angle);
}

const describe = ({ say }: DigitsView): string => say.describe;

export default defineFigure({
  claims: ['C30'],
  text: words.strings,
  tries: words.tries,
  controls,
  compute: ({ position, dim, base }, engine) => engine.positionDigits({ position, dim, base }),
  draw,
  describe,
  table: ({ data, say }: DigitsView) => {
    return {
      columns: ['i', say.digitColumn, say.dialColumn],
      rows: Array.from(data.digits, (digit, i) => [i, digit, data.angles[i]!]),
    };
  },
  styles: longerStyle,
});
