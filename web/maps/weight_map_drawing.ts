/** What a weight map draws: its pieces, the tokens or positions along its edges, where it is. */
import { whole } from '../plots/number.ts';
import type { Measure, Piece } from './weight_map_pieces.ts';
import type { Region, Square, WeightMapData } from './weight_map_data.ts';
import { clipped, fitted, remembered, type Inks } from './canvas_map.ts';
import { canvasOf, isPainted, type Palette } from './weight_map_colors.ts';
import { edges, type Sight } from './weight_map_sight.ts';

export type FrameInks = Inks & Record<'paper' | 'font', string>;

/** Where on the canvas the cells are, in CSS pixels, and what of the map they show. */
export interface Frame {
  context: CanvasRenderingContext2D;
  left: number;
  top: number;
  side: number;
  sight: Sight;
  map: WeightMapData;
  inks: FrameInks;
  /** Pixels of the canvas per CSS pixel. */
  density: number;
  isMoving: boolean;
}

const x = ({ left, side, sight }: Frame, column: number) =>
  left + ((column - sight.x) / sight.span + 0.5) * side;
const y = ({ top, side, sight }: Frame, row: number) =>
  top + ((row - sight.y) / sight.span + 0.5) * side;

export function regionOf({ sight, map }: Frame, level: number): Region {
  const rows = edges(sight.y, sight.span, map.length);
  return { level, rows, columns: edges(sight.x, sight.span, map.length) };
}

/** As long as coloring may hold one frame up, in milliseconds. */
const patience = 3;

/** Draws what is there; true if some pieces wait for the next frame to be colored. */
export function drawPieces(frame: Frame, region: Region, palette: Palette, measure: Measure) {
  const { context, left, top, side } = frame;
  const start = performance.now();
  let isWaiting = false;
  clipped(context, [left, top, left + side, top + side], () => {
    for (const piece of frame.map.pieces(region)) {
      if (!isPainted(piece, palette, measure) && performance.now() - start > patience)
        isWaiting = true;
      else drawPiece(frame, piece, region, canvasOf(piece, palette, measure));
    }
  });
  return isWaiting;
}

/** Colors one more piece of those that stay, before it is wanted; false if none is left. */
export function paintAhead(map: WeightMapData, palette: Palette, measure: Measure): boolean {
  const next = map.kept().find((piece) => !isPainted(piece, palette, measure));
  if (next) canvasOf(next, palette, measure);
  return next !== undefined;
}

/** Draws the texels of a piece that are in view: pixels outside the canvas would take time too. */
function drawPiece(frame: Frame, piece: Piece, region: Region, picture: HTMLCanvasElement) {
  const { level, row, column, width, height } = piece;
  const [firstX, endX] = overlap(region.columns, column, width, level);
  const [firstY, endY] = overlap(region.rows, row, height, level);
  if (endX <= firstX || endY <= firstY) return;
  const { context } = frame;
  const pixelsPerTexel = (frame.side / frame.sight.span) * 2 ** level;
  context.imageSmoothingEnabled = !frame.isMoving && (level > 0 || pixelsPerTexel < 2);
  const device = (at: number) => Math.round(at * frame.density) / frame.density;
  // Whole pixels, so that neighbors leave no seam.
  const [left, right] = [firstX, endX].map((at) => device(x(frame, column + (at << level))));
  const [top, bottom] = [firstY, endY].map((at) => device(y(frame, row + (at << level))));
  context.drawImage(
    picture,
    firstX,
    firstY,
    endX - firstX,
    endY - firstY,
    left!,
    top!,
    right! - left!,
    bottom! - top!,
  );
}

/** The texels of a piece that touch the cells in view. */
function overlap([first, last]: [number, number], at: number, count: number, level: number) {
  const from = Math.max(0, (first - at) >> level);
  return [from, Math.min(count, ((last - at) >> level) + 1)] as const;
}

/** From this size of a cell on, its row and its column are named by their tokens. */
const leastLabeled = 13;

type Diagonal = 'own' | 'copy';

