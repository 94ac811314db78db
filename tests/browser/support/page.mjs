/** A page of the site as a reader sees and touches it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { numberIn } from './numbers.mjs';

export const siteFolder =
  process.env.SITE ?? join(import.meta.dirname, '..', '..', '..', 'dist', 'site');

export class SitePage {
  /** Everything that must not happen: errors, refusals of the policy, requests to elsewhere. */
  complaints = [];

  /** @param others addresses besides its own that the page may ask for files */
  constructor(page, address, others = []) {
    this.page = page;
    this.address = address;
    const known = [address, ...others];
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type()))
        this.complaints.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(data|blob|about):/.test(url) && !known.some((place) => url.startsWith(place)))
        this.complaints.push(`request: ${url}`);
    });
  }

  async open(path = '') {
    await this.page.goto(this.address + path, { waitUntil: 'load' });
    await this.page.evaluate(() => {
      globalThis.refused = [];
      document.addEventListener('securitypolicyviolation', (event) =>
        refused.push(event.violatedDirective),
      );
    });
  }

  async figure(name) {
    // The figures above grow while they load and push it down again: keep it in sight until it draws.
    await this.page.waitForFunction(
      (wanted) => {
        const element = document.querySelector(`ropewalk-figure[name="${wanted}"]`);
        if (element.hasAttribute('drawn')) return true;
        element.scrollIntoView({ behavior: 'instant' });
        return false;
      },
      { polling: 50 },
      name,
    );
    return new Figure(this.page, name);
  }

  async assertNoComplaint() {
    const refused = await this.page.evaluate(() => globalThis.refused ?? []);
    assert.deepEqual([...this.complaints, ...refused], []);
  }
}

export class Figure {
  constructor(page, name) {
    this.page = page;
    this.name = name;
  }

  /** The value of an expression over `element` and its `root`, in the page. */
  inside(expression) {
    const element = `document.querySelector('ropewalk-figure[name="${this.name}"]')`;
    return this.page.evaluate(
      `((element, root) => (${expression}))(${element}, ${element}.shadowRoot)`,
    );
  }

  /** Does something and waits for the drawing that answers it. */
  async drawnAfter(act) {
    await this.inside(
      `(element.nextDrawing = new Promise((done) => element.addEventListener('draw', done, { once: true })), 0)`,
    );
    await act();
    await this.inside('element.nextDrawing.then(() => element.updateComplete).then(() => 0)');
  }

  /** Types a number into the field of a slider, or clicks an option. */
  set(key, value) {
    const code = `(() => {
      const control = root.getElementById(${JSON.stringify(key)});
      if (control) {
        const field = control.closest('.control').querySelector('.exact');
        field.value = ${JSON.stringify(String(value))};
        field.dispatchEvent(new Event('change'));
      } else {
        [...root.querySelectorAll('input[name=${JSON.stringify(key)}]')].find(({ value }) => value === ${JSON.stringify(value)}).click();
      }
      return 0;
    })()`;
    return this.drawnAfter(() => this.inside(code));
  }

  text(selector) {
    return this.inside(`root.querySelector(${JSON.stringify(selector)})?.textContent.trim()`);
  }

  async number(id) {
    return numberIn(await this.text(`[data-number="${id}"]`));
  }

  /** Every drawn shape and pixel as one text: what changes when the drawing does. */
  drawing() {
    return this.inside(`[...root.querySelectorAll('.drawing svg, .drawing canvas')]
      .map((part) => (part instanceof SVGElement ? part.innerHTML.replaceAll(/<!--.*?-->/g, '') : part.toDataURL())).join()`);
  }

  /** The CSV file as a reader would save it: header and rows. */
  async csv() {
    const text = await this.#saved('CSV', 'file.text()');
    const [columns, ...rows] = text
      .replace(/^\ufeff/, '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    return { columns, rows };
  }

  svg() {
    return this.#saved('SVG', 'file.text()');
  }

  /** Width and height of the PNG file. */
  png() {
    return this.#saved(
      'PNG',
      'createImageBitmap(file).then(({ width, height }) => [width, height])',
    );
  }

  #saved(label, reading) {
    return this.inside(`new Promise((done, failed) => {
      const original = URL.createObjectURL;
      URL.createObjectURL = (file) => {
        URL.createObjectURL = original;
        (${reading}).then(done, failed);
        return '#';
      };
      // Nothing is to be downloaded here.
      const click = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function () { HTMLAnchorElement.prototype.click = click; };
      [...root.querySelectorAll('.actions button')].find(({ textContent }) => textContent.trim() === ${JSON.stringify(label)}).click();
    })`);
  }
}
