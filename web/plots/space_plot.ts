/** A curve inside the cube [-1, 1]^3, seen from any side: near parts cross over far ones. */
import { svg, type SVGTemplateResult } from 'lit';
import { textWidth, within } from './axis.ts';
import { colorOf, css, type ColorScale } from './colors.ts';

/** In degrees: rotated about the upright axis, then tilted toward the viewer. */
export interface Eye {
  turn: number;
  tilt: number;
}

type Place = readonly [x: number, y: number, z: number];

export interface SpacePlot {
  size: number;
  eye: Eye;
  /** [points, 3] */
  curve: Float32Array;
  /** The number of a point that its color stands for, and the scale of these numbers. */
  value(point: number): number;
  scale: ColorScale;
  axes: readonly [string, string, string];
  /** Rings around points of the curve, each with a line to its word, below the cube. */
  marks: readonly { at: Place; text: string }[];
}

const pieceLimit = 160;

/** Where along the curve arrows say which way it runs, in sixths; and their length in points. */
const arrowPlaces = [1, 3, 5];
const arrowLength = 4;

/** Room below the square of the cube for the words of marks. */
export const markRoom = 24;

export function spacePlot(plot: SpacePlot): SVGTemplateResult {
  const { size, curve, axes, marks } = plot;
  const seen = view(plot);
  const at = (point: number): Place => [
    curve[3 * point]!,
    curve[3 * point + 1]!,
    curve[3 * point + 2]!,
  ];
  const count = curve.length / 3;
  const length = Math.max(1, Math.ceil((count - 1) / pieceLimit));
  const pieces = Array.from({ length: Math.ceil((count - 1) / length) }, (_, k) => {
    const first = k * length;
    const last = Math.min(count - 1, first + length);
    const places = Array.from({ length: last - first + 1 }, (_, j) => seen(at(first + j)));
    const path = `M${places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`;
    const color = css(colorOf(plot.scale, plot.value((first + last) / 2)));
    return { path, color, depth: seen(at(first)).depth };
  }).sort((a, b) => b.depth - a.depth);
  const named: [Place, string][] = [
    [[1.28, -1, -1], axes[0]],
    [[-1, 1.28, -1], axes[1]],
    [[-1, -1, 1.28], axes[2]],
  ];
  return svg`<g aria-hidden="true">
    ${edges.map(([from, to]) => {
      const [a, b] = [seen(from), seen(to)];
      return svg`<line class="cube" x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} />`;
    })}
    ${named.map(([place, name]) => {
      const { x, y } = seen(place);
      const axis = arrow(
        seen([-1, -1, -1]),
        seen(place.map((at) => (at > 1 ? 1.08 : at)) as never),
      );
      const height = Math.min(size - 4, Math.max(14, y + 4));
      return svg`<path class="cube axis" d=${axis} />
        <text class="axis-label" x=${within(x, name, size)} y=${height}
          text-anchor="middle">${name}</text>`;
    })}
    ${pieces.map(
      ({ path, color }) => svg`<path class="halo" d=${path} />
        <path class="thread" d=${path} stroke=${color} />`,
    )}
    ${arrowPlaces.map((place) => {
      const point = Math.round((place * (count - 1)) / 6);
      const d = arrow(seen(at(Math.max(0, point - arrowLength))), seen(at(point)));
      return svg`<path class="heading" d=${d} />`;
    })}
    ${markings(
      marks.map(({ at: place, text }) => ({ ...seen(place), text })),
      size,
    )}
  </g>`;
}

/** A line to the point of an arrow; of an axis that leads away from the eye, no more than a dot. */
function arrow(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const length = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const barb = (side: number) => `${to.x - 6 * x - side * 3 * y},${to.y - 6 * y + side * 3 * x}`;
  return `M${from.x},${from.y}L${to.x},${to.y}M${barb(1)}L${to.x},${to.y}L${barb(-1)}`;
}

/** Words from left to right as their rings are, so that no line crosses another. */
function markings(marks: readonly { x: number; y: number; text: string }[], size: number) {
  const share = size / marks.length;
  return [...marks]
    .sort((a, b) => a.x - b.x)
    .map(({ x, y, text }, k) => {
      const half = Math.min(share, textWidth(text)) / 2;
      const middle = Math.min((k + 1) * share - half, Math.max(k * share + half, x));
      return svg`<line class="leader" x1=${x} y1=${y + 6} x2=${middle} y2=${size + 6} />
        <circle class="meeting" cx=${x} cy=${y} r="6" />
        <text class="axis-label mark" x=${middle} y=${size + markRoom - 4}
          text-anchor="middle">${text}</text>`;
    });
}

function view({ size, eye }: SpacePlot) {
  const [turn, tilt] = [(eye.turn * Math.PI) / 180, (eye.tilt * Math.PI) / 180];
  const scale = size / 3.9;
  return ([x, y, z]: Place) => {
    const across = x * Math.cos(turn) - y * Math.sin(turn);
    const away = x * Math.sin(turn) + y * Math.cos(turn);
    return {
      x: size / 2 + scale * across,
      y: size / 2 - scale * (z * Math.cos(tilt) + away * Math.sin(tilt)),
      depth: away * Math.cos(tilt) - z * Math.sin(tilt),
    };
  };
}

/** The cube's twelve edges: pairs of corners that differ in one coordinate. */
const corners = Array.from({ length: 8 }, (_, k): Place => [
  k & 1 ? 1 : -1,
  k & 2 ? 1 : -1,
  k & 4 ? 1 : -1,
]);
const edges = corners.flatMap((corner, k) =>
  [1, 2, 4].filter((bit) => !(k & bit)).map((bit): [Place, Place] => [corner, corners[k | bit]!]),
);
