/** Lines over a common x: named axes, a legend, and a cursor that gives every line's value. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { bisector } from 'd3-array';
import { horizontalAxis, margins, verticalAxis, textWidth, type Tick } from './axis.ts';
import { fixed, powerOfTen, rounded } from './number.ts';
import { boxOf, placeValues, touch, type Anchor, type Box } from './readings.ts';
import {
  bandPath,
  decadeTicks,
  linearScale,
  linePath,
  logScale,
  roundTicks,
  type Scale,
} from './scale.ts';

export type Point = readonly [x: number, y: number];

export interface NamePlace {
  x: number;
  side?: 'above' | 'below';
}

interface SeriesStyle {
  /** Empty: not in the legend. */
  name: string;
  /** Classes of the stroke: a hue, or of 'plain', 'faint', 'dashed', 'strong'. */
  look: string;
  /**
   * Where the name stands on the line, above it by default; of several places, at the one that is
   * farthest from the other lines. Where it has no room it is in the legend, as other names are.
   */
  named?: NamePlace | readonly NamePlace[];
  /** Dots instead of a line. */
  dots?: boolean;
  /** An area behind the line, such as the spread of several runs. */
  band?: readonly Range[];
}

export interface Series extends SeriesStyle {
  points: readonly Point[];
}

/** A line through values at the x of the chart. */
export interface ValueSeries extends SeriesStyle {
  values: ArrayLike<number>;
}

export type Range = readonly [x: number, low: number, high: number];

export interface ChartAxis {
  domain: readonly [low: number, high: number];
  label: string;
  /** 'log': equal ratios are equal distances; above 0 only. */
  scale?: 'log';
  /** Counts of something: nothing is written between whole numbers. */
  whole?: boolean;
  /** The numbers to write, in place of round ones. */
  ticks?: readonly number[];
}

/** The x of `values` in a chart's series: 0, 1, 2, … or these; by default the axis spans them. */
export type ChartX =
  | (ChartAxis & { values?: ArrayLike<number> })
  | (Omit<ChartAxis, 'domain'> & { domain?: undefined; values: ArrayLike<number> });

export interface LineChart {
  width: number;
  /** In pixels, or a share of the width within limits. */
  height: number | { share: number; min: number; max: number };
  x: ChartX;
  y: ChartAxis;
  series: readonly (Series | ValueSeries)[];
  /** What a screen reader says for the drawing. */
  label: string;
  /**
   * Position of the cursor; `onCursor` is called when the pointer moves it. Without `onCursor` the
   * cursor is at the pointer, or else here.
   */
  cursor?: number | undefined;
  onCursor?(x: number | undefined): void;
  /** The pointer went down there. */
  onPick?(x: number): void;
  /** Digits of the values beside the cursor. */
  digits?: number;
  /** Pixels above the highest y of the domain, for names that no line may cross. Default 0. */
  headroom?: number;
  /** Anything else in the frame's coordinates, below the lines; names by `nameIn`. */
  below?(frame: Frame): SVGTemplateResult;
  /** Something else lists the names. Default: a legend has those that are beside no line. */
  hasOwnLegend?: true;
}

/** Positions in pixels of values. */
export interface Frame {
  x(value: number): number;
  y(value: number): number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Where names stand. */
  names: Box[];
}

const margin = { top: 30, bottom: 44 };

/** What the parts of a drawing use: a chart whose heights, domains and points are all given. */
interface Layout extends LineChart {
  height: number;
  x: ChartAxis;
  series: readonly Series[];
}

function layoutOf(chart: LineChart): Layout {
  const { width, height, x, series } = chart;
  const { values } = x;
  const domain = x.domain ?? [x.values[0]!, x.values[x.values.length - 1]!];
  const fitted = (share: number, min: number, max: number) =>
    Math.round(Math.min(max, Math.max(min, width * share)));
  return {
    ...chart,
    height: typeof height === 'number' ? height : fitted(height.share, height.min, height.max),
    x: { ...x, domain },
    series: series.map((each): Series => {
      if ('points' in each) return each;
      const points = Array.from(each.values, (value, k): Point => [values ? values[k]! : k, value]);
      return { ...each, points };
    }),
  };
}

