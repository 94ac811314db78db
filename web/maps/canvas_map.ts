/**
 * What the maps of scores and of weights share: canvases in the tree of their figure, drawn at most
 * once per frame and in its colors, and a place that the reader marks. The event `point` has every
 * place that the pointer, a tap or the arrow keys reach.
 */
import { html, LitElement } from 'lit';

const inkNames = ['query', 'key', 'faint', 'ink'] as const;

export type Inks = Record<(typeof inkNames)[number], string>;

/** Rows down and columns to the right, by arrow key. */
export const arrows: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export abstract class CanvasMap<Place extends object> extends LitElement {
  /** Gets a cross. */
  declare marked: Place | undefined;
  #frame = 0;
  #resized = new ResizeObserver(([entry]) => this.resize(entry!.contentRect.width));

  /** In the figure's own tree, where downloads find the canvas and the figure styles it. */
  protected override createRenderRoot() {
    return this;
  }

  override connectedCallback() {
    super.connectedCallback();
    this.tabIndex = 0;
    this.#resized.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  /** Called with the width of the element when that changes. */
  protected abstract resize(width: number): void;
  protected abstract draw(): void;

  /** Once per frame at most. */
  redraw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.isConnected) this.draw();
    });
  }

  /** To be rendered: what the hues of the palette are read from. */
  protected inkSamples = inkNames.map((name) => html`<i hidden class=${name}></i>`);

  /** Hues of the palette as the colors that they have in this theme. */
  get inks(): Inks {
    const colorOf = (name: string) => getComputedStyle(this.querySelector(`i.${name}`)!).color;
    return Object.fromEntries(inkNames.map((name) => [name, colorOf(name)])) as Inks;
  }

  /** Reports the place unless it is marked already. */
  protected dispatchPoint(place: Place) {
    const entries = Object.entries(place) as [keyof Place, unknown][];
    if (entries.every(([key, value]) => this.marked?.[key] === value)) return;
    this.dispatchEvent(new CustomEvent<Place>('point', { detail: place }));
  }
}

/** The canvas at a size in CSS pixels; a new size costs new memory, so only when it is one. */
export function cleared(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  density = devicePixelRatio,
): CanvasRenderingContext2D {
  const [across, down] = [Math.round(width * density), Math.round(height * density)];
  const context = canvas.getContext('2d')!;
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Draws inside a rectangle of the canvas only. */
export function clipped(
  context: CanvasRenderingContext2D,
  [x, y, right, bottom]: number[],
  draw: () => void,
) {
  context.save();
  context.beginPath();
  context.rect(x!, y!, right! - x!, bottom! - y!);
  context.clip();
  draw();
  context.restore();
}

/** A label that is too long keeps its beginning. */
export function fitted(context: CanvasRenderingContext2D, label: string, longest: number): string {
  if (context.measureText(label).width <= longest) return label;
  const letters = [...label];
  while (letters.length > 1 && context.measureText(`${letters.join('')}…`).width > longest)
    letters.pop();
  return `${letters.join('')}…`;
}

const mostKept = 10_000;

/** Returns a function that computes each key's result once: measuring takes longer than drawing. */
export function remembered<Result>(): (key: string, compute: () => Result) => Result {
  const known = new Map<string, Result>();
  return (key, compute) => {
    if (!known.has(key)) {
      if (known.size >= mostKept) known.clear();
      known.set(key, compute());
    }
    return known.get(key)!;
  };
}
