/** A matrix in color: named axes, a legend with numbers, the cell under the pointer. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { horizontalAxis, margins, textWidth, verticalAxis, type Tick } from './axis.ts';
import { css, type ColorScale } from './colors.ts';
import { fixed } from './number.ts';
import './pixels.ts';
import type { Matrix } from './pixels.ts';

export interface Cell {
  row: number;
  column: number;
}

export interface MatrixPlot {
  /** Unique in its figure: names the legend's gradient. */
  id: string;
  width: number;
  /** Height of the cells' area; the axes come on top of it. */
  height: number;
  matrix: Matrix;
  scale: ColorScale;
  columns: { label: string; ticks: readonly Tick[] };
  rows: { label: string; ticks: readonly Tick[] };
  /** A second axis of the columns, above. */
  above?: { label: string; ticks: readonly Tick[] };
  /** Without one there is no scale to read: of a matrix of 0 and 1, say. */
  legend: string | undefined;
  /** What the ends of a signed scale mean, in place of their numbers. */
  ends?: readonly [low: string, high: string];
  label: string;
  cell?: Cell | undefined;
  onCell?(cell: Cell | undefined): void;
  onPick?(cell: Cell): void;
  /** Anything else over the cells. */
  over?(frame: MatrixFrame): SVGTemplateResult;
}

export interface MatrixFrame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Middle of a column and of a row. */
  x(column: number): number;
  y(row: number): number;
}

const widestBar = 150;
const narrowestBar = 80;

export function matrixPlot(plot: MatrixPlot): TemplateResult {
  const { matrix, scale, width } = plot;
  const top = plot.above ? 88 : plot.legend === undefined ? 28 : 52;
  const { left, right } = margins(plot.rows.ticks, [
    ...plot.columns.ticks,
    ...(plot.above?.ticks ?? []),
  ]);
  const frame: MatrixFrame = {
    left,
    top,
    width: width - left - right,
    height: plot.height,
    x: (column) => frame.left + ((column + 0.5) * frame.width) / matrix.columns,
    y: (row) => frame.top + ((row + 0.5) * frame.height) / matrix.rows,
  };
  const bottom = frame.top + frame.height;
  const total = bottom + 44;
  const ends = { start: left, end: left + frame.width, width };
  const down = { ...plot.rows, at: frame.y, start: bottom, end: frame.top };
  const above = plot.above
    ? horizontalAxis({ ...plot.above, at: frame.x, ...ends }, frame.top, 'above')
    : nothing;
  return html`<div class="plot">
    <rw-pixels .box=${frame} .matrix=${matrix} .scale=${scale}></rw-pixels>
    <svg class="map" width=${width} height=${total} viewBox="0 0 ${width} ${total}"
      role="img" aria-label=${plot.label}>
      ${plot.legend === undefined ? nothing : colorBar(plot, plot.legend, frame.left + frame.width)}
      ${above}
      ${horizontalAxis({ ...plot.columns, at: frame.x, ...ends }, bottom)}
      ${verticalAxis(down, frame.left, plot.above ? 60 : 12)}
      ${plot.over?.(frame) ?? nothing}
      ${plot.cell ? cross(plot.cell, plot, frame) : nothing}
      <rect class="pointer"
        x=${frame.left} y=${frame.top} width=${frame.width} height=${frame.height}
        @pointermove=${(event: PointerEvent) => plot.onCell?.(cellUnder(event, matrix))}
        @pointerleave=${() => plot.onCell?.(undefined)}
        @pointerdown=${(event: PointerEvent) => plot.onPick?.(cellUnder(event, matrix))} />
    </svg>
  </div>`;
}

function cellUnder(event: PointerEvent, { rows, columns }: Matrix): Cell {
  const box = (event.currentTarget as SVGElement).getBoundingClientRect();
  const index = (share: number, count: number) =>
    Math.min(count - 1, Math.max(0, Math.floor(share * count)));
  return {
    row: index((event.clientY - box.top) / box.height, rows),
    column: index((event.clientX - box.left) / box.width, columns),
  };
}

/** Two thin bands through the cell, open in the middle. */
function cross(
  { row, column }: Cell,
  { matrix }: MatrixPlot,
  frame: MatrixFrame,
): SVGTemplateResult {
  const cellWidth = frame.width / matrix.columns;
  const cellHeight = frame.height / matrix.rows;
  return svg`<g class="cross" aria-hidden="true">
    <rect x=${frame.left + column * cellWidth} y=${frame.top}
      width=${cellWidth} height=${frame.height} />
    <rect x=${frame.left} y=${frame.top + row * cellHeight}
      width=${frame.width} height=${cellHeight} />
  </g>`;
}

/** Ends at `right`, and is shorter where its name needs the room. */
function colorBar(
  { id, scale, ends }: MatrixPlot,
  legend: string,
  right: number,
): SVGTemplateResult {
  const room = right - 8 - textWidth(legend);
  const width = Math.max(narrowestBar, Math.min(widestBar, room));
  const left = right - width;
  const [low, high] = scale.domain;
  const middle = (low + high) / 2;
  const number = (value: number) => fixed(value, Number.isInteger(value) ? 0 : 2);
  const count = 16;
  const stops = Array.from({ length: count + 1 }, (_, k) => {
    const color = scale.colors[Math.round((k / count) * (scale.colors.length - 1))]!;
    return svg`<stop offset=${k / count} stop-color=${css(color)} />`;
  });
  return svg`<g class="color-bar" aria-hidden="true">
    <linearGradient id="bar-${id}">${stops}</linearGradient>
    <rect x=${left} y="6" width=${width} height="9" fill="url(#bar-${id})" />
    <text x=${left - 8} y="14.5" text-anchor="end">${legend}</text>
    <text x=${left} y="28">${ends?.[0] ?? number(low)}</text>
    <text x=${left + width / 2} y="28" text-anchor="middle">${ends ? '' : number(middle)}</text>
    <text x=${left + width} y="28" text-anchor="end">${ends?.[1] ?? number(high)}</text>
  </g>`;
}