export function lineChart(given: LineChart): TemplateResult {
  const chart = layoutOf(given);
  const { width, height } = chart;
  const y = scaleOf(chart.y, [height - margin.bottom, margin.top + (chart.headroom ?? 0)]);
  const rows = ticksOf(chart.y, 5);
  const columns = ticksOf(chart.x, width / 90);
  const { left, right } = margins(rows, columns);
  const x = scaleOf(chart.x, [left, width - right]);
  const frame: Frame = {
    x,
    y,
    left,
    right: width - right,
    top: margin.top,
    bottom: height - margin.bottom,
    names: [],
  };
  const below = chart.below?.(frame) ?? nothing;
  const names = namesOnLines(chart, frame);
  const drawing = svg`${below}
    ${chart.series.map((series) => bandOf(series, frame))}
    ${chart.series.map((series) => drawn(series, frame))}
    ${names.map(
      (at, k) =>
        at &&
        svg`<text class="line-name ${chart.series[k]!.look}" x=${at.x} y=${at.y}
          text-anchor="middle">${chart.series[k]!.name}</text>`,
    )}`;
  return html`<div class="plot">
    <svg class="chart" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
      role="img" aria-label=${chart.label}>
      ${grid(
        frame,
        rows.map(({ value }) => value),
      )}
      ${horizontalAxis(
        {
          at: x,
          ticks: columns,
          label: chart.x.label,
          start: frame.left,
          end: frame.right,
          width,
        },
        frame.bottom,
      )}
      ${verticalAxis(
        { at: y, ticks: rows, label: chart.y.label, start: frame.bottom, end: frame.top },
        frame.left,
      )}
      ${pointing(chart, frame, drawing)}
    </svg>
    ${
      chart.series.length > 1 && !chart.hasOwnLegend
        ? legend(
            chart.series.filter((_, k) => !names[k]),
            left,
          )
        : nothing
    }
  </div>`;
}

const scaleOf = ({ domain, scale }: ChartAxis, range: [number, number]): Scale =>
  scale === 'log' ? logScale(domain, range) : linearScale(domain, range);

function ticksOf(axis: ChartAxis, room: number): Tick[] {
  const { domain, scale, whole, ticks } = axis;
  if (ticks) return ticks.map((value) => ({ value, text: rounded(value, 4) }));
  const count = whole ? Math.min(room, domain[1] - domain[0]) : room;
  if (scale === 'log') {
    const [low, high] = domain.map(Math.log10) as [number, number];
    const step = Math.max(1, Math.ceil((high - low) / Math.max(2, count + 2)));
    // One or two powers of ten say too little of what lies between.
    const isShort = Math.floor(high) - Math.ceil(low) < 2;
    const isTick = (value: number) =>
      isShort
        ? [1, 2, 5].includes(Number(value.toExponential(0)[0]))
        : Math.abs(Math.log10(value) % step) < 1e-9;
    const text = (value: number) =>
      isShort || (value >= 1e-3 && value < 1e4)
        ? rounded(value, 1)
        : powerOfTen(Math.round(Math.log10(value)));
    return decadeTicks(domain)
      .filter(isTick)
      .map((value) => ({ value, text: text(value) }));
  }
  return roundTicks(domain, count);
}

function grid({ left, right, y }: Frame, values: number[]): SVGTemplateResult {
  return svg`<g class="grid" aria-hidden="true">${values.map(
    (value) =>
      svg`<line class=${value === 0 ? 'zero' : ''}
        x1=${left} x2=${right} y1=${y(value)} y2=${y(value)} />`,
  )}</g>`;
}

/** The area between two lines, closed where they cross each other. */
export function bandBetween(
  x: readonly number[],
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): Range[] {
  return x.flatMap((at, k): Range[] => {
    const here: Range = [at, Math.min(a[k]!, b[k]!), Math.max(a[k]!, b[k]!)];
    const [from, to] = [a[k]! - b[k]!, a[k + 1]! - b[k + 1]!];
    if (!(from * to < 0)) return [here];
    const share = from / (from - to);
    const height = a[k]! + share * (a[k + 1]! - a[k]!);
    return [here, [at + share * (x[k + 1]! - at), height, height]];
  });
}

function bandOf({ band, look }: Series, { x, y }: Frame) {
  if (!band) return nothing;
  const path = bandPath(band.map(([at, low, high]) => [x(at), y(low), y(high)]));
  return svg`<path class="band ${look}" d=${path} />`;
}

function drawn({ points, look, dots }: Series, { x, y }: Frame): SVGTemplateResult {
  if (dots) {
    const dot = ([at, value]: Point) => svg`<circle cx=${x(at)} cy=${y(value)} r="2.4" />`;
    return svg`<g class="dots ${look}">${points.map(dot)}</g>`;
  }
  const path = linePath(points.map(([at, value]) => [x(at), y(value)]));
  return svg`<path class="line ${look}" d=${path} />`;
}

/** Narrower drawings have a legend below. */
const leastNamed = 440;

