/** Opens a post as a reader does, and says what is wrong with its figures. */
import { newTab } from '../browser/support/browser.mjs';
import { Figure } from '../browser/support/page.mjs';
import { groundOf, prepare, undefinedIn } from './in_page.mjs';
import { figures } from './posts.mjs';

/** Milliseconds; a limit only. */
const limit = 60_000;
const themeLimit = 5_000;
/** The widest first: a scroll bar of a narrow frame takes room that keeps it there in a wider one. */
const widths = [800, 720, 600, 480, 360];
/** What shifts less than this is good (web.dev: 0.1), and what a paragraph does is more. */
const shiftLimit = 0.02;

/**
 * @typedef {object} Place where a figure is
 * @property {string} name
 * @property {Figure} figure
 * @property {import('puppeteer-core').Page | import('puppeteer-core').Frame} document
 * @property {import('puppeteer-core').ElementHandle} box the element or the frame
 */

/**
 * @typedef {object} Visited
 * @property {string} url of the post
 * @property {'element' | 'frame' | 'import'} form
 * @property {string} site address that figures come from
 * @property {number} [least] the narrowest column in which no frame may scroll
 * @property {string} [darkUrl] the post in the host's dark theme
 * @property {Record<string, string>} [darkStored] what the host stores of a reader who chose dark
 * @property {string} [homeUrl] a page that leads to the post without loading a new document
 * @property {string} [otherUrl] a post with the same figures, to which this one leads likewise
 */

/**
 * @param {import('puppeteer-core').Browser} browser
 * @param {Visited} visited
 * @returns {Promise<string[]>} what is wrong
 */
export async function visit(browser, visited) {
  const tab = await newTab(browser);
  tab.setDefaultTimeout(limit);
  try {
    const visitor = new Visitor(tab, visited);
    await visitor.look().catch(({ message }) => visitor.found.push(message));
    return [...new Set(visitor.found)];
  } finally {
    await tab.close();
  }
}

/** What an expression gives once everything that moves is where it goes. */
const atRest = (expression) =>
  `(root.getAnimations().forEach((motion) => motion.finish()), ${expression})`;

class Visitor {
  /** @type {string[]} */
  found = [];

  /**
   * @param {import('puppeteer-core').Page} tab
   * @param {Visited} visited
   */
  constructor(tab, visited) {
    this.tab = tab;
    this.visited = visited;
  }

  async look() {
    const { tab, visited } = this;
    this.#listen();
    await prepare(tab);
    await tab.setViewport({ width: 1280, height: 900 });
    await tab.goto(visited.url, { waitUntil: 'load' });
    const places = await this.#drawn();
    await this.#shifts();
    await this.#standing(places);
    await this.#slider(places[1]);
    await this.#columns(places);
    await this.#dark(places);
    await this.#refusals();
    if (visited.homeUrl) await this.#navigate();
  }

