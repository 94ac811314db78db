/**
 * The colours of weights, by their logarithm: over thousands of keys most weights are so small that
 * a linear scale would leave the page blank. The upper half of a float32 is its logarithm to within
 * a hundredth, so a table by these 16 bits colours a tile without computing one.
 */
import { colorOf, magnitudeScale, type ColorScale, type Theme } from '../plots/colors.ts';
import type { Measure, Piece } from './weight_map_pieces.ts';

/** Decades: everything below has the colour of nothing, 1 is all attention of a query. */
export const lowest = -5;
export const highest = 0;

export interface Palette {
  scale: ColorScale;
  /** Pixels by the upper half of a float; transparent for NaN. */
  pixels: Uint32Array;
}

const palettes = new Map<Theme, Palette>();

export function paletteOf(theme: Theme): Palette {
  const known = palettes.get(theme);
  if (known) return known;
  const scale = magnitudeScale(theme, highest, lowest);
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

interface Painted {
  palette: Palette;
  measure: Measure;
  canvas: HTMLCanvasElement;
}

const paintings = new WeakMap<Piece, Painted>();

export function isPainted(piece: Piece, palette: Palette, measure: Measure): boolean {
  const painted = paintings.get(piece);
  return painted?.palette === palette && painted.measure === measure;
}

/** A piece as a picture of one pixel per texel; painted once. */
export function painting(piece: Piece, palette: Palette, measure: Measure): HTMLCanvasElement {
  const canvas = paintings.get(piece)?.canvas ?? document.createElement('canvas');
  if (isPainted(piece, palette, measure)) return canvas;
  const { width, height } = piece;
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const values = piece[measure];
  const halves = new Uint16Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let i = 0; i < pixels.length; i++) pixels[i] = palette.pixels[halves[2 * i + 1]!]!;
  context.putImageData(image, 0, 0);
  paintings.set(piece, { palette, measure, canvas });
  return canvas;
}
