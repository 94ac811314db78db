/** A figure can be read on the background of any page, whatever that says of its colors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { few, sweep } from '../support/sweep.mjs';
import { elsewhereIn } from './support/elsewhere.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

const figures = `<ropewalk-figure name="alibi-slopes"></ropewalk-figure>
<ropewalk-figure name="sinusoid-shift"></ropewalk-figure>`;

/** Opens a page with these styles around two figures, and gives the first one, drawn. */
const opener = (elsewhere) => async (styles, body, options) => {
  await elsewhere.write('page.css', styles);
  const page = await elsewhere.visit(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="page.css">
${body ?? `<body class="dark"><main>${figures}</main>`}
<script type="module" src="${elsewhere.site.url}elements.js"></script>`,
    options,
  );
  return body === undefined ? page.figure('alibi-slopes') : page;
};

/** The parts of a figure whose colors style sheets and scripts choose: a text, a line, an image. */
const seen = `JSON.stringify((() => {
  const rgb = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (color) => rgb(color)[0] > 128;
  const color = (selector) => getComputedStyle(root.querySelector(selector)).color;
  return {
    question: light(color('.question')),
    label: light(color('label, legend')),
    ground: light(getComputedStyle(root.querySelector('.drawing')).backgroundColor),
  };
})())`;

const inDark = { question: true, label: true, ground: false };
const inLight = { question: false, label: false, ground: true };
const as = (wanted) => `(${seen}) === '${JSON.stringify(wanted)}'`;

const dark = 'body { background: #fff } .dark { background: #1b1b1d; color: #ddd }';

describeInBrowsers('figures on colored pages', (visits) => {
  const elsewhere = elsewhereIn(visits);
  const open = opener(elsewhere);

  test('a page that is dark by a class alone has light ink, and follows the class', async () => {
    const figure = await open(dark);
    await figure.until(as(inDark));
    const pixels = await figure.drawing();
    await figure.inside(`(document.body.classList.remove('dark'), 0)`);
    await figure.until(as(inLight));
    assert.notEqual(await figure.drawing(), pixels, 'pixels that a script colors follow');
    await figure.inside(`(document.body.classList.add('dark'), 0)`);
    await figure.until(as(inDark));
  });

  sweep('the nearest opaque background counts, with what lies over it', async () => {
    const rules = `body { background: #fff }
      .black { background: oklch(0.2 0 0) } .clear { background: rgb(255 255 255 / 0.04) }
      .white { background: color(srgb 1 1 1) }`;
    const body = `<body><main class="black"><p class="clear">${figures}</main>`;
    const page = await open(rules, body);
    const figure = await page.figure('alibi-slopes');
    await figure.until(as(inDark));
    await figure.inside(`(document.querySelector('main').className = 'white', 0)`);
    await figure.until(as(inLight));
  });

  sweep('a background that fades, a style sheet that comes and one that goes', async () => {
    const fading = `${dark} body { transition: background-color 0.2s }`;
    const figure = await open(fading, undefined, { policy: false });
    await figure.until(as(inDark));
    await figure.inside(`(document.body.className = '', 0)`);
    await figure.until(as(inLight));
    await figure.inside(`(document.head.append(Object.assign(document.createElement('style'),
      { textContent: 'main { background: #000 }' })), 0)`);
    await figure.until(as(inDark));
    await figure.inside(`(document.head.lastElementChild.remove(), 0)`);
    await figure.until(as(inLight));
  });

  sweep(
    'through shadow hosts; without any background the color-scheme, and with none light',
    async () => {
      const figure = await open('.scheme { color-scheme: dark }', undefined);
      await figure.until(as(inLight));
      await figure.inside(`(document.body.className = 'scheme', 0)`);
      await figure.until(as(inDark));
      await figure.inside(`((host) => {
      document.body.className = '';
      document.body.append(host);
      host.style.background = '#222';
      host.attachShadow({ mode: 'closed' }).append(document.createElement('slot'));
      host.append(element);
    })(document.createElement('div')) ?? 0`);
      await figure.until(as(inDark));
    },
  );

  test('the attribute theme decides before the page', async () => {
    const figure = await open(dark);
    await figure.until(as(inDark));
    await figure.inside(`(element.setAttribute('theme', 'light'), 0)`);
    await figure.until(as(inLight));
  });

  test('moving a control does not read the styles of the page', async () => {
    const page = await open(dark, `<body class="dark"><main>${figures}</main>`);
    const figure = await page.figure('sinusoid-shift');
    await page.page.evaluate(() => {
      globalThis.reads = 0;
      const read = globalThis.getComputedStyle;
      globalThis.getComputedStyle = (element, ...rest) => {
        if (element.matches('html, body, main')) globalThis.reads++;
        return read(element, ...rest);
      };
    });
    for (const offset of [3, 4, 5]) await figure.set('offset', offset);
    assert.equal(await page.page.evaluate(() => globalThis.reads), 0);
  });
});

// Firefox under test takes neither the medium nor the scheme of a system.
describeInChromium('figures on colored pages of a dark system', (visits) => {
  const elsewhere = elsewhereIn(visits);
  const open = opener(elsewhere);
  const prepare = (tab) =>
    tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);

  for (const [what, rules] of few(
    Object.entries({
      'says nothing': '',
      'is white all the same': ':root { color-scheme: light dark } body { background: #fff }',
      'is light': ':root { color-scheme: light }',
    }),
  )) {
    test(`a page that ${what} keeps dark ink`, async () => {
      const figure = await open(rules, undefined, { prepare });
      await figure.until(as(inLight));
    });
  }

  test('a page that follows the system is followed, and paper is light', async () => {
    const rules = ':root { color-scheme: light dark } body { background: light-dark(#fff, #111) }';
    const figure = await open(rules, undefined, { prepare });
    await figure.until(as(inDark));
    await figure.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
    await figure.until(as(inLight));
    await figure.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await figure.until(as(inDark));
    await figure.page.emulateMediaType('print');
    await figure.until(as(inLight));
  });
});
