/** Where a figure stands: when it comes near the window, and how wide it is. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What this controller uses of a figure's element. */
export interface Seen extends ReactiveControllerHost, Element {
  /** In whole CSS pixels. */
  width: number;
  load(): Promise<void>;
}

export class Sight implements ReactiveController {
  #element: Seen;
  #near = new IntersectionObserver(
    (entries) => {
      // A busy page gets several at once, of before and after a jump.
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.#near.disconnect();
      void this.#element.load();
    },
    { rootMargin: '800px' },
  );
  #size = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry!.contentRect.width);
    // Hidden for a while, a figure keeps its drawing: a browser that takes a picture of the whole
    // page makes the window one pixel wide for a moment. The box of a fitted figure is not its
    // column (fit.ts).
    if (width > 0 && !this.#element.hasAttribute('fit')) this.#element.width = width;
  });

  constructor(element: Seen) {
    this.#element = element;
    element.addController(this);
  }

  hostConnected() {
    this.#near.observe(this.#element);
    this.#size.observe(this.#element);
  }

  hostDisconnected() {
    this.#near.disconnect();
    this.#size.disconnect();
  }
}
