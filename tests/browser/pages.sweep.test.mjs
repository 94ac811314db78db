/** Every page of the text in both languages: what it loads, shows and prints, and whom it serves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesFor, players } from './support/figures.mjs';
import { Figure } from './support/page.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

const reduced = [{ name: 'prefers-reduced-motion', value: 'reduce' }];

/** The formulas of which a part is out of sight, as text; those in closed boxes are looked at open. */
function thoseCut(formulas) {
  const isCut = (formula) => {
    const box = formula.closest('details:not([open])');
    if (box) box.open = true;
    // Widths are rounded.
    const hasMore = formula.scrollWidth > formula.clientWidth + 1;
    if (box) box.open = false;
    return hasMore;
  };
  return formulas.filter(isCut).map(({ textContent }) => textContent);
}

/**
 * Names such as sin that do not stand a thin space from operands, or do from what else is there; and
 * bars that do not stand at one height.
 */
function misspaced(formulas, most) {
  const found = [];
  const isSign = (part) =>
    part.matches('mo, :is(msub, msubsup, munder, munderover):has(> mo:first-child)');
  const isSpace = (part) => part?.matches('mspace, mtext');
  for (const formula of formulas)
    for (const letters of formula.querySelectorAll('mi')) {
      if (!/^[a-z]{2,}$/.test(letters.textContent)) continue;
      const isIndexed = letters.parentElement.matches('msub, msup, msubsup, munder');
      const name = isIndexed ? letters.parentElement : letters;
      const em = Number.parseFloat(getComputedStyle(name).fontSize);
      const { left, right } = name.getBoundingClientRect();
      const [before, after] = ['previousElementSibling', 'nextElementSibling'].map((side) => {
        const next = name[side];
        const part = isSpace(next) ? next[side] : next;
        const box = part?.getBoundingClientRect();
        const gap = box && Math.max(left - box.right, box.left - right) / em;
        const isClosed = side === 'previousElementSibling' && part?.textContent === ')';
        const isOperand = part && (isClosed || !isSign(part));
        // A space of another kind is in the source.
        return isOperand ? gap > 0.1 && gap < most : !next?.matches('mspace');
      });
      if (!before || !after) found.push(`${letters.textContent} in ${formula.textContent}`);
    }
  const bars = formulas.flatMap((formula) =>
    [...formula.querySelectorAll('mo[fence=true]')].filter((bar) => bar.textContent === '|'),
  );
  const tops = bars.map((bar) => bar.getBoundingClientRect().top);
  bars.forEach((bar, at) => {
    if (Math.abs(tops[at] - tops[at ^ 1]) > 1)
      found.push(`a bar in ${bar.closest('math').textContent}`);
  });
  return found;
}

/** The words of Chinese headings, and of the questions of figures, that are on two lines. */
function wordsCut(headings) {
  const words = new Intl.Segmenter('zh', { granularity: 'word' });
  const range = document.createRange();
  const cut = [];
  const questions = [...document.querySelectorAll('ropewalk-figure')].map((figure) =>
    figure.shadowRoot.querySelector('.question'),
  );
  for (const heading of [...headings, ...questions]) {
    const characters = [];
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (let at = 0; at < text.textContent.length; at++) characters.push([text, at]);
    for (const { segment, index } of words.segment(heading.textContent)) {
      if (!/^\p{Script=Han}+$/u.test(segment)) continue;
      const lines = characters.slice(index, index + segment.length).map(([text, at]) => {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().bottom;
      });
      if (new Set(lines).size > 1) cut.push(`${segment}: ${heading.textContent}`);
    }
  }
  return cut;
}

/** In the page: the attributes that the gallery lists for each figure. */
async function attributesIn(gallery) {
  const text = await (await fetch(gallery)).text();
  const entries = new DOMParser().parseFromString(text, 'text/html').querySelectorAll('.entry');
  const listed = (entry) => [...entry.querySelectorAll('tbody th')].map((th) => th.textContent);
  return Object.fromEntries([...entries].map((entry) => [entry.id, listed(entry)]));
}

/** What the link of a figure would put into the clipboard. */
const copiedLink = `new Promise((done) => {
  const clipboard = { writeText: async (text) => done(text) };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  [...root.querySelectorAll('.actions button')].find(({ title }) => /link to|链接/.test(title)).click();
})`;

