/**
 * <rw-pixels>: a matrix as a canvas of one pixel per cell, stretched to its box by the browser.
 * A cell that is -Infinity or NaN (masked, undefined) stays transparent.
 */
import { colorOf, type ColorScale } from './colors.ts';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Matrix {
  values: ArrayLike<number>;
  rows: number;
  columns: number;
}

// The build reads figures in Node, where there are no elements.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

export class Pixels extends Base {
  #canvas: HTMLCanvasElement | undefined;
  #matrix: Matrix | undefined;
  #scale: ColorScale | undefined;
  #isWaiting = false;

  /** Its place in its positioned parent, in CSS pixels. */
  set box({ left, top, width, height }: Box) {
    Object.assign(this.style, {
      position: 'absolute',
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  set matrix(matrix: Matrix) {
    if (matrix.values === this.#matrix?.values && matrix.columns === this.#matrix.columns) return;
    this.#matrix = matrix;
    this.#redraw();
  }

  set scale(scale: ColorScale) {
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.#redraw();
  }

  /** Draws once after all properties of an update are set. */
  #redraw() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.#matrix && this.#scale) this.#draw(this.#matrix, this.#scale);
    });
  }

  #draw({ values, rows, columns }: Matrix, scale: ColorScale) {
    const canvas = (this.#canvas ??= this.#addCanvas());
    canvas.width = Math.max(1, columns);
    canvas.height = Math.max(1, rows);
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(canvas.width, canvas.height);
    for (let i = 0; i < rows * columns; i++) {
      const value = values[i]!;
      if (Number.isNaN(value) || value === -Infinity) continue;
      const color = colorOf(scale, value);
      for (let part = 0; part < 3; part++) image.data[4 * i + part] = color[part]!;
      image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }

  #addCanvas(): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    Object.assign(canvas.style, {
      width: '100%',
      height: '100%',
      display: 'block',
      imageRendering: 'pixelated',
    });
    canvas.setAttribute('aria-hidden', 'true');
    this.append(canvas);
    return canvas;
  }
}

globalThis.customElements?.define('rw-pixels', Pixels);
