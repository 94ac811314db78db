/** Work that ends with the drawing that shows it. */
import { noChange } from 'lit';
import { AsyncDirective, directive } from 'lit/async-directive.js';

/** Calls the function when the drawing leaves the page. */
export const whenGone = directive(
  class extends AsyncDirective {
    #leave = () => {};

    render(leave: () => void) {
      this.#leave = leave;
      return noChange;
    }

    override disconnected() {
      this.#leave();
    }
  },
);
