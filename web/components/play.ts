/**
 * <rw-play>: a button that sends `tick` at a steady pace until it is pressed again, leaves, or the
 * reader asks for less motion.
 */
export interface PlayLabel {
  start: string;
  stop: string;
}

// The build reads figures in Node, where there are no elements.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

const stillness = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

class Play extends Base {
  #button: HTMLButtonElement | undefined;
  #label: PlayLabel = { start: '', stop: '' };
  #timer: ReturnType<typeof setInterval> | undefined;
  #isAutomatic = false;

  /** Milliseconds from tick to tick. */
  pace = 250;

  /** Starts by itself, once, as soon as it is on the page. */
  set autostart(isAutomatic: boolean) {
    const isNew = isAutomatic && !this.#isAutomatic;
    this.#isAutomatic = isAutomatic;
    if (isNew && this.isConnected) this.#start();
  }

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
      if (this.#isAutomatic) this.#start();
    }
    stillness?.addEventListener('change', this.#calm);
    this.#show();
  }

  disconnectedCallback() {
    stillness?.removeEventListener('change', this.#calm);
    this.#stop();
  }

  #calm = () => {
    if (stillness?.matches) this.#stop();
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
    this.#button.textContent = isPlaying ? `\u25a0\u2002${stop}` : `\u25b6\u2002${start}`;
  }
}

/** What nobody sees need not move. */
function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

globalThis.customElements?.define('rw-play', Play);
