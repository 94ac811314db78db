/** A page of the site as a reader sees and touches it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { TimeoutError } from 'puppeteer-core';
import { patience } from './browser.mjs';
import { numberIn } from './numbers.mjs';

export const siteFolder =
  process.env.SITE ?? join(import.meta.dirname, '..', '..', '..', 'dist', 'site');

/** Runs in a document before any script of its own, so that no refusal is missed. */
function keepRefusals() {
  globalThis.refused = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    globalThis.refused.push(`policy: ${violatedDirective} refused ${blockedURI}`),
  );
}

// Firefox says this of a formula whose end has not arrived yet, where it lays out what is there.
const unfinishedFormula = /^Invalid markup: Incorrect number of children/;

// Firefox says so, with NS_BINDING_ABORTED, of a font that still loads when the page is left.
const leftFont = /^downloadable font: download failed .*status=2152398850/s;

/** The formulas of a document that have too few or too many parts now that it has arrived. */
function wrongFormulas() {
  const parts = {
    mfrac: 2,
    mroot: 2,
    msub: 2,
    msup: 2,
    munder: 2,
    mover: 2,
    msubsup: 3,
    munderover: 3,
  };
  return [...document.querySelectorAll(Object.keys(parts).join())]
    .filter((element) => element.children.length !== parts[element.localName])
    .map((element) => `formula: ${element.outerHTML}`);
}

// Milliseconds.
const oneWait = 10_000;

/**
 * The value of a function or an expression in a page or in a frame, as soon as it counts as true;
 * undefined if that takes longer than `limit`. Puppeteer may lose a wait that begins in a document
 * that is left for another: the next one finds what is there.
 * @param {Pick<import('puppeteer-core').Page, 'waitForFunction'>} place
 * @param {string | ((...args: any[]) => unknown)} look
 * @returns {Promise<any>}
 */
export async function valueIn(place, look, limit = patience, ...args) {
  for (let left = limit; left > 0; left -= oneWait) {
    try {
      const options = { polling: 50, timeout: Math.min(oneWait, left) };
      const handle = await place.waitForFunction(look, options, ...args);
      // Elements have no value in JSON; in Firefox theirs is none at all.
      return (await handle.jsonValue()) ?? true;
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error;
    }
  }
}

export class SitePage {
  #isWatching = false;
  /** Whether the document that is left still shows: what goes wrong in it now counts no more. */
  #isLeaving = false;
  /** Everything that must not happen: errors, refusals of the policy, requests to elsewhere. */
  complaints = [];
  /** Whether the test makes something go wrong. */
  expectsComplaints = false;

  /**
   * @param {import('puppeteer-core').Page} page
   * @param {string} address
   * @param {string[]} [others] addresses besides its own that the page may request files from
   */
  constructor(page, address, others = []) {
    this.page = page;
    this.address = address;
    const complain = (complaint) => {
      if (!this.#isLeaving) this.complaints.push(complaint);
    };
    page.on('pageerror', ({ message }) => {
      const isOfLoading = unfinishedFormula.test(message) || leftFont.test(message);
      if (!isOfLoading) complain(`error: ${message}`);
    });
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) complain(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      const known = [this.address, ...others];
      if (!/^(data|blob|about):/.test(url) && !known.some((place) => url.startsWith(place)))
        complain(`request: ${url}`);
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.#isLeaving = false;
    });
  }

  /** As `open`, but what went wrong before is forgotten: a new visit, in the same tab. */
  async visit(path, address) {
    this.#isLeaving = true;
    this.address = address;
    this.complaints = [];
    this.expectsComplaints = false;
    // A link within the document that is open would not load it again.
    const [document, hash] = (address + path).split('#');
    const [open] = (await this.page.evaluate(() => location.href)).split('#');
    if (hash !== undefined && open === document) await this.page.goto('about:blank');
    await this.page.goto(address + path, { waitUntil: 'load' });
  }

  async open(path = '') {
    if (!this.#isWatching) await this.page.evaluateOnNewDocument(keepRefusals);
    else this.complaints.push(...(await this.#refusals()));
    this.#isWatching = true;
    await this.page.goto(this.address + path, { waitUntil: 'load' });
  }

  /** Waits until a function is true, in the document that is open or in one that it leads to. */
  async until(look, ...args) {
    if (await valueIn(this.page, look, patience, ...args)) return;
    throw new Error(`${this.page.url()}: within ${patience / 1000} s it was not so: ${look}`);
  }

  async figure(name) {
    const figure = new Figure(this.page, name);
    // The figures above grow while they load and push it down again: keep it in sight until it draws.
    await figure.until(
      `element.hasAttribute('drawn') || (element.scrollIntoView({ behavior: 'instant' }), false)`,
    );
    return figure;
  }

  /** The lists that a function gives in the document and in those in its frames. */
  async #inFrames(list) {
    return (await Promise.all(this.page.frames().map((frame) => frame.evaluate(list)))).flat();
  }

  /** What the policy refused. */
  #refusals() {
    return this.#inFrames(() => globalThis.refused ?? []);
  }

  async assertNoComplaint() {
    const found = [...(await this.#refusals()), ...(await this.#inFrames(wrongFormulas))];
    assert.deepEqual([...this.complaints, ...found], []);
  }

  /** The page never scrolls sideways. */
  async assertFits() {
    const [content, view] = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.scrollingElement;
      return [scrollWidth, clientWidth];
    });
    assert.ok(content <= view, `${content} > ${view}`);
  }
}

