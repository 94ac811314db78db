/**
 * Colors of attention weights on a logarithmic scale. With thousands of keys most weights are so
 * small that a linear scale would leave the map blank. The upper 16 bits of a float32 determine its
 * logarithm to within 0.01. So a table with one color for each value of these bits colors a tile
 * without computing a logarithm.
 */
import { colorOf, magnitudeScale, type ColorScale, type Theme } from '../plots/colors.ts';
import type { Measure, Piece } from './weight_map_pieces.ts';

/** The ends of the scale, as powers of ten. Weights below 10^lowestDecade have the color of 0. */
export const lowestDecade = -5;
export const highestDecade = 0;

export interface Palette {
  scale: ColorScale;
  /** RGBA by the upper 16 bits of a float32; transparent for NaN. */
  pixels: Uint32Array;
}

const palettes = new Map<Theme, Palette>();

export function paletteOf(theme: Theme): Palette {
  const cached = palettes.get(theme);
  if (cached) return cached;
  const scale = magnitudeScale(theme, highestDecade, lowestDecade);
  const pixels = new Uint32Array(1 << 16);
  const value = new Float32Array(1);
  const bits = new Uint32Array(value.buffer);
  const bytes = new Uint8Array(pixels.buffer);
  for (let upper = 0; upper <= 0x3f80; upper++) {
    bits[0] = (upper << 16) | 0x8000;
    bytes.set([...colorOf(scale, Math.log10(value[0]!)), 255], 4 * upper);
  }
  const palette = { scale, pixels };
  palettes.set(theme, palette);
  return palette;
}

interface PaintedCanvas {
  palette: Palette;
  measure: Measure;
  canvas: HTMLCanvasElement;
}

const paintedCanvases = new WeakMap<Piece, PaintedCanvas>();

export function isPainted(piece: Piece, palette: Palette, measure: Measure): boolean {
  const painted = paintedCanvases.get(piece);
  return painted?.palette === palette && painted.measure === measure;
}

/** Returns a canvas with one pixel per texel of the piece. It is painted once and then cached. */
export function canvasOf(piece: Piece, palette: Palette, measure: Measure): HTMLCanvasElement {
  const canvas = paintedCanvases.get(piece)?.canvas ?? document.createElement('canvas');
  if (isPainted(piece, palette, measure)) return canvas;
  const { width, height } = piece;
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const values = piece[measure];
  const halfWords = new Uint16Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let i = 0; i < pixels.length; i++) pixels[i] = palette.pixels[halfWords[2 * i + 1]!]!;
  context.putImageData(image, 0, 0);
  paintedCanvases.set(piece, { palette, measure, canvas });
  return canvas;
}
