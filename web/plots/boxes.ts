/** Boxes of texts in a drawing, in pixels; each is as wide as its text may be in any font. */
import { textWidth } from './axis.ts';

export type Box = readonly [left: number, top: number, right: number, bottom: number];

export type Anchor = 'start' | 'middle' | 'end';

/** The box of a text by its anchor at x, and its baseline. */
export function boxOf(text: string, x: number, y: number, anchor: Anchor = 'start'): Box {
  const width = textWidth(text);
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  return [left, y - 12, left + width, y + 4];
}

/** Around each text is an outline of 2 pixels. */
const apart = 4;

export const touch = (a: Box, b: Box) =>
  a[0] < b[2] + apart && b[0] < a[2] + apart && a[1] < b[3] + apart && b[1] < a[3] + apart;