  #add(what, list) {
    this.found.push(...list.map((text) => `${what}: ${text}`));
  }

  /**
   * What the console says of post and site. A host may miss files of its own elsewhere, or, as
   * Debian's nbconvert, on the disk of whoever made the page; errors name such a file last.
   */
  #listen() {
    const { tab, visited } = this;
    const origins = [visited.url, visited.site].map((url) => new URL(url).origin);
    const isOurs = (url) =>
      origins.includes(URL.canParse(url) && new URL(url).origin) && !url.endsWith('/favicon.ico');
    const add = (what, text, place) => {
      const named = text.match(/\b(https?|file):\/\/\S+/g)?.at(-1) ?? place;
      if (!named || isOurs(named)) this.#add(what, [`${text} ${place ?? ''}`]);
    };
    tab.on('pageerror', ({ message }) => add('error', message));
    tab.on('console', (message) => {
      if (message.type() === 'error') add('console', message.text(), message.location().url);
    });
    tab.on('response', (response) => {
      if (response.status() >= 400 && isOurs(response.url()))
        this.#add('response', [`${response.status()} of ${response.url()}`]);
    });
  }

  async #refusals() {
    for (const frame of this.tab.frames())
      this.#add('policy', await frame.evaluate(() => globalThis.refused ?? []));
  }

  /** Scrolls to each figure and waits until it draws. @returns {Promise<Place[]>} */
  async #drawn() {
    const { tab, visited } = this;
    const isFrame = visited.form === 'frame';
    const places = [];
    for (const { name } of figures) {
      const selector = isFrame
        ? `iframe[src*="/figure/${name}/"]`
        : `ropewalk-figure[name="${name}"]`;
      const box = await tab.waitForSelector(selector).catch(() => {
        throw new Error(`the page has no ${selector}`);
      });
      await box.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
      const document = isFrame ? await box.contentFrame() : tab;
      const figure = new Figure(document, name, limit);
      await figure.until(`element?.hasAttribute('drawn') ||
        (${isFrame} || element?.scrollIntoView({ behavior: 'instant' }), false)`);
      if (isFrame)
        await tab.waitForFunction(
          (element) =>
            globalThis.measured.has(/** @type {HTMLIFrameElement} */ (element).contentWindow),
          { polling: 50 },
          box,
        );
      // A reader sees the figure before scrolling on: in one step, both would count as a shift.
      await tab.evaluate(() => new Promise(requestAnimationFrame));
      places.push({ name, figure, document, box });
    }
    await this.#settled(places);
    return places;
  }

  /** Until every figure has the width of its column, and every frame the height of its figure. */
  async #settled(places) {
    const { tab, visited } = this;
    for (const { figure, box } of places) {
      await box.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
      await figure.until(`element.hasAttribute('drawn') && !element.isUpdatePending &&
        element.width === Math.floor(element.getBoundingClientRect().width)`);
    }
    if (visited.form !== 'frame' || visited.least) return;
    for (const { document } of places)
      await document.waitForFunction(
        () => globalThis.document.documentElement.getBoundingClientRect().height < innerHeight + 1,
        { polling: 50 },
      );
    await tab.evaluate(() => new Promise(requestAnimationFrame));
  }

  async #shifts() {
    const shifts = await this.tab.evaluate(() => globalThis.shifts);
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    const each = shifts.map(([value, what]) => `${value.toFixed(3)} of ${what}`).join('; ');
    if (sum > shiftLimit) this.#add('layout shift', [`${sum.toFixed(3)} (${each})`]);
  }

  /** What can be seen without a change: that all is drawn and defined, state and language. */
  async #standing(places) {
    for (const [i, { name, figure, document }] of places.entries()) {
      const { language, settings } = figures[i];
      this.#add(
        `${name}: not defined`,
        await document.evaluate(() => undefinedIn(globalThis.document)),
      );
      this.#add(name, await figure.inside('emptyIn(element)'));
      for (const [key, value] of Object.entries(settings)) {
        const shown = await figure.inside(`element.state.${key}`);
        if (shown !== value) this.#add(name, [`${key} is ${shown} in place of ${value}`]);
      }
      const question = await figure.text('.question');
      if (/[\u4e00-\u9fff]/.test(question) !== (language === 'zh'))
        this.#add(name, [`not in the language ${language}: ${question}`]);
      await this.#scrolled([places[i]], { isAround: true });
    }
  }

  async #scrolled(places, options) {
    for (const { name, figure } of places)
      this.#add(name, await figure.inside(`scrolledIn(element, ${JSON.stringify(options)})`));
  }

  /** By the real keyboard: a host may take keys for itself. */
  async #slider({ name, figure, document, box }) {
    const { tab } = this;
    await box.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    const before = await figure.drawing();
    const slider = await document.$(`ropewalk-figure[name="${name}"] >>> #offset`);
    await figure.drawnAfter(async () => {
      await slider.focus();
      await tab.keyboard.press('ArrowRight');
    });
    const { offset } = figures[1].settings;
    const now = await figure.inside('element.state.offset');
    if (now !== offset + 1) this.#add(name, [`the slider moved from ${offset} to ${now}`]);
    if ((await figure.drawing()) === before) this.#add(name, ['the slider changes no drawing']);
  }

  async #columns(places) {
    const { least = 0 } = this.visited;
    for (const width of widths) {
      for (const { box } of places)
        await box.evaluate((element, pixels) => {
          Object.assign(element.style, { width: `${pixels}px`, maxWidth: 'none', minWidth: '0' });
        }, width);
      await this.#settled(places);
      for (const { name, figure } of places)
        this.#add(`${name} in ${width} px`, await figure.inside(atRest('misplacedIn(element)')));
      if (width >= least) await this.#scrolled(places, { isAround: false });
    }
    for (const { box } of places) await box.evaluate((element) => element.removeAttribute('style'));
  }

  /** The dark theme of the host, or where it has none, a dark page. */
  async #dark(lightPlaces) {
    const { tab, visited } = this;
    let places = lightPlaces;
    if (visited.darkUrl) await tab.goto(visited.darkUrl, { waitUntil: 'load' });
    else if (visited.darkStored) {
      await tab.evaluate((items) => {
        for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
      }, visited.darkStored);
      await tab.reload({ waitUntil: 'load' });
    } else
      await tab.evaluate(() => {
        Object.assign(document.body.style, { backgroundColor: '#1b1b1d', color: '#ddd' });
      });
    if (visited.darkUrl || visited.darkStored) places = await this.#drawn();
    else await this.#settled(places);
    for (const { name, figure, box } of places) {
      const ground = await box.evaluate((element) => groundOf(element));
      if (Math.max(...ground) > 110) this.#add(name, [`the host's dark theme is rgb(${ground})`]);
      this.#add(`${name} in the dark`, await this.#faint(figure));
    }
    if (visited.darkStored) await tab.evaluate(() => localStorage.clear());
  }

  /** The theme of a page reaches its figures a moment later, and colors fade. */
  async #faint(figure) {
    const look = atRest('faintIn(element)');
    const readable = new Figure(figure.page, figure.name, themeLimit);
    await readable.until(`${look}.length === 0`).catch(() => {});
    return figure.inside(look);
  }

  /**
   * By links that the host follows with a script: to the post, back, to it again, and from it to
   * another post. A framework makes elements anew, which the second time are figures at once.
   */
  async #navigate() {
    const { tab, visited } = this;
    await tab.goto(visited.homeUrl, { waitUntil: 'networkidle0' });
    await tab.evaluate(() => (globalThis.isSame = true));
    await this.#follow(visited.url);
    await tab.evaluate(() => history.back());
    await tab.waitForFunction(
      () => !document.querySelector('ropewalk-figure, iframe[src*="/figure/"]'),
      { polling: 50 },
    );
    await this.#follow(visited.url);
    if (visited.otherUrl) await this.#follow(visited.otherUrl);
    if (!(await tab.evaluate(() => globalThis.isSame)))
      this.#add('navigation', ['the host loaded a new document']);
  }

  /** Clicks on the link to a post, as soon as the page has it, and looks at the post. */
  async #follow(url) {
    const { tab } = this;
    await tab.waitForFunction(
      (wanted) => {
        const path = (address) => address.replace(/\/$/, '');
        const link = Array.from(document.links).find(({ href }) => path(href) === path(wanted));
        link?.click();
        return link !== undefined;
      },
      { polling: 50 },
      url,
    );
    await tab.waitForFunction(
      (wanted) => location.href.replace(/\/$/, '') === wanted.replace(/\/$/, ''),
      { polling: 50 },
      url,
    );
    await this.#standing(await this.#drawn());
  }
}