describeInBrowsers('every page', (visit, name) => {
  const { open } = visit;
  const all = pagesFor(name);

  for (const { language, path, figures } of all) {
    test(`/${path}: every figure draws under the strict policy, from a sub-path, without a foreign request`, async (t) => {
      await open(path, { width: 360 });
      const gallery = `${visit.site.address}gallery.html`;
      const listed = await visit.tab.evaluate(attributesIn, gallery);
      for (const figureName of figures) {
        await t.test(figureName, async () => {
          const figure = await visit.page.figure(figureName);
          assert.notEqual(await figure.drawing(), '');
          assert.equal(await figure.text('.fault'), undefined);
          const canPlay = await figure.inside(`Boolean(root.querySelector('rw-play'))`);
          assert.equal(canPlay, players.includes(figureName), 'plays');
          assert.equal(
            await figure.inside(copiedLink),
            `${visit.site.address}${path}#${figureName}`,
          );
          const isThere = `document.getElementById('${figureName}')?.contains(element)`;
          assert.ok(await figure.inside(isThere), `#${figureName}`);
          const ids =
            await figure.inside(`[...root.querySelectorAll('.controls [id], .controls [name]')]
              .map((control) => control.name || control.id)`);
          for (const key of ids) assert.ok(listed[figureName].includes(key), `${key} is listed`);
        });
      }
      await t.test('a phone 360 pixels wide never scrolls sideways', () => visit.page.assertFits());
      await t.test('nor does a formula there', async () =>
        assert.deepEqual(await visit.tab.$$eval('.formula', thoseCut), []),
      );
      // Firefox adds a thin space of its own before fractions and indexed letters.
      const most = name === 'firefox' ? 0.35 : 0.3;
      await t.test('names and bars in formulas stand where they belong', async () =>
        assert.deepEqual(await visit.tab.$$eval('math', misspaced, most), []),
      );
      if (language === 'zh')
        await t.test('and headings and questions break between words', async () =>
          assert.deepEqual(await visit.tab.$$eval('h1, h2, h3', wordsCut), []),
        );
      // Engines share what it looks at: the document and its styles.
      if (name !== 'chromium') return;
      // With the rail beside the text, and without it.
      await visit.tab.setViewport({ width: language === 'en' ? 1280 : 1200, height: 900 });
      for (const figureName of figures)
        await new Figure(visit.tab, figureName).until('element.width > 360');
      await t.test('axe finds nothing to complain about, light and dark', () =>
        visit.assertAccessible(),
      );
    });
  }

  const paper = {
    skip: name !== 'chromium' && `${name} cannot emulate print`,
  };
  test('on paper a dark page is light, and nothing moves', paper, async () => {
    // The words shuffle themselves over time, unless reduced motion is emulated.
    const prepare = (tab) => tab.emulateMediaFeatures(reduced);
    await visit.openFigure('word-order', {}, '', { prepare });
    const order = await visit.page.figure('word-order');
    const bars = `[...root.querySelectorAll('svg rect')].map((bar) =>
      bar.parentElement.textContent + getComputedStyle(bar).fill).join()`;
    const light = await order.inside(bars);
    await visit.tab.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
    await order.until(`${bars} !== ${JSON.stringify(light)}`);
    // From here on puppeteer emulates no reduced motion: print has to stop motion by itself.
    await visit.tab.emulateMediaType('print');
    await visit.tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await order.until(`${bars} === ${JSON.stringify(light)}`);
    await order.inside('element.updateComplete.then(() => 0)');
    assert.equal(await order.inside(bars), light, 'they stand still');
  });

  for (const { path, figures } of all.filter(({ language }) => language === 'en')) {
    test(
      `/${path}: paper shows every figure drawn, in light, without its controls`,
      paper,
      async () => {
        await open(path, {
          prepare: async (tab) => {
            await tab.emulateMediaFeatures(reduced);
            await tab.evaluateOnNewDocument(() => localStorage.setItem('ropewalk-theme', 'dark'));
          },
        });
        await visit.tab.emulateMediaType('print');
        await visit.tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
        for (const figureName of figures) {
          const figure = new Figure(visit.tab, figureName);
          await figure.until(`element.hasAttribute('drawn')`);
          const shown =
            await figure.inside(`[...root.querySelectorAll('.controls, .actions, button, input, select, textarea')]
          .filter((part) => part.checkVisibility() && !part.matches('.pair-button, .lab-head')).length`);
          assert.equal(shown, 0, figureName);
          assert.equal(await figure.inside('getComputedStyle(element).colorScheme'), 'light');
        }
        const onPaperOf = (figureName, selector) =>
          new Figure(visit.tab, figureName).inside(
            `[...root.querySelectorAll('${selector}')].filter((part) => part.checkVisibility()).length`,
          );
        if (figures.includes('rotary-clocks'))
          assert.equal(
            await onPaperOf('rotary-clocks', '.pair-button'),
            8,
            'buttons that are drawings',
          );
        if (figures.includes('frequency-scalings')) {
          const isOn = '.switch:has(:checked) label';
          assert.equal(await onPaperOf('frequency-scalings', isOn), 4, 'names of the curves');
          assert.equal(
            await onPaperOf('frequency-scalings', '.switch label'),
            4,
            'and of no others',
          );
        }
      },
    );
  }
});

describeInChromium('every page without scripts', (visit) => {
  const prepare = (tab) => tab.setJavaScriptEnabled(false);
  const titles = new Set();

  for (const { language, path, figures } of pagesFor('chromium')) {
    test(`/${path}: the text and the card of a link are there, and of each figure the question and a still`, async () => {
      await visit.open(path, { prepare });
      const text = await visit.tab.$eval('main', (main) => main.innerText);
      assert.ok(text.length > 500, text);
      const card = await visit.tab.$$eval('meta[property^="og:"]', (found) =>
        Object.fromEntries(found.map((one) => [one.getAttribute('property'), one.content])),
      );
      const title = await visit.tab.title();
      assert.equal(card['og:title'], title);
      assert.ok(!titles.has(title), 'each page has a title of its own');
      titles.add(title);
      const question = await visit.tab.$$eval('.chapter-question', (found) =>
        found.map(({ textContent }) => textContent),
      );
      if (question.length > 0) assert.deepEqual([card['og:description']], question);
      assert.equal(
        await visit.tab.$$eval('ropewalk-figure .question', (found) => found.length),
        figures.length,
      );
      const stills = await visit.tab.$$eval('ropewalk-figure img', (images) =>
        Promise.all(
          images.map(async (image) => {
            image.loading = 'eager';
            await image.decode();
            const file = new URL(image.src).pathname.split('/').at(-1);
            return `${file}, ${image.naturalWidth} pixels wide`;
          }),
        ),
      );
      assert.deepEqual(
        stills,
        figures.map((figureName) => `${figureName}_${language}.webp, 736 pixels wide`),
      );
    });
  }
});