export class Figure {
  /** @param limit milliseconds that it may take to answer */
  constructor(page, name, limit = patience) {
    this.page = page;
    this.name = name;
    this.patience = limit;
  }

  #over(expression) {
    const element = `document.querySelector('ropewalk-figure[name="${this.name}"]')`;
    return `((element, root) => (${expression}))(${element}, ${element}?.shadowRoot)`;
  }

  /** The value of an expression over `element` and its `root`, in the page. */
  inside(expression) {
    return this.page.evaluate(this.#over(expression));
  }

  /** The same, as soon as it is a value that counts as true; with an error that says what is instead. */
  async until(expression) {
    const value = await valueIn(this.page, this.#over(expression), this.patience);
    if (!value) throw await this.#late(expression);
    return value;
  }

  /**
   * Does something and waits for the drawing that answers it: of the settings as they are by then,
   * not of a question that was under way.
   */
  async drawnAfter(act) {
    await this.inside(`(element.nextDrawing = new Promise((done) => {
      const look = () => {
        if (!element.hasAttribute('drawn')) return;
        element.removeEventListener('draw', look);
        done(true);
      };
      element.addEventListener('draw', look);
      AbortSignal.timeout(${this.patience}).addEventListener('abort', () => done(false));
    }), 0)`);
    await act();
    if (!(await this.inside('element.nextDrawing'))) throw await this.#late('a new drawing');
    await this.inside('element.updateComplete.then(() => 0)');
  }

  /** Returns the error of a wait that timed out: what the figure shows instead. */
  async #late(wanted) {
    const shown = await this.inside(`element && JSON.stringify({
      drawn: element.hasAttribute('drawn'), busy: root?.querySelector('figure')?.ariaBusy,
      said: [...(root?.querySelectorAll('.fault, .note') ?? [])].map(({ textContent }) => textContent.trim()) })`);
    return new Error(
      `${this.name}: within ${this.patience / 1000} s there was not ${wanted}; it is ${shown}`,
    );
  }

  /**
   * Moves the real pointer to a share of a part's box. Figures above may push the part away between
   * the look and the move: then once more.
   */
  async point(selector, x = 0.5, y = 0.5) {
    const box = (look) =>
      this
        .inside(`((part) => (${look}, (({ x, y, width, height }) => [x, y, width, height])(part.getBoundingClientRect())))
        (root.querySelector(${JSON.stringify(selector)}))`);
    for (let before = [], now; String(before) !== String(now); now = await box('0')) {
      before = await box(`part.scrollIntoView({ block: 'center', behavior: 'instant' })`);
      const [left, top, width, height] = before;
      await this.page.mouse.move(left + x * width, top + y * height);
    }
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
