import { test } from 'node:test';
import { numberOf } from './numbers.mjs';
import { visits } from './visits.mjs';

/** Within a describe: a test on a fresh page with these settings; nothing may have gone wrong on it. */
export function labTests(browserName) {
  const visit = visits(browserName);
  return (what, { path = '', ...settings }, work) =>
    test(what, async () => {
      const words = Object.entries(settings).map(([key, word]) => [`attention-lab.${key}`, word]);
      await visit.open(`${path}?${new URLSearchParams(words)}`);
      const lab = new Lab(visit.tab);
      await lab.ready();
      await work(lab);
      await visit.page.assertNoComplaint();
    });
}

/** The lab of one page, by what a reader sees and touches. */
class Lab {
  constructor(tab) {
    this.tab = tab;
  }

  /** Waits for its first drawing. */
  async ready() {
    await this.tab.evaluate(() => {
      globalThis.figure = document.querySelector('ropewalk-figure[name="attention-lab"]');
      globalThis.inside = (selector) => [...(figure.shadowRoot?.querySelectorAll(selector) ?? [])];
    });
    // The figures above it grow when they load and push it down again: keep it in sight until it draws.
    await this.tab.waitForFunction(() => {
      if (figure.hasAttribute('drawn') && inside('.lab-tokens li').length > 0) return true;
      figure.scrollIntoView();
      return false;
    });
  }

  /** Does something and waits for the drawing that answers it. */
  async drawnAfter(act, ...args) {
    await this.tab.evaluate(() => {
      globalThis.drawn = new Promise((done) =>
        figure.addEventListener('draw', done, { once: true }),
      );
    });
    await this.tab.evaluate(act, ...args);
    await this.tab.evaluate(async () => {
      await drawn;
      await figure.updateComplete;
    });
  }

  choose(control, value) {
    return this.drawnAfter(
      (name, wanted) => {
        const [menu] = inside(`select#${name}`);
        if (!menu) {
          inside(`input[name="${name}"], input#${name}`)
            .find(({ value, type }) => type === 'checkbox' || value === wanted)
            .click();
          return;
        }
        menu.value = wanted;
        menu.dispatchEvent(new Event('change', { bubbles: true }));
      },
      control,
      value,
    );
  }

  press(selector) {
    return this.drawnAfter((button) => inside(button)[0].click(), selector);
  }

  /** Puts a text into the field at once, as pasting does. */
  paste(text) {
    return this.drawnAfter((pasted) => {
      const [field] = inside('textarea');
      field.value = pasted;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, text);
  }

  /** Types it key by key and waits until its last token is on show. */
  async type(text, tokens) {
    const field = await this.tab.evaluateHandle(() => inside('textarea')[0]);
    await this.tab.evaluate((textarea) => textarea.select(), field);
    await field.type(text);
    await this.tab.waitForFunction(
      (expected) =>
        inside('.lab-tokens bdi')
          .map(({ textContent }) => textContent)
          .join(' ') === expected,
      {},
      tokens.join(' '),
    );
  }

  texts(selector) {
    return this.tab.evaluate(
      (wanted) => inside(wanted).map(({ textContent }) => textContent.trim()),
      selector,
    );
  }

  /** A number as it is printed: a true minus, and powers of ten in superscript. */
  async number(name) {
    const [text] = await this.texts(`[data-number="${name}"]`);
    return text === undefined ? undefined : numberOf(text);
  }

  /** The rows of the value table, as it stands on screen. */
  async table() {
    await this.tab.evaluate(async () => {
      const [button] = inside('.actions button');
      if (button.getAttribute('aria-expanded') === 'false') button.click();
      await figure.updateComplete;
    });
    return this.tab.evaluate(() =>
      inside('.table tbody tr').map((row) => [...row.cells].map(({ textContent }) => textContent)),
    );
  }
}