/** Names both diagonals where text is repeated, as long as all of the map is in view. */
export function drawDiagonals(frame: Frame, names: Record<Diagonal | 'copyShort', string>) {
  const { copyAt, length } = frame.map;
  if (copyAt === undefined || frame.sight.span < length) return;
  const closeUps = closeUpsOf(frame);
  closeUps.forEach((closeUp) => frameCloseUp(frame, closeUp, names[closeUp.of]));
  if (closeUps.length > 0) return;
  nameDiagonal(frame, [names.copy, names.copyShort], copyAt);
  nameDiagonal(frame, [names.own], 0);
}

export interface CloseUp {
  of: Diagonal;
  frame: Frame;
  region: Region;
}

/** Cells on a side of a close-up, and the least pixels of a cell. */
const [closeUpCells, leastCloseUp] = [24, 4];
const closeUpGap = 28;

/**
 * Close-ups of a token itself and of its copy, for the same queries, in the corner that the mask
 * leaves blank; none where all is not in view or there is no such corner.
 */
export function closeUpsOf(frame: Frame): CloseUp[] {
  const { left, top, side, sight, map } = frame;
  const { copyAt, length, sees } = map;
  const cell = Math.floor((0.25 * side) / closeUpCells);
  if (copyAt === undefined || sight.span < length || cell < leastCloseUp) return [];
  if (!sees.causal || sees.window <= copyAt) return [];
  const size = cell * closeUpCells;
  const row = Math.floor((length + copyAt) / 2);
  return (['copy', 'own'] as const).map((of, fromLeft) => {
    const closeUp = {
      ...frame,
      left: left + side - 8 - size - (1 - fromLeft) * (size + closeUpGap),
      top: top + 34,
      side: size,
      sight: { x: of === 'copy' ? row - copyAt : row, y: row, span: closeUpCells },
    };
    return { of, frame: closeUp, region: regionOf(closeUp, 0) };
  });
}

/** Its name, and a line to its place on the map. */
function frameCloseUp(frame: Frame, { frame: { left, top, side, sight } }: CloseUp, name: string) {
  const { context, inks } = frame;
  const place = [x(frame, sight.x), y(frame, sight.y)] as const;
  context.save();
  for (const [width, ink] of [
    [4, inks.paper],
    [1, inks.ink],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = ink;
    context.beginPath();
    context.moveTo(left + side / 2, top + side);
    context.lineTo(...place);
    context.stroke();
    context.strokeRect(place[0] - 4, place[1] - 4, 8, 8);
  }
  context.strokeRect(left - 0.5, top - 0.5, side + 1, side + 1);
  context.font = `600 13px ${inks.font}`;
  context.textAlign = 'center';
  context.fillStyle = inks.key;
  context.fillText(name, left + side / 2, top - 8);
  context.restore();
}

/** Along the diagonal of keys that are `back` before their queries, above it: a name that fits. */
function nameDiagonal(frame: Frame, names: readonly string[], back: number) {
  const { context, side, inks, map } = frame;
  const { length } = map;
  context.save();
  context.font = `12px ${inks.font}`;
  const row = (length + back) / 2;
  const diagonal = ((length - back) / length) * side * Math.SQRT2;
  const name = names.find((each) => context.measureText(each).width < diagonal);
  if (name) {
    context.translate(x(frame, row - back), y(frame, row));
    context.rotate(Math.PI / 4);
    context.textAlign = 'center';
    context.textBaseline = 'bottom';
    context.lineWidth = 4;
    context.lineJoin = 'round';
    context.strokeStyle = inks.paper;
    context.strokeText(name, 0, -6);
    context.fillStyle = inks.key;
    context.fillText(name, 0, -6);
  }
  context.restore();
}

export function drawEdges(frame: Frame, marked: Square | undefined) {
  const { context, left, top, side, inks, sight, map } = frame;
  const isLabeled = side / sight.span >= leastLabeled;
  const right = left + side;
  context.strokeStyle = inks.faint;
  context.lineWidth = 1;
  context.strokeRect(left - 0.5, top - 0.5, side + 1, side + 1);
  context.textBaseline = 'middle';
  const label = (at: number) => (isLabeled ? map.tokens[at]! : whole(at));
  const isMarked = (at: number, from?: number) => marked && at >= from! && at < from! + marked.side;
  const write = (at: number, from: number | undefined, room: number, x: number, y: number) => {
    const isBold = isMarked(at, from) ?? false;
    if (isBold) context.font = `700 12px ${inks.font}`;
    const text = label(at);
    const fit = fits(`${isBold} ${room} ${text}`, () => fitted(context, text, room));
    context.fillText(fit, x, y);
    if (isBold) context.font = `12px ${inks.font}`;
  };
  context.font = `12px ${inks.font}`;
  context.textAlign = 'right';
  context.fillStyle = inks.query;
  clipped(context, [0, top - 6, left, top + side + 6], () => {
    for (const row of ticks(regionOf(frame, 0).rows, frame, isLabeled)) {
      write(row, marked?.row, left - 8, left - 6, y(frame, row + 0.5));
    }
  });
  context.fillStyle = inks.key;
  clipped(context, [left - 6, 0, right + 6, top], () => {
    for (const column of ticks(regionOf(frame, 0).columns, frame, isLabeled)) {
      context.save();
      context.translate(x(frame, column + 0.5), top - 6);
      if (isLabeled) context.rotate(-Math.PI / 2);
      context.textAlign = isLabeled ? 'left' : alignmentAt(frame, column);
      write(column, marked?.column, top - 8, 0, isLabeled ? 0 : -4);
      context.restore();
    }
  });
}

/** Labels as they fit: the same few words come again in every frame. */
const fits = remembered<string>();

/** Numbers at the ends of the axis stay above it. */
function alignmentAt(frame: Frame, column: number): CanvasTextAlign {
  const share = (x(frame, column) - frame.left) / frame.side;
  return share < 0.04 ? 'left' : share > 0.96 ? 'right' : 'center';
}

/** Every token, or round positions some 70 pixels apart. */
function ticks([first, last]: [number, number], { side, sight }: Frame, isLabeled: boolean) {
  const wanted = isLabeled ? 1 : (70 * sight.span) / side;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((times) => times * decade).find((size) => size >= wanted - 1e-9)!;
  const found: number[] = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) found.push(at);
  return found;
}

