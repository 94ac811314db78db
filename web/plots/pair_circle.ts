/** The unit circle of a dimension pair: vectors as arrows, angles as sectors, arcs or spirals. */
import { svg, type SVGTemplateResult } from 'lit';

/** To the right and up, as shares of the radius. */
export interface Vector {
  x: number;
  y: number;
}

/**
 * Where the angle 0 is. From the right, angles grow counterclockwise: (cos, sin). From the top they
 * grow clockwise: (sin, cos).
 */
export type Origin = 'right' | 'top';

const vectorAt = (angle: number, origin: Origin): Vector => {
  const [along, across] = [Math.cos(angle), Math.sin(angle)];
  return origin === 'right' ? { x: along, y: across } : { x: across, y: along };
};

/** From one vector to another, counterclockwise, in (-pi, pi]. */
export function angleBetween(from: Vector, to: Vector): number {
  return Math.atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
}

/** A circle in a square of `size` pixels, `margin` away from its sides. */
export function pairCircle(size: number, margin: number, origin: Origin = 'right') {
  const middle = size / 2;
  const radius = middle - margin;
  const at = ({ x, y }: Vector, share = 1) => ({
    x: middle + share * radius * x,
    y: middle - share * radius * y,
  });
  const angleOf = ({ x, y }: Vector) => (origin === 'right' ? Math.atan2(y, x) : Math.atan2(x, y));
  /** 'x,y' of the point at an angle. */
  const point = (angle: number, share: number) => {
    const { x, y } = at(vectorAt(angle, origin), share);
    return `${x.toFixed(2)},${y.toFixed(2)}`;
  };
  /** The end of a path that goes along the circle by an angle of less than a full rotation. */
  const along = (from: number, angle: number, share: number) => {
    const isLong = Math.abs(angle) > Math.PI ? 1 : 0;
    const isClockwise = angle > 0 === (origin === 'top') ? 1 : 0;
    const reach = share * radius;
    return `A${reach},${reach},0,${isLong},${isClockwise},${point(from + angle, share)}`;
  };
  const line = (vector: Vector, look: string) => {
    const { x, y } = at(vector);
    return svg`<line class="vector ${look}" x1=${middle} y1=${middle} x2=${x} y2=${y} />`;
  };
  return {
    middle,
    radius,
    /** The pixel of a vector's end. */
    at,
    /** Returns the vector of length 1 at an angle. */
    vectorAt: (angle: number) => vectorAt(angle, origin),
    outline: (look = ''): SVGTemplateResult =>
      svg`<circle class="outline ${look}" cx=${middle} cy=${middle} r=${radius} />`,
    /** Marks the angle 0 at the top. */
    tick: (length = 5): SVGTemplateResult =>
      svg`<line class="tick" x1=${middle} x2=${middle} y1=${middle - radius}
        y2=${middle - radius + length} />`,
    line,
    arrow(vector: Vector, look: string): SVGTemplateResult {
      const { x, y } = at(vector);
      return svg`${line(vector, look)} <circle class="tip ${look}" cx=${x} cy=${y} r="3.4" />`;
    },
    /** The sector that begins at a vector, up to a share of the radius. */
    sector(from: Vector, angle: number, share: number, look: string): SVGTemplateResult {
      const start = angleOf(from);
      return svg`<path class=${look}
        d="M${middle},${middle}L${point(start, share)}${along(start, angle, share)}Z" />`;
    },
    arc(from: number, to: number, share: number, look: string): SVGTemplateResult {
      return svg`<path class=${look} d="M${point(from, share)}${along(from, to - from, share)}" />`;
    },
    /** From a vector inwards by an angle, of which at most three full rotations are drawn. */
    spiral(from: Vector, angle: number, share: number, look: string): SVGTemplateResult {
      const most = 6 * Math.PI;
      const start = angleOf(from);
      const shown = Math.sign(angle) * Math.min(Math.abs(angle), most);
      const count = Math.max(2, Math.ceil(Math.abs(shown) * 12));
      const points = Array.from({ length: count + 1 }, (_, k) => {
        const part = (shown * k) / count;
        return point(start + part, share * (1 - (0.5 * Math.abs(part)) / most));
      });
      return svg`<polyline class=${look} points=${points.join(' ')} />`;
    },
  };
}
