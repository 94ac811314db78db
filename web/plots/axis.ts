/** Axes with a name and numbers, as SVG; the drawing lies between `start` and `end`. */
import { svg, type SVGTemplateResult } from 'lit';

export interface Tick {
  value: number;
  text: string;
}

export interface AxisLine {
  /** Position in pixels of a value. */
  at(value: number): number;
  ticks: readonly Tick[];
  label: string;
  start: number;
  end: number;
}

/** Below the drawing (default) or above it; the name stands at the end, outside the numbers. */
export function horizontalAxis(
  axis: AxisLine,
  y: number,
  side: 'below' | 'above' = 'below',
): SVGTemplateResult {
  const away = side === 'below' ? 1 : -1;
  const numbers = y + (side === 'below' ? 18 : -9);
  return svg`<g class="axis" aria-hidden="true">
    <line x1=${axis.start} x2=${axis.end} y1=${y} y2=${y} />
    ${spread(axis).map(
      ({
        value,
        text,
      }) => svg`<line x1=${axis.at(value)} x2=${axis.at(value)} y1=${y} y2=${y + 4 * away} />
        <text x=${axis.at(value)} y=${numbers} text-anchor="middle">${text}</text>`,
    )}
    <text class="axis-label" x=${(axis.start + axis.end) / 2} y=${y + (side === 'below' ? 37 : -27)}
      text-anchor="middle">${axis.label}</text>
  </g>`;
}

/** Left of the drawing; the name is written above the numbers, so that nobody tilts the head. */
export function verticalAxis(axis: AxisLine, x: number, labelHeight = 12): SVGTemplateResult {
  const top = Math.min(axis.start, axis.end);
  return svg`<g class="axis" aria-hidden="true">
    <line x1=${x} x2=${x} y1=${axis.start} y2=${axis.end} />
    ${axis.ticks.map(
      ({
        value,
        text,
      }) => svg`<line x1=${x} x2=${x - 4} y1=${axis.at(value)} y2=${axis.at(value)} />
        <text x=${x - 7} y=${axis.at(value) + 4} text-anchor="end">${text}</text>`,
    )}
    <text class="axis-label" x=${nameStart(x)} y=${top - labelHeight}>${axis.label}</text>
  </g>`;
}

/** Where the name of a vertical axis at x begins. */
export const nameStart = (x: number) => Math.max(0, x - 44);

const digitWidth = 7.2;

/** Wide enough for any font that may stand in: a Chinese character takes two places. */
export const textWidth = (text: string) =>
  digitWidth * [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? 2.05 : 1), 0);

/** Leaves out numbers that would touch the one before. */
function spread({ ticks, at }: AxisLine): Tick[] {
  const kept: Tick[] = [];
  let end = -Infinity;
  for (const tick of [...ticks].sort((a, b) => at(a.value) - at(b.value))) {
    const reach = (tick.text.length * digitWidth) / 2;
    if (at(tick.value) - reach < end + 8) continue;
    kept.push(tick);
    end = at(tick.value) + reach;
  }
  return kept;
}
