/**
 * <rw-play>: a button that sends `tick` at a steady pace until it is pressed again, leaves, or
 * nothing may move any more.
 */
import { stillness } from './stillness.ts';

export interface PlayLabel {
  start: string;
  stop: string;
}

// The build reads figures in Node, where there are no elements.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

class Play extends Base {
  #button: HTMLButtonElement | undefined;
  #label: PlayLabel = { start: '', stop: '' };
  #timer: ReturnType<typeof setInterval> | undefined;
  #stillness = stillness();

  /** Milliseconds from tick to tick. */
  pace = 250;

  /** Starts by itself where it first appears on the page, if things may move then; never later. */
  autostart = false;

  set label(label: PlayLabel) {
    this.#label = label;
    this.#show();
  }

  connectedCallback() {
    if (!this.#button) {
      this.#button = document.createElement('button');
      this.#button.type = 'button';
      this.#button.addEventListener('click', () =>
        this.#timer === undefined ? this.#start() : this.#stop(),
      );
      this.append(this.#button);
      if (this.autostart && !this.#stillness.matches) this.#start();
    }
    this.#stillness.addEventListener('change', this.#rest);
    this.#show();
  }

  disconnectedCallback() {
    this.#stillness.removeEventListener('change', this.#rest);
    this.#stop();
  }

  #rest = () => {
    if (this.#stillness.matches) this.#stop();
  };

  #start() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (!document.hidden && isInWindow(this)) this.dispatchEvent(new Event('tick'));
    }, this.pace);
    this.#show();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#show();
  }

  #show() {
    if (!this.#button) return;
    const isPlaying = this.#timer !== undefined;
    const { start, stop } = this.#label;
    this.#button.replaceChildren(
      signOf(isPlaying ? 'pause' : 'play'),
      `\u2002${isPlaying ? stop : start}`,
    );
  }
}

/** Drawn, since not every font has a sign for a pause. */
const signs = { play: 'M1 0L10 5L1 10Z', pause: 'M1 0H4V10H1ZM6.5 0H9.5V10H6.5Z' };

function signOf(name: keyof typeof signs): SVGSVGElement {
  const create = <Name extends 'svg' | 'path'>(tag: Name, attributes: Record<string, string>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const size = { width: '0.7em', height: '0.7em', viewBox: '0 0 10 10' };
  const sign = create('svg', { ...size, 'data-sign': name, 'aria-hidden': 'true' });
  sign.append(create('path', { d: signs[name], fill: 'currentColor' }));
  return sign;
}

/** Whether an element is in view; animations out of view are paused. */
function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

globalThis.customElements?.define('rw-play', Play);
