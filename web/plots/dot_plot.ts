/** Values by name: one row each, with a dot, its range, and further dots to compare it with. */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { horizontalAxis, lines, textWidth } from './axis.ts';
import { linearScale, roundTicks } from './scale.ts';

export interface DotRow {
  name: string;
  /** NaN: no dot. */
  value: number;
  low?: number;
  high?: number;
  look: string;
  /** Other values of the row: a class says how each is drawn. */
  others?: readonly { value: number; look: string; text?: string }[];
  /** The value in digits, right of the drawing. */
  text?: string;
  isMarked?: boolean;
  /** A thin line leads from the dot to the first of the others. */
  isJoined?: boolean;
}

export interface DotPlot {
  width: number;
  rows: readonly DotRow[];
  /** How many of the first rows have a shade behind them. */
  shaded?: number;
  /** What the shaded rows have in common. */
  shadedName?: string;
  x: { domain: readonly [number, number]; label: string };
  /** Names of the dot and of the first of the others, above those of the first row. */
  dotNames?: readonly [string, string];
  /** A value that all are compared with, named at the top. */
  limit?: { at: number; name: string };
  /** What a screen reader says for the drawing. */
  label: string;
}

const rowHeight = 21;
const nameHeight = 14;
/** Between a name and the drawing. */
const nameGap = 14;

export function dotPlot(plot: DotPlot): TemplateResult {
  const { width, rows, shaded = 0, shadedName, dotNames, x, label, limit } = plot;
  const top = 8 + (limit ? 20 : 0) + (dotNames ? 14 : 0);
  const named = rows.map(({ name }) => lines(name, width * 0.65 - nameGap));
  const left = nameGap + Math.max(0, ...named.flat().map(textWidth));
  const texts = rows.map(({ text = '' }) => textWidth(text));
  const right = width - 14 - Math.max(0, ...texts);
  const heights = named.map((name) => rowHeight + Math.max(0, name.length - 1) * nameHeight);
  /** Where rows end. */
  const ends = heights.map((_, i) => heights.slice(0, i + 1).reduce((a, b) => a + b, top));
  const middles = ends.map((end, i) => end - heights[i]! / 2);
  const bottom = ends.at(-1) ?? top;
  const shadeEnd = ends[shaded - 1] ?? top;
  const height = bottom + 44;
  const at = linearScale(x.domain, [left, right]);
  const ticks = roundTicks(x.domain, Math.max(2, (right - left) / 70));
  const axis = { at, ticks, label: x.label, start: left, end: right, width };
  return html`<div class="plot">
    <svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${label}>
      ${shaded > 0 ? svg`<rect class="shade" x="0" y=${top} width=${width} height=${shadeEnd - top} />` : nothing}
      <g class="grid" aria-hidden="true">${ticks.map(
        ({ value }) => svg`<line x1=${at(value)} x2=${at(value)} y1=${top} y2=${bottom} />`,
      )}</g>
      ${horizontalAxis(axis, bottom)}
      ${
        limit
          ? svg`<line class="limit" x1=${at(limit.at)} x2=${at(limit.at)} y1=${top - 8} y2=${bottom} />
              <text class="limit-label" x=${at(limit.at)} y="16" text-anchor="middle">${limit.name}</text>`
          : nothing
      }
      ${rows.map(({ text }, i) =>
        text
          ? svg`<text class="dot-value" x=${width - 3} y=${middles[i]! + 4}
              text-anchor="end">${text}</text>`
          : nothing,
      )}
      ${rows.map((row, i) => drawn({ ...row, nameLines: named[i]! }, middles[i]!, at, left))}
      ${dotNames && rows[0] ? namesAbove(rows[0], dotNames, at, top - 3) : nothing}
      ${
        shaded > 0 && shadedName
          ? svg`<text class="shade-name" x=${right} y=${(top + shadeEnd) / 2 + 4}
              text-anchor="end">${shadedName}</text>`
          : nothing
      }
    </svg>
  </div>`;
}

/** Apart from each other and within the drawing, as near to their dots as may be. */
function namesAbove(
  { value, others = [] }: DotRow,
  names: readonly [string, string],
  at: (value: number) => number,
  y: number,
) {
  const named = [value, others[0]!.value].map((place, k) => ({
    x: at(place),
    text: `${'●○'[k]} ${names[k]}`,
  }));
  const [first, last] = named.toSorted((a, b) => a.x - b.x) as [
    (typeof named)[0],
    (typeof named)[0],
  ];
  const [left, right] = [textWidth(first.text) / 2, textWidth(last.text) / 2];
  const apart = Math.max(last.x - first.x, left + right + 8);
  const start = Math.max(left, (first.x + last.x - apart) / 2);
  const name = (text: string, x: number) =>
    svg`<text class="dot-name" x=${x} y=${y} text-anchor="middle">${text}</text>`;
  return svg`${name(first.text, start)} ${name(last.text, start + apart)}`;
}

function drawn(
  row: DotRow & { nameLines: readonly string[] },
  y: number,
  at: (value: number) => number,
  left: number,
) {
  const { nameLines, value, low = NaN, high = NaN, look, others = [], isMarked, isJoined } = row;
  const [other] = others;
  const dot = (place: number, classes: string, radius: number) =>
    Number.isFinite(place)
      ? svg`<circle class="dot ${classes}" cx=${at(place)} cy=${y} r=${radius} />`
      : nothing;
  return svg`<g>
    ${nameLines.map(
      (line, i) => svg`<text class=${isMarked ? 'row-name is-marked' : 'row-name'} x=${left - 12}
        y=${y + 4 + (i - (nameLines.length - 1) / 2) * nameHeight} text-anchor="end">${line}</text>`,
    )}
    ${
      isJoined && other
        ? svg`<line class="joint" x1=${at(value)} x2=${at(other.value)} y1=${y} y2=${y} />`
        : nothing
    }
    ${
      low < high
        ? svg`<line class="range ${look}" x1=${at(low)} x2=${at(high)} y1=${y} y2=${y} />`
        : nothing
    }
    ${dot(value, look, 4)}
    ${others.map((other) => dot(other.value, other.look, 4))}
    ${others.map(({ value, text }) =>
      text ? svg`<text class="dot-value" x=${at(value) + 10} y=${y + 4}>${text}</text>` : nothing,
    )}
  </g>`;
}
