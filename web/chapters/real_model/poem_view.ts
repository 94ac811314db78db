/** Draws a poem line by line: those of five characters end in a column, others say their length. */
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
/** Left of the lines, for their numbers. */
const gutter = 22;
const top = 2;

/** Lines that have their number, from 1. */
const numbered = [1, 4, 8, 9, 12, 16, 20, 24];

/** The lines, each with its sign; an unfinished one is left out. */
function linesOf(poem: readonly string[]): string[][] {
  const lines: string[][] = [[]];
  for (const character of poem) {
    lines.at(-1)!.push(character);
    if (isSign(character)) lines.push([]);
  }
  return lines.slice(0, -1);
}

export function poemPanel({ name, label, poem, width }: PoemPanel): TemplateResult {
  const cell = Math.min(largestCell, Math.floor((width - gutter - 2) / rowLength));
  const lines = linesOf(poem);
  const [right, bottom] = [gutter + rowLength * cell, top + lines.length * cell];
  const x = (place: number) => gutter + place * cell;
  const y = (row: number) => top + row * cell;
  const last = rowLength - 1;
  const line = (characters: readonly string[], row: number) => {
    const isFive = characters.length === rowLength;
    const inset = isFive ? 1 : 1.75;
    // Numbers of two digits are wider than a cell.
    const more = !isFive && characters.length > 10 ? 5 : 0;
    const kept = characters.slice(0, -1);
    const shown = kept.length <= last ? kept : [...kept.slice(0, last - 1), '…'];
    const places = shown
      .map((character, i) => x(i + 0.5) - (character === '…' ? 2 + more : 0))
      .join(' ');
    return svg`<g class="poem-line">
      <rect class=${isFive ? 'sign' : 'sign stray'} x=${x(last) + inset - more} y=${y(row) + inset}
        width=${cell - 2 * inset + more} height=${cell - 2 * inset} rx="2" />
      <text class="characters" lang="zh-Hant" x=${places} y=${y(row + 0.5)} dy="0.36em"
        text-anchor="middle" .style=${`font-size: ${Math.round(0.66 * cell)}px`}>${shown.join('')}</text>
      <text class=${isFive ? 'characters' : 'count'} x=${x(last + 0.5) - more / 2} y=${y(row + 0.5)} dy="0.36em"
        text-anchor="middle">${isFive ? characters.at(-1) : kept.length}</text>
      ${
        numbered.includes(row + 1)
          ? svg`<text class="row-number" x=${gutter - 6} y=${y(row + 0.5)} dy="0.35em"
              text-anchor="end">${row + 1}</text>`
          : null
      }
    </g>`;
  };
  const limit = y(trainedLines);
  return html`<div class="poem">
    <p>${name}</p>
    <svg width=${right + 2} height=${bottom + 2} viewBox="0 0 ${right + 2} ${bottom + 2}"
      role="img" aria-label=${label}>
      ${lines.map(line)}
      <line class="limit" x1=${gutter - 16} x2=${right} y1=${limit} y2=${limit} />
    </svg>
  </div>`;
}
