/** Axes with a name and numbers, as SVG; the drawing lies between `start` and `end`. */
import { svg, type SVGTemplateResult } from 'lit';
import { drawingTextSize } from './text_size.ts';

export interface Tick {
  value: number;
  text: string;
}

/** Returns ticks at 0, step, 2·step, … below a count. */
export const ticksEvery = (count: number, step: number, text: (value: number) => string = String) =>
  Array.from({ length: Math.ceil(count / step) }, (_, k): Tick => ({
    value: k * step,
    text: text(k * step),
  }));

export interface AxisLine {
  /** Position in pixels of a value. */
  at(value: number): number;
  ticks: readonly Tick[];
  label: string;
  start: number;
  end: number;
}

/**
 * Below the drawing (default) or above it; the name stands outside the numbers. Nothing is written
 * outside the drawing, which is `width` wide.
 */
export function horizontalAxis(
  axis: AxisLine & { width: number },
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
        <text x=${within(axis.at(value), text, axis.width)} y=${numbers}
          text-anchor="middle">${text}</text>`,
    )}
    <text class="axis-label" x=${within((axis.start + axis.end) / 2, axis.label, axis.width)}
      y=${y + (side === 'below' ? 37 : -27)} text-anchor="middle">${axis.label}</text>
  </g>`;
}

/** Left of the drawing. The name is above the numbers and horizontal: it is easier to read. */
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

/** In units of the font size, and enough for any font that may stand in. */
const widest = { letter: 0.69, minus: 0.9, chinese: 1.03 };

/** Returns an upper bound of a text's width in CSS pixels, in any font at its size in drawings. */
export function textWidth(text: string): number {
  const width = (sign: string) =>
    sign > '\u2e80' ? widest.chinese : sign === '\u2212' ? widest.minus : widest.letter;
  return drawingTextSize() * [...text].reduce((sum, sign) => sum + width(sign), 0);
}

const widestOf = (ticks: readonly Tick[]) =>
  Math.max(0, ...ticks.map(({ text }) => textWidth(text)));

/** Room left of a drawing for its vertical axis' numbers, and right of it for half a number. */
export const margins = (vertical: readonly Tick[], horizontal: readonly Tick[]) => ({
  left: Math.max(46, widestOf(vertical) + 8),
  right: Math.max(14, widestOf(horizontal) / 2),
});

/** The middle of a text that stays inside a drawing, as near to `at` as may be. */
export function within(at: number, text: string, width: number): number {
  const half = Math.min(width, textWidth(text)) / 2;
  return Math.min(width - half, Math.max(half, at));
}

/** As few lines as may be, none wider than `width` where spaces or brackets are to break at. */
export function lines(text: string, width: number): string[] {
  const found = [''];
  for (const part of text.split(/(?<=[ ：，])|(?=（)/)) {
    const longer = found.at(-1)! + part;
    if (textWidth(longer.trimEnd()) <= width) found[found.length - 1] = longer;
    else found.push(part);
  }
  return found.map((line) => line.trimEnd()).filter(Boolean);
}

/** Leaves out numbers that would touch the one before. */
function spread({ ticks, at }: AxisLine): Tick[] {
  const kept: Tick[] = [];
  let end = -Infinity;
  for (const tick of [...ticks].sort((a, b) => at(a.value) - at(b.value))) {
    const reach = textWidth(tick.text) / 2;
    if (at(tick.value) - reach < end + 8) continue;
    kept.push(tick);
    end = at(tick.value) + reach;
  }
  return kept;
}
