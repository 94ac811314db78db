/** Lines over a common x: named axes, a legend, and a cursor that gives every line's value. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale';
import { area, line } from 'd3-shape';
import { bisector } from 'd3-array';
import { horizontalAxis, margins, nameBeside, verticalAxis, textWidth, type Tick } from './axis.ts';
import { fixed, powerOfTen, rounded } from './number.ts';

export type Point = readonly [x: number, y: number];

interface SeriesStyle {
  /** Empty: not in the legend. */
  name: string;
  /** Classes of the stroke: a hue, or of 'plain', 'faint', 'dashed', 'strong'. */
  look: string;
  /**
   * Where the name stands on the line, above it by default. Where it has no room it is in the
   * legend, as other names are.
   */
  named?: { x: number; side?: 'above' | 'below' };
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
  /** Anything else in the frame's coordinates, below the lines. */
  below?(frame: Frame): SVGTemplateResult;
  /** Something else lists the names. Default: a legend has those that are beside no line. */
  hasOwnLegend?: true;
  /** What `below` writes, where no name of a line may stand. */
  written?(frame: Frame): readonly Box[];
}

/** In pixels. */
type Box = readonly [left: number, top: number, right: number, bottom: number];

/** The box of a text that starts or ends at x. */
export function boxOf(text: string, x: number, y: number, anchor: 'start' | 'end' = 'start'): Box {
  const left = anchor === 'end' ? x - textWidth(text) : x;
  return [left, y - 12, left + textWidth(text), y + 4];
}

/** Positions in pixels of values. */
export interface Frame {
  x(value: number): number;
  y(value: number): number;
  left: number;
  right: number;
  top: number;
  bottom: number;
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
  const rows = ticksOf(chart.y, y, 5);
  const columns = ticksOf(chart.x, scaleOf(chart.x, [0, width]), width / 90);
  const { left, right } = margins(rows, columns);
  const x = scaleOf(chart.x, [left, width - right]);
  const frame = {
    x,
    y,
    left,
    right: width - right,
    top: margin.top,
    bottom: height - margin.bottom,
  };
  const names = namesOnLines(chart, frame);
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
      ${chart.below?.(frame) ?? nothing}
      ${chart.series.map((series) => bandOf(series, frame))}
      ${chart.series.map((series) => drawn(series, frame))}
      ${names.map(
        (at, k) =>
          at &&
          svg`<text class="line-name ${chart.series[k]!.look}" x=${at.x} y=${at.y}
            text-anchor="middle">${chart.series[k]!.name}</text>`,
      )}
      ${pointing(chart, frame)}
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

type Scale = ScaleContinuousNumeric<number, number>;

const scaleOf = ({ domain, scale }: ChartAxis, range: [number, number]): Scale =>
  scale === 'log' ? scaleLog(domain, range) : scaleLinear(domain, range);

function ticksOf(axis: ChartAxis, places: Scale, room: number): Tick[] {
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
    return places
      .ticks()
      .filter(isTick)
      .map((value) => ({ value, text: text(value) }));
  }
  const format = places.tickFormat(count);
  return places
    .ticks(count)
    .map((value) => ({ value, text: format(value).replace('-', '\u2212') }));
}

function grid({ left, right, y }: Frame, values: number[]): SVGTemplateResult {
  return svg`<g class="grid" aria-hidden="true">${values.map(
    (value) =>
      svg`<line class=${value === 0 ? 'zero' : ''}
        x1=${left} x2=${right} y1=${y(value)} y2=${y(value)} />`,
  )}</g>`;
}

function bandOf({ band, look }: Series, { x, y }: Frame) {
  if (!band) return nothing;
  const path = area<Range>(
    ([at]) => x(at),
    ([, low]) => y(low),
    ([, , high]) => y(high),
  ).defined(([, low, high]) => Number.isFinite(low + high));
  return svg`<path class="band ${look}" d=${path(band) ?? ''} />`;
}

function drawn({ points, look, dots }: Series, { x, y }: Frame): SVGTemplateResult {
  if (dots) {
    const dot = ([at, value]: Point) => svg`<circle cx=${x(at)} cy=${y(value)} r="2.4" />`;
    return svg`<g class="dots ${look}">${points.map(dot)}</g>`;
  }
  const path = line<Point>(
    ([at]) => x(at),
    ([, value]) => y(value),
  ).defined(([, value]) => Number.isFinite(value));
  return svg`<path class="line ${look}" d=${path(points) ?? ''} />`;
}

/** Narrower drawings have a legend below. */
const leastNamed = 440;

