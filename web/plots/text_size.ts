/** How large text in drawings is, in CSS pixels. */

/** In rem: of text in drawings, and of the text of a figure. */
const sizes = { drawing: 0.8125, figure: 0.9375 };

let size: number | undefined;

/** Takes it from text of a figure; the figures of a page have one size. */
export function readTextSize(text: Element) {
  const figure = Number.parseFloat(getComputedStyle(text).fontSize);
  size = (figure * sizes.drawing) / sizes.figure;
}

/** Where there is no figure, a drawing stands in a page of this site. */
export const drawingTextSize = (): number =>
  (size ??= sizes.drawing * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
