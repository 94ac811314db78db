/** A position's digits in base beta = b^(2/d), each above the circle of its pair. */
import { html } from 'lit';
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

/** The digit as a bar, and the angle of the pair, which comes from the same quotient. */
function place({ data, settings, say }: DigitsView, pair: number) {
  const { beta, digits, angles } = data;
  const digit = digits[pair]!;
  const angle = angles[pair]!;
  const digitText = Number.isInteger(beta) ? fixed(digit, 0) : fixed(digit, 2);
  const circle = pairCircle(78, 4, 'top');
  const quotient = settings.position / beta ** pair;
  const label = say.place(pair, digitText, fixed(angle, 3));
  return html`<li class="place" aria-label=${label}>
    <span class="quotient">${rounded(quotient, 4)}</span>
    <strong class="digit ${digitText.length > 3 ? 'is-long' : ''}" data-number="digit-${pair}">${digitText}</strong>
    <svg width="78" height="14" viewBox="0 0 78 14" aria-hidden="true">
      <rect class="scale" x="0.5" y="3.5" width="77" height="7" />
      <rect class="amount" x="1" y="4" width=${76 * Math.min(1, digit / beta)} height="6" />
    </svg>
    <svg width="78" height="78" viewBox="0 0 78 78" aria-hidden="true">
      ${circle.outline()} ${circle.tick()} ${circle.line(circle.vectorAt(angle), 'position')}
    </svg>
    <span class="angle" data-number="dial-${pair}">${fixed(angle, 3)}</span>
    <span class="which">i = ${pair}</span>
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
      <div class="places-head">${say.rows.map((row) => html`<span>${row}</span>`)}</div>
      <ol class="places" aria-label=${describe(view)}>
        ${Array.from({ length: pairs }, (_, k) => place(view, pairs - 1 - k))}
      </ol>
    </div>
    ${numbers({
      beta: [say.beta, rounded(data.beta, 6)],
      reach: [say.reach(pairs), rounded(data.beta ** pairs, 6)],
      ...(whole && {
        written: [say.written(settings.position, data.beta), [...data.digits].reverse().join('')],
      }),
    })}`;
}

function describe({ settings, data, say }: DigitsView): string {
  const { beta, angles } = data;
  const digits = [...data.digits].map((digit) => rounded(digit, 3));
  const written = [...digits].reverse().join(', ');
  const quotient = rounded(settings.position / beta, 4);
  return (
    say.describe(settings.position, rounded(beta, 4), digits.length, written) +
    say.both(quotient, digits[1]!, fixed(angles[1]!, 3))
  );
}

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
