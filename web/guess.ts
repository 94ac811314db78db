/**
 * `<ropewalk-guess>`: a question to settle before looking at a figure. Its content is complete
 * without scripts: the question, a list of choices, and the solution in a <details>. The script
 * makes the choices buttons. Once one is pressed it opens the solution, sets the figure that shows
 * it (`figure`, with settings as JSON in `set`), and remembers which it was.
 */
import type { RopewalkFigure } from './figures/ropewalk_figure.ts';

const words = {
  en: { right: 'Right.', wrong: 'Not so: see the solution.' },
  zh: { right: '对了。', wrong: '不对，请看解答。' },
};

export class Guess extends HTMLElement {
  #choices: HTMLButtonElement[] = [];

  connectedCallback() {
    if (this.#choices.length > 0) return;
    this.#choices = Array.from(this.querySelectorAll('li'), (item, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...item.childNodes);
      button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => {
        this.#show(index);
        this.querySelector('details')!.open = true;
        this.#showFigure();
        this.#remember(index);
      });
      item.append(button);
      return button;
    });
    // The solution stays closed: a page that grows above a link's target would move it.
    const before = this.#remembered();
    if (before !== undefined) this.#show(before);
  }

  #show(chosen: number) {
    this.#choices.forEach((button, index) =>
      button.setAttribute('aria-pressed', String(index === chosen)),
    );
    const { right, wrong } = words[this.closest(':lang(zh)') ? 'zh' : 'en'];
    const isRight = this.#choices[chosen]!.parentElement!.hasAttribute('data-right');
    this.querySelector('[role=status]')!.textContent = isRight ? right : wrong;
  }

  /** Settings that a figure refuses are a fault of the page, and are seen in the console. */
  #showFigure() {
    const figure = document.getElementById(this.getAttribute('figure') ?? '');
    if (figure) void (figure as RopewalkFigure).set(JSON.parse(this.getAttribute('set')!));
  }

  get #key() {
    return `ropewalk-guess.${this.getAttribute('name')}`;
  }

  #remember(chosen: number) {
    try {
      localStorage.setItem(this.#key, String(chosen));
    } catch {
      // Storage is blocked: the guess lasts as long as the page.
    }
  }

  #remembered(): number | undefined {
    try {
      const stored = localStorage.getItem(this.#key);
      return stored !== null && this.#choices[Number(stored)] ? Number(stored) : undefined;
    } catch {
      return undefined;
    }
  }
}

customElements.define('ropewalk-guess', Guess);
