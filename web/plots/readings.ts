/**
 * Where the values of a reading mark stand: each at the ring of its line, on the side that lines
 * leave free, nearer to its ring than to another, and never on a name or another value.
 */
import { textWidth } from './axis.ts';

/** Of a text, in pixels; as wide as the text may be in any font. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

export type Anchor = 'start' | 'middle' | 'end';

/** The box of a text by its anchor at x, and its baseline. */
export function boxOf(text: string, x: number, y: number, anchor: Anchor = 'start'): Box {
  const width = textWidth(text);
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  return [left, y - 12, left + width, y + 4];
}

/** Around each text is an outline of 2 pixels. */
const apart = 4;

export const touch = (a: Box, b: Box) =>
  a[0] < b[2] + apart && b[0] < a[2] + apart && a[1] < b[3] + apart && b[1] < a[3] + apart;

interface Ring {
  x: number;
  y: number;
  /** The value in digits. */
  text: string;
}

interface Place {
  x: number;
  y: number;
  anchor: Anchor;
}

interface Surroundings {
  /** Within which the values stay. */
  frame: Record<'left' | 'right' | 'top' | 'bottom', number>;
  /** Of each line the height at an x; NaN where it has none. */
  lines: readonly ((x: number) => number)[];
  /** The boxes of names. */
  names: readonly Box[];
}

/** Baselines beside the ring, above it, below it, and at its height. */
const rises = [-9, 16, 5];
/** And right over it or under it, where the mark is behind the value. */
const centered = [-10, 20];
/** Of the points along a value at which lines are looked for. */
const samples = 12;
/** Which share of a value lines may cross; the one value of a drawing stands in any case. */
const mostCrossed = 0.35;

/** Returns one place for each ring, or undefined where its value has none. */
export function placeValues(
  rings: readonly Ring[],
  { frame, lines, names }: Surroundings,
): (Place | undefined)[] {
  const taken = [...names];
  const isAlone = rings.length === 1;
  return rings.map((ring) => {
    // Of rings that lie on each other the first counts, and the last one that has its value.
    const together = rings.filter(({ y }) => Math.abs(y - ring.y) < 4);
    if (ring !== together.findLast(({ text }) => text === together[0]!.text)) return undefined;
    const anchors =
      ring.x > (frame.left + frame.right) / 2
        ? (['end', 'start'] as const)
        : (['start', 'end'] as const);
    const isOwn = ({ y }: Place) =>
      rings.every((other) => Math.abs(other.y - (y - 4)) >= Math.abs(ring.y - (y - 4)));
    const [best] = [
      ...rises.flatMap((rise) => anchors.map((anchor) => placeAt(ring, rise, anchor))),
      ...centered.map((rise) => placeAt(ring, rise, 'middle')),
    ]
      .map((place) => ({ place, box: boxOf(ring.text, place.x, place.y, place.anchor) }))
      .filter(
        ({ place, box }) =>
          isWithin(box, frame) && isOwn(place) && !taken.some((other) => touch(box, other)),
      )
      .map(({ place, box }) => {
        // A line that leads to a number at its height looks like a minus sign.
        const weight = place.y > ring.y && place.y < ring.y + 10 ? 4 : 1;
        return { place, box, crossed: weight * crossedBy(box, lines) };
      })
      .sort((a, b) => a.crossed - b.crossed);
    if (!best || (best.crossed > mostCrossed && !isAlone)) return undefined;
    taken.push(best.box);
    return best.place;
  });
}

function placeAt({ x, y }: Ring, rise: number, anchor: Anchor): Place {
  return { x: x + { start: 9, middle: 0, end: -9 }[anchor], y: y + rise, anchor };
}

const isWithin = (box: Box, { left, right, top, bottom }: Surroundings['frame']) =>
  box[0] >= left && box[2] <= right && box[1] >= top - 6 && box[3] <= bottom;

/** The share of a box, from left to right, in which a line is. */
function crossedBy([left, top, right, bottom]: Box, lines: Surroundings['lines']): number {
  const places = Array.from(
    { length: samples },
    (_, k) => left + ((k + 0.5) * (right - left)) / samples,
  );
  const isCrossed = (x: number) =>
    lines.some((heightAt) => {
      const y = heightAt(x);
      return y > top && y < bottom;
    });
  return places.filter(isCrossed).length / samples;
}