/** Where the names of lines stand; undefined where one is in the legend. */
function namesOnLines({ series, written }: Layout, frame: Frame) {
  const taken = [...(written?.(frame) ?? [])];
  return series.map((each) => {
    const at = frame.right - frame.left < leastNamed ? undefined : besideLine(each, frame);
    if (!at) return undefined;
    const box = boxOf(each.name, at.x - textWidth(each.name) / 2, at.y);
    const isFree = box[3] < frame.bottom && !taken.some((other) => touch(box, other));
    if (isFree) taken.push(box);
    return isFree ? at : undefined;
  });
}

const touch = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** On the side to which the line does not lead, and within the frame. */
function besideLine({ name, points, named }: Series, { x, y, left, right, top }: Frame) {
  const at = named ? byX(points, named.x) : -1;
  const point = points[at];
  if (!named || !name || !point) return undefined;
  const isAbove = named.side !== 'below' && y(point[1]) > top + 16;
  const [from, to] = [points[at - 1] ?? point, points[at + 1] ?? point];
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

/** The cursor, and the area of the pointer, which moves it by `onCursor` or else by itself. */
const pointing = directive(
  class extends AsyncDirective {
    #at: number | undefined;

    render(chart: Layout, frame: Frame): SVGTemplateResult {
      const { onCursor, onPick, series } = chart;
      const isOwn = !onCursor && series.some(hasReadout);
      const point = (at: number | undefined) => {
        if (!isOwn) return onCursor?.(at);
        this.#at = at;
        this.setValue(this.render(chart, frame));
      };
      const shown = isOwn ? { ...chart, cursor: this.#at ?? chart.cursor } : chart;
      return svg`${cursor(shown, frame)}
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

/** A vertical line, a ring on every line with a value there, and its value at the first ring. */
function cursor(
  { cursor: at, series, digits = 3 }: Layout,
  frame: Frame,
): SVGTemplateResult | typeof nothing {
  if (at === undefined) return nothing;
  const hits = series
    .filter(hasReadout)
    .map(({ look, points }) => ({ look, point: points[byX(points, at)]! }))
    .filter(({ point }) => Number.isFinite(point[1]));
  const [first] = hits;
  const place = frame.x(first ? first.point[0] : at);
  const isLeft = place > (frame.left + frame.right) / 2;
  const ring = first ? frame.y(first.point[1]) : frame.top;
  const above = ring - 9;
  return svg`<g class="cursor" aria-hidden="true">
    <line x1=${place} x2=${place} y1=${frame.top} y2=${frame.bottom} />
    ${hits.map(
      ({ look, point }) =>
        svg`<circle class=${look} cx=${frame.x(point[0])} cy=${frame.y(point[1])} r="4" />`,
    )}
    <text x=${place + (isLeft ? -9 : 9)} y=${above - 12 < frame.top ? ring + 20 : above}
      text-anchor=${isLeft ? 'end' : 'start'}>${first ? fixed(first.point[1], digits) : ''}</text>
  </g>`;
}

/** Begins where the drawing above it does, after its left margin. */
export function legend(
  series: readonly Omit<SeriesStyle, 'band'>[],
  left: number,
): TemplateResult | typeof nothing {
  const listed = series.filter(({ name }) => name);
  if (listed.length === 0) return nothing;
  return html`<ul class="legend" .style=${`--start: ${left}px`}>
    ${listed.map(
      ({ name, look, dots }) => html`<li>
          <svg width="26" height="10" aria-hidden="true">
            ${
              dots
                ? svg`<g class="dots ${look}"><circle cx="13" cy="5" r="2.6" /></g>`
                : svg`<line class="line ${look}" x1="1" x2="25" y1="5" y2="5" />`
            }
          </svg>
          ${name}
        </li>`,
    )}
  </ul>`;
}

/** A limit at an x, with its name at a height; for `below`. */
export const limitAtX = (frame: Frame, at: number, name: string, nameY: number) => {
  const x = frame.x(at);
  return svg`<line class="limit" x1=${x} x2=${x} y1=${frame.top} y2=${frame.bottom} />
    ${nameBeside(name, { x, y: nameY }, frame)}`;
};

/** A limit at a y, with its name above or below the line; for `below`. */
export const limitAtY = (frame: Frame, at: number, name: string, side: 'above' | 'below') => {
  const y = frame.y(at);
  const nameY = side === 'above' ? y - 6 : y + 15;
  return svg`<line class="limit" x1=${frame.left} x2=${frame.right} y1=${y} y2=${y} />
    <text class="limit-label" x=${frame.left + 6} y=${nameY}>${name}</text>`;
};