/** Where the names of lines stand; undefined where one is in the legend. */
function namesOnLines({ series }: Layout, frame: Frame) {
  const { names } = frame;
  const lines = series
    .filter(hasReadout)
    .map((one) => ({ of: one, heightAt: heightsOf(one, frame) }));
  return series.map((each) => {
    if (frame.right - frame.left < leastNamed) return undefined;
    const places = [each.named ?? []].flat().flatMap((named) => {
      const at = besideLine(each, named, frame);
      const box = at && boxOf(each.name, at.x, at.y, 'middle');
      const isFree = box && box[3] < frame.bottom && !names.some((other) => touch(box, other));
      return isFree ? [{ at, box }] : [];
    });
    if (places.length === 0) return undefined;
    const others = lines.filter(({ of }) => of !== each).map(({ heightAt }) => heightAt);
    const room = ({ box }: { box: Box }) => roomAround(box, others);
    const best = places.reduce((a, b) => (room(b) > room(a) ? b : a));
    names.push(best.box);
    return best.at;
  });
}

/** Of a box the distance in pixels from the lines above and below it; 0 where one crosses it. */
function roomAround([left, top, right, bottom]: Box, lines: readonly ((at: number) => number)[]) {
  const samples = [0, 0.25, 0.5, 0.75, 1].map((share) => left + share * (right - left));
  const heights = lines.flatMap((heightAt) => samples.map(heightAt)).filter(Number.isFinite);
  return Math.min(Infinity, ...heights.map((y) => Math.max(0, top - y, y - bottom)));
}

/** On the side to which the line does not lead, and within the frame. */
function besideLine({ name, points }: Series, named: NamePlace, { x, y, left, right, top }: Frame) {
  const at = byX(points, named.x);
  const point = points[at];
  if (!name || !point) return undefined;
  const isAbove = named.side !== 'below' && y(point[1]) > top + 16;
  const neighbor = (step: number) => {
    const next = points[at + step];
    return next && Number.isFinite(next[1]) ? next : point;
  };
  const [from, to] = [neighbor(-1), neighbor(1)];
  const rise = (y(from[1]) - y(to[1])) / Math.max(1, x(to[0]) - x(from[0]));
  const shift = Math.abs(rise) < 0.06 ? 0 : rise > 0 === isAbove ? -1 : 1;
  const half = textWidth(name) / 2;
  const middle = x(point[0]) + shift * half;
  return {
    x: Math.max(left + 6 + half, Math.min(right - half, middle)),
    y: y(point[1]) + (isAbove ? -7 : 18),
  };
}

function valueUnder(event: PointerEvent, { x }: Layout, frame: Frame): number {
  const box = (event.currentTarget as SVGElement).getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const value = scaleOf(x, [0, 1]).invert(share);
  return frame.right > frame.left
    ? Math.min(x.domain[1], Math.max(x.domain[0], value))
    : x.domain[0];
}

/**
 * The drawing, the cursor behind and before it, and the area of the pointer, which moves the cursor
 * by `onCursor` or else by itself.
 */
