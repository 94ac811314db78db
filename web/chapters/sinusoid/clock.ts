/** One pair as a clock: the hand stands at (sin, cos), so it starts at noon and runs clockwise. */
import { svg, html, type SVGTemplateResult, type TemplateResult } from 'lit';

/** Sine to the right, cosine upwards. */
export interface Hand {
  x: number;
  y: number;
}

export interface Clock {
  size: number;
  before: Hand;
  after: Hand;
  /** From before to after, in radians; may pass a full turn. */
  turn: number;
  label: string;
}

export function clock({ size, before, after, turn, label }: Clock): TemplateResult {
  const middle = size / 2;
  const radius = middle - 9;
  const tip = ({ x, y }: Hand) => ({ x: middle + radius * x, y: middle - radius * y });
  const from = tip(before);
  const to = tip(after);
  const height = size + 18;
  return html`<svg width=${size} height=${height} viewBox="0 0 ${size} ${height}" aria-hidden="true">
    <circle class="face" cx=${middle} cy=${middle} r=${radius} />
    <line class="noon" x1=${middle} x2=${middle} y1=${middle - radius} y2=${middle - radius + 5} />
    ${sweep(middle, radius * 0.55, before, turn)}
    <line class="hand position" x1=${middle} y1=${middle} x2=${from.x} y2=${from.y} />
    <circle class="tip position" cx=${from.x} cy=${from.y} r="3.5" />
    <line class="hand plain" x1=${middle} y1=${middle} x2=${to.x} y2=${to.y} />
    <circle class="tip plain" cx=${to.x} cy=${to.y} r="3.5" />
    <text x=${middle} y=${size + 12} text-anchor="middle">${label}</text>
  </svg>`;
}

/** The way from hand to hand as a spiral, so that more than one turn can be seen. */
function sweep(middle: number, radius: number, before: Hand, turn: number): SVGTemplateResult {
  const start = Math.atan2(before.x, before.y);
  const shown = Math.sign(turn) * Math.min(Math.abs(turn), 6 * Math.PI);
  const count = Math.max(2, Math.ceil(Math.abs(shown) * 12));
  const points = Array.from({ length: count + 1 }, (_, k) => {
    const angle = start + (shown * k) / count;
    const reach = radius * (1 - (0.5 * (Math.abs(shown) * k)) / count / (6 * Math.PI));
    const [x, y] = [middle + reach * Math.sin(angle), middle - reach * Math.cos(angle)];
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  });
  return svg`<polyline class="sweep faint" points=${points.join(' ')} />`;
}
