/** What drawings write: inside their boxes and beside each other, at every setting worth a look. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { languages, pages } from './support/figures.mjs';
import { prepareSettings } from './support/settings.mjs';
import { visits } from './support/visits.mjs';

const texts = ['x', 'antidisestablishmentarianism ever after', '龙 '.repeat(30)];
const widths = [320, 1200];

/** In the page: what is written where it should not be, at each of the figure's settings. */
async function complaintsOf(name, options) {
  const figure = document.querySelector(`ropewalk-figure[name="${name}"]`);
  const { shadowRoot: root } = figure;
  const found = new Map();
  const inside = (selector) => [...root.querySelectorAll(`.drawing ${selector}`)];
  const said = (text) => text.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
  const scrolls = (element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
  const isScrolled = (element) =>
    element !== root.host && (scrolls(element) || isScrolled(element.parentElement ?? root.host));
  const isCut = (element) => getComputedStyle(element).textOverflow === 'ellipsis';
  /** Boxes are as high as the font's tallest letter: of what lies above and below, a part is empty. */
  const [across, down] = [0.5, 3];
  const leaves = (box, frame) =>
    frame.left - box.left > across ||
    box.right - frame.right > across ||
    frame.top - box.top > down ||
    box.bottom - frame.bottom > down;
  const meets = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2 * down;

  for (const settings of settingsOf(figure, options)) {
    await show(figure, settings);
    const note = (what) => found.has(what) || found.set(what, JSON.stringify(settings));
    const frame = figure.getBoundingClientRect();
    const written = [];
    for (const svg of inside('svg').filter((one) => one.checkVisibility())) {
      const box = svg.getBoundingClientRect();
      if (!isScrolled(svg) && (frame.left - box.left > across || box.right - frame.right > across))
        note(
          `a drawing leaves the figure by ${Math.max(frame.left - box.left, box.right - frame.right)}`,
        );
      for (const text of svg.querySelectorAll('text')) {
        if (!said(text)) continue;
        const place = text.getBoundingClientRect();
        if (leaves(place, box)) note(`"${said(text)}" leaves its drawing`);
        // The value beside the cursor goes wherever the reader takes it, in a halo of its own.
        if (!text.closest('.cursor')) written.push({ text, place });
      }
    }
    written.forEach((one, i) => {
      for (const other of written.slice(0, i))
        if (meets(one.place, other.place))
          note(`"${said(other.text)}" lies on "${said(one.text)}"`);
    });
    for (const element of inside('*:not(svg, svg *, .visually-hidden)')) {
      if (!element.checkVisibility() || isScrolled(element) || isCut(element)) continue;
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        note(
          `<${element.localName} class="${element.className}"> is ${element.clientWidth} wide, what it holds ${element.scrollWidth}`,
        );
    }
  }
  await show(figure, {});
  return [...found].map(([what, settings]) => `${name}: ${what} at ${settings}`);
}

describe('labels in chromium', () => {
  const visit = visits('chromium');

  for (const [language, folder] of Object.entries(languages)) {
    for (const width of widths) {
      test(`${language}, ${width} pixels: nothing that a figure writes leaves its box or lies on another`, async () => {
        const found = [];
        for (const { path, figures } of pages) {
          await visit.open(folder + path, { width, prepare: prepareSettings });
          for (const name of figures) {
            await visit.page.figure(name);
            found.push(...(await visit.tab.evaluate(complaintsOf, name, { texts, count: 4 })));
          }
          await visit.page.assertNoComplaint();
        }
        assert.deepEqual(found, []);
      });
    }
  }
});
