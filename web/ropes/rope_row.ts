/** One rope with its name, its knot, and the letters under it. */
import { nothing, svg, type SVGTemplateResult } from 'lit';
import type { Language } from '../languages.ts';
import { originalLength, type Block, type RopeScheme } from './letters.ts';
import { words } from './ropes_text.ts';
import { loose, rope } from './strands.ts';
import type { Shown } from './motion.ts';

/** A letter of the prompt, or one that a model wrote. */
export interface Letter {
  written: string;
  kind: 'given' | 'right' | 'wrong';
}

export interface RopeRow {
  scheme: RopeScheme;
  shown: Shown;
  letters: readonly Letter[];
  firstWrong: number | undefined;
  /** What stands in place of the first wrong letter, such as the state of a training. */
  status?: string;
  language: Language;
  seed: number;
}

/** Below this width a drawing is on a phone: the rope comes first, its words are short. */
export const narrow = 560;

const headHeight = 20;
const ropeMiddle = headHeight + loose + 4;
const lettersTop = ropeMiddle + loose + 14;
const gap = 18;

/** Letters of these scripts are as wide as they are high. */
const isWide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

/** Where letters stand: under the rope where there is room, else in lines of their own below. */
export function layoutOf(width: number, length: number, { letters }: Block) {
  const cell = width / length;
  const wide = letters.some((letter) => isWide.test(letter));
  const isUnder = cell >= (wide ? 11.5 : 6.6);
  const size = isUnder ? Math.min(13, cell * (wide ? 0.98 : 1.62)) : wide ? 13 : 12.5;
  const across = isUnder ? cell : wide ? 14.5 : 8.1;
  const columns = isUnder ? length : Math.floor(width / across);
  const lineHeight = wide ? 19 : 16;
  const lines = Math.ceil(length / columns);
  // Letters that are wrong fall out of the line, by at most this much.
  const fall = isUnder ? 9 : 0;
  return { cell, isUnder, size, across, columns, lineHeight, lines, fall };
}

export type Layout = ReturnType<typeof layoutOf>;

export const rowHeight = ({ lines, lineHeight, fall }: Layout) =>
  lettersTop + (lines - 1) * lineHeight + fall + gap;

/** Draws the rope at the left edge of its row; the row begins at y 0. */
export function ropeRow(row: RopeRow, layout: Layout, width: number): SVGTemplateResult {
  const { scheme, shown, letters, firstWrong, language, seed } = row;
  const { cell, isUnder, size } = layout;
  const end = Math.round(shown.end);
  const knot = originalLength * cell;
  const about = width < narrow ? '' : words.years[scheme][language];
  const looseness = shown.looseness.slice(0, end);
  const knotEnd = isUnder ? lettersTop + 4 : ropeMiddle + 24;
  const isMarked = !isUnder && firstWrong !== undefined && firstWrong <= end;
  return svg`
    <text class="name" y="13">${words.names[scheme][language]}<tspan class="about" dx="9">${about}</tspan></text>
    ${verdict(row, width, end)}
    ${rope({ looseness, cell, y: ropeMiddle, seed })}
    <line class="knot-line" x1=${knot} x2=${knot} y1=${headHeight + 2} y2=${knotEnd} />
    ${end < originalLength ? nothing : knotAt(knot)}
    ${isMarked ? markAt((firstWrong - 0.5) * cell) : nothing}
    <g .style=${`font-size: ${size}px`}>
      ${letters.slice(0, end).map((letter, i) => letterAt(letter, i, layout, seed))}
    </g>
    ${isUnder ? nothing : knotInLetters(layout)}`;
}

const knotAt = (x: number) =>
  svg`<ellipse class="knot" cx=${x} cy=${ropeMiddle} rx="6" ry="9.5" />`;

/** Between the letters, where they do not stand under the rope. */
function knotInLetters({ across, columns, lineHeight, size }: Layout) {
  const x = (originalLength % columns) * across;
  const y = lettersTop + Math.floor(originalLength / columns) * lineHeight;
  return svg`<rect class="knot" x=${x - 1} y=${y - size} width="2" height=${size + 4} />`;
}

/** Where the first wrong letter is, once the rope is laid; or how far a training is. */
function verdict({ letters, firstWrong, status, language }: RopeRow, width: number, end: number) {
  const say = words.strings[language];
  const isWrong = firstWrong !== undefined && status === undefined;
  const laid = firstWrong === undefined ? say.right(letters.length) : say.wrong(firstWrong);
  const text = status ?? (end < letters.length ? '' : laid);
  return svg`<text class=${isWrong ? 'verdict is-wrong' : 'verdict'} x=${width} y="13"
    text-anchor="end" data-first-wrong=${firstWrong ?? ''}>${text}</text>`;
}

/** Marks the first wrong letter on the rope, where the letters do not stand under it. */
const markAt = (x: number) =>
  svg`<path class="first-wrong" d="M${x.toFixed(1)},${ropeMiddle - loose + 2}l-5,-9h10z" />`;

function letterAt({ written, kind }: Letter, i: number, layout: Layout, seed: number) {
  const { across, columns, lineHeight, fall } = layout;
  const x = ((i % columns) + 0.5) * across;
  const line = Math.floor(i / columns) * lineHeight;
  const drop = kind === 'wrong' ? ((i * 7 + seed * 3) % 4) * (fall / 3) : 0;
  return svg`<text class=${`letter is-${kind}`} x=${x.toFixed(1)}
    y=${lettersTop + line + drop} text-anchor="middle">${written}</text>`;
}