/** A hair cross that leaves its own square open. */
export function drawMark(frame: Frame, { row, column, side: cells }: Square) {
  const { context, left, top, side, inks } = frame;
  const size = (cells * side) / frame.sight.span;
  const [atX, atY] = [x(frame, column), y(frame, row)];
  clipped(context, [left, top, left + side, top + side], () => {
    context.lineWidth = 1;
    context.strokeStyle = inks.query;
    context.strokeRect(left - 2, atY - 0.5, side + 4, size + 1);
    context.strokeStyle = inks.key;
    context.strokeRect(atX - 0.5, top - 2, size + 1, side + 4);
    context.lineWidth = 2;
    context.strokeStyle = inks.ink;
    context.strokeRect(atX - 1, atY - 1, size + 2, size + 2);
  });
}

/** The whole map in the corner, and what of it is in view. */
export function drawOverview(frame: Frame, palette: Palette, measure: Measure) {
  const { context, inks, map, sight } = frame;
  const box = overviewBox(frame);
  if (!box) return;
  const { left, top, side } = box;
  const scale = side / map.length;
  context.fillStyle = inks.paper;
  context.fillRect(left - 4, top, side + 4, side + 4);
  context.imageSmoothingEnabled = true;
  for (const piece of map.overview()) {
    if (!isPainted(piece, palette, measure)) continue;
    const cells = 2 ** piece.level;
    const picture = canvasOf(piece, palette, measure);
    const height = piece.height * cells * scale;
    context.drawImage(picture, left, top + piece.row * scale, side, height);
  }
  context.lineWidth = 1;
  context.strokeStyle = inks.faint;
  context.strokeRect(left - 0.5, top + 0.5, side, side);
  const across = Math.max(4, sight.span * scale);
  const from = (at: number, start: number) =>
    Math.min(start + side - across, Math.max(start, start + at * scale - across / 2));
  context.lineWidth = 2;
  context.strokeStyle = inks.ink;
  context.strokeRect(from(sight.x, left), from(sight.y, top), across, across);
}

/** Where the small map is; nowhere while all is in view anyway. */
export function overviewBox({ left, top, side, sight, map }: Frame) {
  if (sight.span > 0.8 * map.length) return undefined;
  const small = Math.round(Math.min(112, 0.24 * side));
  return { left: left + side - small, top, side: small };
}
