import assert from 'node:assert/strict';

/** The lab of one page, by what a reader sees and touches. */
export class Lab {
  constructor(page) {
    this.page = page;
    this.complaints = [];
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  async open(address, settings = {}) {
    const url = new URL(address);
    for (const [key, word] of Object.entries(settings))
      url.searchParams.set(`attention-lab.${key}`, word);
    await this.page.goto(url.href);
    await this.page.evaluate(() => {
      globalThis.figure = document.querySelector('ropewalk-figure[name="attention-lab"]');
      globalThis.inside = (selector) => [...(figure.shadowRoot?.querySelectorAll(selector) ?? [])];
    });
    // The figures above it grow when they load and push it down again: keep it in sight until it draws.
    await this.page.waitForFunction(() => {
      if (figure.hasAttribute('drawn') && inside('.lab-tokens li').length > 0) return true;
      figure.scrollIntoView();
      return false;
    });
    return this;
  }

  /** Does something and waits for the drawing that answers it. */
  async drawnAfter(act, ...args) {
    await this.page.evaluate(() => {
      globalThis.drawn = new Promise((done) =>
        figure.addEventListener('draw', done, { once: true }),
      );
    });
    await this.page.evaluate(act, ...args);
    await this.page.evaluate(async () => {
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
    const field = await this.page.evaluateHandle(() => inside('textarea')[0]);
    await this.page.evaluate((textarea) => textarea.select(), field);
    await field.type(text);
    await this.page.waitForFunction(
      (expected) =>
        inside('.lab-tokens bdi')
          .map(({ textContent }) => textContent)
          .join(' ') === expected,
      {},
      tokens.join(' '),
    );
  }

  texts(selector) {
    return this.page.evaluate(
      (wanted) => inside(wanted).map(({ textContent }) => textContent.trim()),
      selector,
    );
  }

  /** A number as it is printed: a true minus, and powers of ten in superscript. */
  async number(name) {
    const [text] = await this.texts(`[data-number="${name}"]`);
    return text === undefined ? undefined : numberIn(text);
  }

  /** The rows of the value table, as it stands on screen. */
  async table() {
    await this.page.evaluate(async () => {
      const [button] = inside('.actions button');
      if (button.getAttribute('aria-expanded') === 'false') button.click();
      await figure.updateComplete;
    });
    return this.page.evaluate(() =>
      inside('.table tbody tr').map((row) => [...row.cells].map(({ textContent }) => textContent)),
    );
  }
}

export function numberIn(text) {
  const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const plain = text
    .replace(
      / × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/,
      (_, raised) =>
        `e${[...raised].map((sign) => (sign === '⁻' ? '-' : superscripts.indexOf(sign))).join('')}`,
    )
    .replaceAll('−', '-')
    .replaceAll(',', '')
    .replace('∞', 'Infinity');
  assert.ok(plain.trim() !== '' && !Number.isNaN(Number(plain)), `"${text}" is a number`);
  return Number(plain);
}
