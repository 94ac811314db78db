/** Draws a poem in rows of six places, so that its signs stand in one column or do not. */
import { svg, html, type TemplateResult } from 'lit';
import { isSign, rowLength, trainedLines } from './poem_training.ts';

export interface PoemPanel {
  /** What wrote it. */
  name: string;
  /** What a screen reader says for the drawing. */
  label: string;
  /** Its characters and signs. */
  poem: readonly string[];
  width: number;
}

const largestCell = 24;
/** Left of the rows, for their numbers. */
const gutter = 22;
const top = 2;

/** Rows that have their number, from 1. */
const numbered = [1, 4, 8, 9, 12, 16, 20, 24];

export function poemPanel({ name, label, poem, width }: PoemPanel): TemplateResult {
  const cell = Math.min(largestCell, Math.floor((width - gutter - 2) / rowLength));
  const rows = Array.from({ length: Math.ceil(poem.length / rowLength) }, (_, row) =>
    poem.slice(row * rowLength, (row + 1) * rowLength),
  );
  const [right, bottom] = [gutter + rowLength * cell, top + rows.length * cell];
  const x = (place: number) => gutter + place * cell;
  const y = (row: number) => top + row * cell;
  const mark = (row: number, place: number) => {
    const isInColumn = place === rowLength - 1;
    const inset = isInColumn ? 1 : 1.75;
    return svg`<rect class=${isInColumn ? 'sign' : 'sign stray'} x=${x(place) + inset} y=${y(row) + inset}
      width=${cell - 2 * inset} height=${cell - 2 * inset} rx="2" />`;
  };
  const places = (count: number) => Array.from({ length: count }, (_, i) => x(i + 0.5)).join(' ');
  const number = (row: number) =>
    svg`<text class="row-number" x=${gutter - 6} y=${y(row - 0.5)} dy="0.35em"
      text-anchor="end">${row}</text>`;
  const text = (characters: readonly string[], row: number) =>
    svg`<text class="characters" lang="zh-Hant" x=${places(characters.length)} y=${y(row + 0.5)}
      dy="0.36em" text-anchor="middle" .style=${`font-size: ${Math.round(0.66 * cell)}px`}>${characters.join('')}</text>`;
  const limit = y(trainedLines);
  return html`<div class="poem">
    <p>${name}</p>
    <svg width=${right + 2} height=${bottom + 2} viewBox="0 0 ${right + 2} ${bottom + 2}"
      role="img" aria-label=${label}>
      <rect class="column" x=${x(rowLength - 1)} y=${top} width=${cell} height=${bottom - top} />
      ${rows.map((characters, row) =>
        characters.map((character, place) => (isSign(character) ? mark(row, place) : '')),
      )}
      ${rows.map(text)}
      ${numbered.filter((row) => row <= rows.length).map(number)}
      <line class="limit" x1=${gutter - 16} x2=${right} y1=${limit} y2=${limit} />
    </svg>
  </div>`;
}
