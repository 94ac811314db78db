/** Pointer, wheel and keys on a weight map, as changes of what is in view. */
import { arrows } from './canvas_map.ts';
import { moved, zoomed, type Sight } from './weight_map_sight.ts';

/** Members of the element that gestures use. */
export interface Movable extends HTMLElement {
  readonly sight: Sight;
  readonly length: number;
  /** Moves there at once. */
  go(sight: Sight): void;
  /** Moves there so that the eye can follow. */
  glide(sight: Sight): void;
  /** A point of the window as shares of the map's square; outside of it they leave 0 to 1. */
  share(event: MouseEvent): [number, number];
  /** The same in the small map, if the point is there. */
  overviewShare(event: MouseEvent): [number, number] | undefined;
  point(share: [number, number]): void;
  step(rows: number, columns: number): void;
}

/** Farther than this, in shares of the map, a press is a drag. */
const slack = 0.008;
const wheelLine = 16;

export class Gestures {
  #element: Movable;
  #fingers = new Map<number, [number, number]>();
  #isDragging = false;
  #isInOverview = false;

  constructor(element: Movable, canvas: HTMLCanvasElement) {
    this.#element = element;
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listen: (event: HTMLElementEventMap[Name]) => void,
    ) => canvas.addEventListener(name, listen);
    on('pointerdown', (event) => this.#press(event, canvas));
    on('pointermove', (event) => this.#move(event));
    on('pointerup', (event) => this.#release(event));
    on('pointercancel', (event) => this.#release(event));
    on('dblclick', (event) => this.#zoomAt(event, 2));
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    element.addEventListener('keydown', (event) => this.#key(event));
  }

  #press(event: PointerEvent, canvas: HTMLCanvasElement) {
    if (event.button !== 0) return;
    this.#element.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, this.#element.share(event));
    this.#isDragging = this.#fingers.size > 1;
    this.#isInOverview = this.#element.overviewShare(event) !== undefined;
    this.#jump(event);
  }

  /** In the small map, the middle goes where the pointer is. */
  #jump(event: PointerEvent) {
    const share = this.#isInOverview && this.#element.overviewShare(event);
    if (!share) return;
    const { sight, length } = this.#element;
    const [x, y] = share.map((part) => part * length) as [number, number];
    this.#element.go({ ...sight, x, y });
  }

  #move(event: PointerEvent) {
    const at = this.#element.share(event);
    const before = this.#fingers.get(event.pointerId);
    if (!before) return this.#element.point(at);
    if (this.#isInOverview) return this.#jump(event);
    const [dx, dy] = [before[0] - at[0], before[1] - at[1]];
    if (!this.#isDragging && Math.hypot(dx, dy) < slack) return;
    this.#isDragging = true;
    const others = [...this.#fingers].filter(([id]) => id !== event.pointerId);
    this.#fingers.set(event.pointerId, at);
    const { sight, length } = this.#element;
    if (others.length === 0) return this.#element.go(moved(sight, dx, dy, length));
    // The finger that rests holds its place; the one that moves pulls away from it.
    const held = others[0]![1];
    const distance = ([x, y]: [number, number]) => Math.hypot(x - held[0], y - held[1]);
    const factor = distance(at) / Math.max(1e-3, distance(before));
    this.#element.go(zoomed(sight, factor, held, length));
  }

  #release(event: PointerEvent) {
    const isTap = this.#fingers.has(event.pointerId) && !this.#isDragging && !this.#isInOverview;
    this.#fingers.delete(event.pointerId);
    if (isTap && event.type === 'pointerup') this.#element.point(this.#element.share(event));
    if (this.#fingers.size === 0) this.#isDragging = this.#isInOverview = false;
  }

  #zoomAt(event: MouseEvent, factor: number) {
    if (this.#element.overviewShare(event)) return;
    const { sight, length } = this.#element;
    this.#element.glide(zoomed(sight, factor, this.#element.share(event), length));
  }

  /** With a modifier, as a pinch on a trackpad comes too, or while the map has the focus. */
  #wheel(event: WheelEvent) {
    const isMeant = event.ctrlKey || event.metaKey || this.#element.matches(':focus');
    if (!isMeant) return;
    event.preventDefault();
    const { sight, length } = this.#element;
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : wheelLine);
    // A pinch sends small steps, a notched wheel steps of a hundred.
    const factor = Math.exp(
      -Math.max(-0.5, Math.min(0.5, pixels * (event.ctrlKey ? 0.01 : 0.002))),
    );
    this.#element.go(zoomed(sight, factor, this.#element.share(event), length));
  }

  #key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { sight, length } = this.#element;
    const arrow = arrows[event.key];
    const { key } = event;
    if (arrow && event.shiftKey)
      this.#element.glide(moved(sight, arrow[1] / 2, arrow[0] / 2, length));
    else if (arrow) this.#element.step(...arrow);
    else if (key === '+' || key === '=') this.zoom(2);
    else if (key === '-' || key === '_') this.zoom(1 / 2);
    else if (key === 'Home' || key === '0') this.#element.glide({ ...sight, span: length });
    else if (key === 'Escape') this.#element.blur();
    else return;
    event.preventDefault();
  }

  /** About the middle. */
  zoom(factor: number) {
    const { sight, length } = this.#element;
    this.#element.glide(zoomed(sight, factor, [0.5, 0.5], length));
  }
}
