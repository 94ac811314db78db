import assert from 'node:assert/strict';
import { labReference } from '../../support/lab_reference.mjs';
import { largestDifference } from '../../support/reference.mjs';
import { numberOf } from './numbers.mjs';
import { Figure } from './page.mjs';

/**
 * The lab, drawn, alone on its own address, which was opened with these settings of it.
 * @param visit see visits.mjs
 * @param {{ path?: string, [setting: string]: string | undefined }} [settings] `path` is the folder of
 *   the language
 */
export async function openLab(visit, { path = '', ...settings } = {}) {
  await visit.alone('attention-lab', settings, path);
  const lab = new Lab(visit.tab);
  await lab.ready();
  return lab;
}

/** The lab of one page, by what a reader sees and touches. */
class Lab {
  constructor(tab) {
    this.tab = tab;
    this.figure = new Figure(tab, 'attention-lab');
  }

  /** Waits for its first drawing. */
  async ready() {
    await this.tab.evaluate(() => {
      globalThis.figure = document.querySelector('ropewalk-figure[name="attention-lab"]');
      globalThis.inside = (selector) => [...(figure.shadowRoot?.querySelectorAll(selector) ?? [])];
    });
    // The figures above it grow when they load and push it down again: keep it in sight until it draws.
    await this.figure.until(
      `(element.hasAttribute('drawn') && inside('.lab-tokens li').length > 0) ||
        (element.scrollIntoView({ behavior: 'instant' }), false)`,
    );
  }

  /** Does something and waits for the drawing that follows. */
  drawnAfter(act, ...args) {
    return this.figure.drawnAfter(() => this.tab.evaluate(act, ...args));
  }

  /** Chooses an option by its value, a switch by true or false; changes nothing that is so already. */
  async choose(control, value) {
    const part = await this.tab.evaluateHandle(
      (name, wanted) =>
        /** @type {HTMLInputElement[]} */ (
          inside(`select#${name}, input#${name}[type="checkbox"], input[name="${name}"]`)
        ).find((one) => one.type !== 'radio' || one.value === wanted),
      control,
      value,
    );
    const isSo = (one, wanted) =>
      one.localName === 'select'
        ? one.value === wanted
        : one.checked === (one.type === 'radio' || wanted);
    if (await part.evaluate(isSo, value)) return;
    await this.figure.drawnAfter(() =>
      part.evaluate((one, wanted) => {
        if (one.localName !== 'select') return one.click();
        one.value = wanted;
        one.dispatchEvent(new Event('change', { bubbles: true }));
      }, value),
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

  /** Types it key by key and waits until its last token is shown. */
  async type(text, tokens) {
    const field = await this.tab.evaluateHandle(() => inside('textarea')[0]);
    await this.tab.evaluate((textarea) => {
      textarea.closest('details').open = true;
      textarea.select();
    }, field);
    await field.type(text);
    const shown = `inside('.lab-tokens bdi').map(({ textContent }) => textContent).join(' ')`;
    await this.figure.until(
      `element.hasAttribute('drawn') && ${shown} === ${JSON.stringify(tokens.join(' '))}`,
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
      /** @type {HTMLTableRowElement[]} */ (inside('.table tbody tr')).map((row) =>
        [...row.cells].map(({ textContent }) => textContent),
      ),
    );
  }
}

/** Columns of the value table from the fifth on. */
const steps = ['content', 'scores', 'bias', 'biased', 'weights'];

/** Compares the rows of the lab's table with the reference in double for the same settings. */
export function agree(rows, asked, what) {
  const expected = labReference(asked);
  for (const step of ['scores', 'biased', 'weights']) {
    const shown = rows.map((row) => numberOf(row[4 + steps.indexOf(step)]));
    const difference = largestDifference(shown, expected[step].flat());
    assert.ok(difference < 1e-5, `${what}, ${step}: off by ${difference}`);
  }
}