const pointing = directive(
  class extends AsyncDirective {
    #at: number | undefined;

    render(chart: Layout, frame: Frame, drawing: SVGTemplateResult): SVGTemplateResult {
      const { onCursor, onPick, series } = chart;
      const isOwn = !onCursor && series.some(hasReadout);
      const point = (at: number | undefined) => {
        if (!isOwn) return onCursor?.(at);
        this.#at = at;
        this.setValue(this.render(chart, frame, drawing));
      };
      const { line, values } = cursor(
        chart,
        isOwn ? (this.#at ?? chart.cursor) : chart.cursor,
        frame,
      );
      return svg`${line} ${drawing} ${values}
        <rect class="pointer" x=${frame.left} y=${frame.top}
          width=${Math.max(0, frame.right - frame.left)}
          height=${frame.bottom - frame.top}
          @pointermove=${(event: PointerEvent) => point(valueUnder(event, chart, frame))}
          @pointerleave=${() => point(undefined)}
          @pointerdown=${(event: PointerEvent) => onPick?.(valueUnder(event, chart, frame))} />`;
    }
  },
);

const hasReadout = ({ points, dots }: Series) => points.length > 0 && !dots;

const byX = bisector<Point, number>(([x]) => x).center;

/**
 * A vertical line, which no name is crossed by, and before the drawing a ring on every line that
 * has a value there, and the values that have room, in the colors of their lines.
 */
function cursor({ series, digits = 3 }: Layout, at: number | undefined, frame: Frame) {
  if (at === undefined) return { line: nothing, values: nothing };
  const hits = series
    .filter(hasReadout)
    .map(({ look, points }) => ({ look, point: points[byX(points, at)]! }))
    .filter(({ point }) => Number.isFinite(point[1]))
    .map(({ look, point: [x, y] }) => ({
      look,
      x: frame.x(x),
      y: frame.y(y),
      text: fixed(y, digits),
    }));
  const x = hits[0]?.x ?? frame.x(at);
  const lines = series.filter(hasReadout).map((each) => heightsOf(each, frame));
  const places = placeValues(hits, { frame, lines, names: frame.names });
  return {
    line: svg`<g class="cursor" aria-hidden="true">${upright(frame, x)}</g>`,
    values: svg`<g class="cursor" aria-hidden="true">
      ${hits.map(({ look, x, y }) => svg`<circle class=${look} cx=${x} cy=${y} r="4" />`)}
      ${hits.map(({ look, text }, k) => {
        const place = places[k];
        return place
          ? svg`<text class=${look} x=${place.x} y=${place.y} text-anchor=${place.anchor}>${text}</text>`
          : nothing;
      })}
    </g>`,
  };
}

/** Of a line the height in pixels at an x in pixels; NaN beside it. */
function heightsOf({ points }: Series, { x, y }: Frame): (at: number) => number {
  const { left: after } = bisector<Point, number>((point) => x(point[0]));
  return (at) => {
    const k = after(points, at);
    const [from, to] = [points[k - 1], points[k]];
    if (!from || !to) return NaN;
    const share = (at - x(from[0])) / (x(to[0]) - x(from[0]));
    return y(from[1]) + share * (y(to[1]) - y(from[1]));
  };
}

/** Begins where the drawing above it does, after its left margin. */
export function legend(
  series: readonly (SeriesStyle & { points?: readonly Point[] })[],
  left: number,
): TemplateResult | typeof nothing {
  const listed = series.filter(({ name }) => name);
  if (listed.length === 0) return nothing;
  return html`<ul class="legend" .style=${`--start: ${left}px`}>
    ${listed.map(
      ({ name, look, dots, band, points }) => html`<li>
          <svg width="26" height="10" aria-hidden="true">
            ${
              dots
                ? svg`<g class="dots ${look}"><circle cx="13" cy="5" r="2.6" /></g>`
                : band && !points?.length
                  ? svg`<rect class="band ${look}" x="1" width="24" height="10" />`
                  : svg`<line class="line ${look}" x1="1" x2="25" y1="5" y2="5" />`
            }
          </svg>
          ${name}
        </li>`,
    )}
  </ul>`;
}

/** A name in the frame, for `below`; no name of a line or value stands on it. */
export function nameIn(
  frame: Frame,
  name: string,
  { x, y, anchor = 'start' }: Record<'x' | 'y', number> & { anchor?: Anchor },
  look = 'limit-label',
): SVGTemplateResult {
  if (name) frame.names.push(boxOf(name, x, y, anchor));
  return svg`<text class=${look} x=${x} y=${y} text-anchor=${anchor}>${name}</text>`;
}

/**
 * The name of an upright line at x: right of it, or left of it where it would leave the frame and
 * has more room there.
 */
export function nameBeside(frame: Frame, name: string, x: number, y: number): SVGTemplateResult {
  const { left, right } = frame;
  const isLeft = x + 6 + textWidth(name) > right && x - left > right - x;
  return isLeft
    ? nameIn(frame, name, { x: Math.max(x - 6, left + textWidth(name)), y, anchor: 'end' })
    : nameIn(frame, name, { x: x + 6, y });
}

/** A limit at an x, with its name at a height; for `below`. */
export const limitAtX = (frame: Frame, at: number, name: string, nameY: number) => {
  const x = frame.x(at);
  const beside = nameBeside(frame, name, x, nameY);
  return svg`${upright(frame, x, 'limit')} ${beside}`;
};

/** A line from top to bottom, interrupted where a name stands in its way. */
function upright({ names, top, bottom }: Frame, x: number, look = ''): SVGTemplateResult {
  const crossed = names.filter(([left, , right]) => left < x && x < right);
  const ends = crossed.sort((a, b) => a[1] - b[1]).flatMap((box) => [box[1], box[3]]);
  const heights = [top, ...ends.map((y) => Math.min(bottom, Math.max(top, y))), bottom];
  return svg`${heights.flatMap((from, k) =>
    k % 2 === 0 && from < heights[k + 1]!
      ? [svg`<line class=${look} x1=${x} x2=${x} y1=${from} y2=${heights[k + 1]} />`]
      : [],
  )}`;
}

/** A limit at a y, with its name above or below the line; for `below`. */
export const limitAtY = (frame: Frame, at: number, name = '', side = 'above') => {
  const y = frame.y(at);
  return svg`<line class="limit" x1=${frame.left} x2=${frame.right} y1=${y} y2=${y} />
    ${nameIn(frame, name, { x: frame.left + 6, y: side === 'above' ? y - 6 : y + 15 })}`;
};
