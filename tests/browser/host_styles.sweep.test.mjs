/** A figure is laid out on a page with any styles as on one that has none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elsewhereIn } from './support/elsewhere.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** Every inherited property that a page may set for its own text. */
const hostile = `
html { font-size: 62.5% }
body {
  font: italic small-caps 900 3rem/3 fantasy; font-stretch: expanded; letter-spacing: 0.3em;
  word-spacing: 1em; text-transform: uppercase; text-indent: 3em; text-align: right;
  text-align-last: justify; white-space: pre; word-break: break-all; overflow-wrap: anywhere;
  hyphens: auto; line-break: anywhere; tab-size: 1; quotes: none; cursor: help; color: #123;
  -webkit-text-fill-color: red; -webkit-text-stroke: 2px red; text-shadow: 3px 3px red;
  text-underline-offset: 1em; text-emphasis: dot; text-wrap: nowrap; text-rendering: geometricPrecision;
  font-kerning: none; font-feature-settings: 'zero', 'onum'; font-variant-numeric: oldstyle-nums;
  font-size-adjust: 0.9; list-style: square inside; border-collapse: separate; border-spacing: 9px;
  caption-side: bottom; empty-cells: hide; pointer-events: none; user-select: none;
  text-anchor: end; fill: red; stroke: red; stroke-width: 9; paint-order: stroke; accent-color: red;
  caret-color: red; image-rendering: pixelated; orphans: 9; widows: 9; hanging-punctuation: first;
}`;

const names = ['sinusoid-heatmap', 'sinusoid-shift', 'alibi-slopes', 'extend-without-training'];

/** In the page: boxes and used values of every part of a figure, in CSS pixels from its corner. */
const measured = `(() => {
  const properties = ['font-size', 'font-style', 'font-weight', 'line-height', 'letter-spacing',
    'text-align', 'direction', 'cursor', 'pointer-events', '-webkit-text-fill-color', 'fill', 'stroke'];
  const rounded = (length) => Math.round(8 * length) / 8;
  const { x, y } = element.getBoundingClientRect();
  return [...root.querySelectorAll('*:not(style)')].map((part) => {
    const box = part.getBoundingClientRect();
    const style = getComputedStyle(part);
    const hasBox = box.width > 0 || box.height > 0;
    const place = hasBox ? [box.x - x, box.y - y, box.width, box.height].map(rounded) : [];
    return [part.localName + '.' + part.getAttribute('class'), ...place,
      ...properties.map((name) => style.getPropertyValue(name))].join(' ');
  });
})()`;

describeInBrowsers('figures among the styles of others', (visits) => {
  const elsewhere = elsewhereIn(visits);

  async function measures(styles, attributes) {
    await elsewhere.write('page.css', `${styles} main { display: block; width: 820px }`);
    const page = await elsewhere.visit(
      `<!doctype html><html ${attributes} lang="en"><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="page.css">
<main>${names.map((name) => `<ropewalk-figure name="${name}"></ropewalk-figure>`).join('')}</main>
<script type="module" src="${elsewhere.site.url}elements.js"></script>`,
    );
    const found = {};
    for (const name of names) {
      const figure = await page.figure(name);
      await figure.until('element.width === 820 && element.hasAttribute("drawn")');
      found[name] = await figure.inside(measured);
    }
    return found;
  }

  test('every part has the place, the size and the style that it has on a plain page', async () => {
    const plain = await measures('', '');
    const among = await measures(hostile, 'dir="rtl"');
    for (const name of names) {
      assert.ok(plain[name].length > 30);
      const different = among[name].filter((part, k) => part !== plain[name][k]);
      assert.deepEqual(different.slice(0, 5), [], `${name}: ${different.length} parts`);
    }
  });

  test('--ropewalk-rem sets the size of a figure', async () => {
    const sizes = [];
    for (const rule of ['', 'ropewalk-figure { --ropewalk-rem: 20px }']) {
      const found = await measures(rule, '');
      const question = found['sinusoid-shift'].find((part) => part.startsWith('p.question'));
      sizes.push(Number(/(\S+)px italic/.exec(question)[1]));
    }
    assert.deepEqual(sizes, [21, 26.25]);
  });
});
