/** One rope with its name, its knot, and the letters under it. */
import { nothing, svg, type SVGTemplateResult } from 'lit';
import type { Language } from '../languages.ts';
import { originalLength, ropeLength, type Block, type RopeScheme } from './letters.ts';
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

/** Below this width a name has room for nothing but a short verdict beside it. */
const narrowest = 300;

const headHeight = 20;
const ropeMiddle = headHeight + loose + 4;
const gap = 18;

/** Letters of these scripts are as wide as they are high. */
const isWide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

/** Where the whole rope has no room for its letters, it is cut to a hundred, as the title says. */
const cutLength = 100;

/**
 * Each letter stands under its place of the rope. On a phone the whole rope is drawn, with one line
 * of letters around the first wrong one.
 */
export function layoutOf(width: number, { letters }: Block) {
  const wide = letters.some((letter) => isWide.test(letter));
  const least = { whole: wide ? 11 : 7.6, cut: wide ? 11 : 6.6 };
  const length =
    width >= ropeLength * least.whole ? ropeLength : width >= cutLength * least.cut && cutLength;
  if (length) {
    const cell = width / length;
    const size = Math.min(15, cell * (wide ? 0.98 : 1.62));
    return { length, cell, size, across: cell, columns: length, lettersTop: 94 };
  }
  const columns = Math.floor(width / (wide ? 14.5 : 8.1));
  const cell = width / ropeLength;
  const across = width / columns;
  return { length: ropeLength, cell, size: 13, across, columns, lettersTop: 110 };
}

export type Layout = ReturnType<typeof layoutOf>;

export const rowHeight = ({ lettersTop }: Layout) => lettersTop + gap;

/** Draws the rope at the left edge of its row; the row begins at y 0. */
export function ropeRow(row: RopeRow, layout: Layout, width: number): SVGTemplateResult {
  const { scheme, shown, letters, language, seed } = row;
  const { cell, size, length, columns, lettersTop } = layout;
  const end = Math.min(length, Math.round(shown.end));
  const isBroken = row.firstWrong !== undefined && row.firstWrong <= length;
  const firstWrong = isBroken ? row.firstWrong! : length;
  const isUnder = columns === length;
  const start = windowStart(firstWrong, layout);
  const knot = originalLength * cell;
  const hasAbout = width >= (row.status === undefined ? narrowest : narrow);
  const about = hasAbout ? words[width < narrow ? 'uses' : 'years'][scheme][language] : '';
  const looseness = shown.looseness.slice(0, end);
  const say = words.strings[language];
  const knotEnd = isUnder ? lettersTop + 4 : ropeMiddle + 24;
  return svg`
    <text class="name" y="13">${words.names[scheme][language]}<tspan class="about" dx="9">${about}</tspan></text>
    ${verdict({ ...row, firstWrong: isBroken ? firstWrong : undefined }, layout, width, end)}
    ${rope({ looseness, cell, y: ropeMiddle, seed })}
    <line class="knot-line" x1=${knot} x2=${knot} y1=${headHeight + 2} y2=${knotEnd} />
    ${end < originalLength ? nothing : knotAt(knot)}
    ${isBroken && firstWrong <= end ? markAt((firstWrong - 0.5) * cell) : nothing}
    ${isUnder || letters.length === 0 ? nothing : lens(start, layout, width, say.lens(isBroken))}
    <g .style=${`font-size: ${size}px`}>
      ${letters
        .slice(start, Math.min(end, start + columns))
        .map((letter, i) => letterAt(letter, i, layout))}
    </g>`;
}

const knotAt = (x: number) =>
  svg`<ellipse class="knot" cx=${x} cy=${ropeMiddle} rx="6" ry="9.5" />`;

/** The first of the letters that have room: they stand around the first wrong one. */
function windowStart(firstWrong: number, { length, columns }: Layout): number {
  const before = Math.floor(columns / 2);
  return Math.max(0, Math.min(length - columns, firstWrong - 1 - before));
}

/** From the part of the rope to its letters, where they do not stand under it. */
function lens(start: number, layout: Layout, width: number, label: string) {
  const { cell, columns, lettersTop, size } = layout;
  const [left, right] = [start * cell, (start + columns) * cell];
  const [top, bottom] = [ropeMiddle + loose, lettersTop - size + 1];
  return svg`<path class="lens" d="M0,${bottom}L${left},${top}H${right}L${width},${bottom}" />
    <text class="lens-label" x=${width / 2} y=${bottom - 4} text-anchor="middle">${label}</text>`;
}

/** Where the first wrong letter is, once the rope is laid; or how far a training is. */
function verdict(row: RopeRow, { length }: Layout, width: number, end: number) {
  const { firstWrong, status, language } = row;
  const say = words.strings[language];
  const isWrong = firstWrong !== undefined && status === undefined;
  const laid =
    firstWrong === undefined ? say.right(length) : say.wrong(firstWrong, width < narrowest);
  const text = status ?? (end < length ? '' : laid);
  return svg`<text class=${isWrong ? 'verdict is-wrong' : 'verdict'} x=${width} y="13"
    text-anchor="end" data-first-wrong=${firstWrong ?? ''}>${text}</text>`;
}

/** Marks the first wrong letter on the rope; the verdict begins with the same mark. */
const markAt = (x: number) =>
  svg`<path class="first-wrong" d="M${x.toFixed(1)},${ropeMiddle - loose + 2}l-5,-9h10z" />`;

function letterAt({ written, kind }: Letter, i: number, layout: Layout) {
  const { across, lettersTop } = layout;
  const x = (i + 0.5) * across;
  return svg`<text class=${`letter is-${kind}`} x=${x.toFixed(1)}
    y=${lettersTop} text-anchor="middle">${written}</text>`;
}
