/** Figures on pages of others: from another origin, under their policies, among their styles. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createServer } from 'vite';
import { sweep } from '../support/sweep.mjs';
import { elsewhereIn } from './support/elsewhere.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const configFile = join(import.meta.dirname, '..', '..', 'web', 'vite.config.ts');
const packageFolder = join(import.meta.dirname, '..', '..', 'dist', 'package');

const documentOf = (body, { lang = 'en', script, head = '' }) => `<!doctype html>
<html lang="${lang}"><meta charset="utf-8"><title>Another page</title>
<link rel="icon" href="data:,">${head}
<h1>Another page</h1>
${body}
<script type="module" src="${script}"></script>`;

const three = `<ropewalk-figure name="sinusoid-heatmap" positions="20" dim="64"></ropewalk-figure>
<ropewalk-figure name="sinusoid-shift" offset="7"></ropewalk-figure>
<ropewalk-figure name="word-order"></ropewalk-figure>`;

test('the server of npm run dev lets pages of every origin load elements.js', async () => {
  const server = await createServer({ configFile, logLevel: 'silent', server: { port: 0 } });
  try {
    await server.listen();
    const { headers } = await fetch(`${server.resolvedUrls.local[0]}elements.js`, {
      headers: { Origin: 'https://blog.example' },
    });
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('content-type'), /javascript/);
  } finally {
    await server.close();
  }
});

describeInBrowsers('figures elsewhere', (visits) => {
  const elsewhere = elsewhereIn(visits);
  let page;

  const script = () => `${elsewhere.site.url}elements.js`;

  /**
   * @param {string} body
   * @param {{ workers?: string, lang?: string, script?: string, head?: string }} [options]
   */
  async function visit(body, { workers, ...rest } = {}) {
    page = await elsewhere.visit(documentOf(body, { script: script(), ...rest }), { workers });
  }

  /** PE(3, 0) = sin 3 and the residual of C07: numbers that a page without the core cannot have. */
  async function assertRealNumbers() {
    const table = await (await page.figure('sinusoid-heatmap')).csv();
    assert.deepEqual([table.rows.length, table.columns.length], [20, 65]);
    assert.ok(Math.abs(Number(table.rows[3][1]) - Math.sin(3)) < 1e-6);
    assert.ok(Math.abs(Number(table.rows[19][2]) - Math.cos(19)) < 1e-6);
    const shift = await page.figure('sinusoid-shift');
    assert.equal(await shift.inside(`root.getElementById('offset').value`), '7');
    const order = await page.figure('word-order');
    assert.ok((await order.number('change-with')) > 0.1);
  }

  test('three figures from another origin share one worker and keep to the policy', async () => {
    await visit(three);
    await assertRealNumbers();
    assert.equal(await page.page.evaluate(() => globalThis.workerCount), 1);
    await page.assertNoComplaint();
    const asked = await page.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((url) => /lab-|dot_product-/.test(url)),
    );
    assert.deepEqual(asked, [], 'figures that are not on the page are not loaded');
  });

  test('where the policy forbids workers, the page computes the same numbers itself', async () => {
    await visit(three, { workers: "'none'" });
    await assertRealNumbers();
    const figure = await page.figure('sinusoid-heatmap');
    await figure.set('dim', 8);
    assert.equal((await figure.csv()).columns.length, 9);
  });

  sweep(
    'a list of policies for Trusted Types that lacks ours leaves figures their worker',
    async () => {
      const list = 'trusted-types lit-html';
      await visit(three, {
        head: `<meta http-equiv="Content-Security-Policy" content="${list}">`,
      });
      await assertRealNumbers();
      assert.equal(await page.page.evaluate(() => globalThis.workerCount), 1);
    },
  );

  sweep(
    'a script loaded twice, from two addresses, changes nothing and throws nothing',
    async () => {
      const again = `<script type="module" src="${script()}?again"></script>`;
      await visit(three, { head: again });
      await assertRealNumbers();
      await page.assertNoComplaint();
    },
  );

  test('no attribute that is documented is a property of the element, but lang', async () => {
    await visits.open('gallery.html');
    const names = await visits.tab.evaluate(async () => {
      await import(new URL('elements.js', location.href).href);
      await customElements.whenDefined('ropewalk-figure');
      const keys = [...document.querySelectorAll('main tbody th')].map((head) => head.textContent);
      const element = document.createElement('ropewalk-figure');
      return { count: keys.length, found: [...new Set(keys)].filter((key) => key in element) };
    });
    assert.ok(names.count > 200, `${names.count} attributes`);
    assert.deepEqual(names.found, ['lang']);
  });

  sweep('attributes that a framework writes as React 19 does make a figure', async () => {
    await visit('<main></main>');
    await page.page.evaluate(async () => {
      await customElements.whenDefined('ropewalk-figure');
      /** What React does with a custom element: a property where there is one, else an attribute. */
      const give = (element, given) => {
        for (const [key, value] of Object.entries(given)) {
          if (key in element) element[key] = value;
          else if (value === undefined || value === null || value === false)
            element.removeAttribute(key);
          else element.setAttribute(key, value === true ? '' : value);
        }
      };
      const element = document.createElement('ropewalk-figure');
      give(element, { name: 'attention-row', lang: 'en', level: 2, height: 700, theme: 'dark' });
      give(element, { controls: 'causal', hide: undefined, fit: false, causal: true });
      document.querySelector('main').append(element);
      globalThis.give = (given) => give(element, given);
    });
    const figure = await page.figure('attention-row');
    const seen = () =>
      figure.inside(`[element.state.causal, root.querySelector('.question')?.getAttribute('aria-level') ?? null,
        [...root.querySelectorAll('.controls [id]')].map(({ id }) => id).join()]`);
    assert.deepEqual(await seen(), [true, '2', 'causal']);
    await figure.drawnAfter(() =>
      page.page.evaluate(() => globalThis.give({ causal: undefined, hide: 'title' })),
    );
    assert.deepEqual(await seen(), [false, null, 'causal']);
    await page.assertNoComplaint();
  });

  test('the styles of the page stay outside, those of the figure inside', async () => {
    await elsewhere.write(
      'page.css',
      `* { letter-spacing: 9px; text-transform: uppercase; box-sizing: border-box }
       button, svg, label { display: none !important } h1 { color: rgb(1, 2, 3) }`,
    );
    await visit(three, { head: '<link rel="stylesheet" href="page.css">' });
    const figure = await page.figure('sinusoid-heatmap');
    const style =
      await figure.inside(`[...root.querySelectorAll('.question, label, svg, .actions button')]
      .map((part) => getComputedStyle(part)).map(({ letterSpacing, textTransform, display }) =>
        [letterSpacing, textTransform, display !== 'none'].join())`);
    assert.deepEqual([...new Set(style)], ['normal,none,true']);
    const outside = await page.page.evaluate(() => [
      document.styleSheets.length,
      document.adoptedStyleSheets.length,
      getComputedStyle(document.querySelector('h1')).color,
    ]);
    assert.deepEqual(outside, [1, 0, 'rgb(1, 2, 3)']);
  });

  test('where its content sets its width, a figure is as wide as a text, or as its column', async () => {
    const rules = {
      flex: '.flex { display: flex }',
      float: '.float > * { float: left }',
      inline: '.inline > * { display: inline-block }',
      grid: '.grid { display: grid; justify-items: start }',
    };
    await elsewhere.write('page.css', Object.values(rules).join('\n'));
    const figure = '<ropewalk-figure name="sinusoid-shift"></ropewalk-figure>';
    const boxes = Object.keys(rules).map((place) => `<div class="${place}">${figure}</div>`);
    await visit(`<main>${boxes.join('')}</main>`, {
      head: '<link rel="stylesheet" href="page.css">',
    });
    for (const [column, width] of [
      [600, 600],
      [900, 46 * 16],
    ]) {
      const widths = await page.page.evaluate(async (to) => {
        await customElements.whenDefined('ropewalk-figure');
        document.querySelector('main').style.width = `${to}px`;
        const figures = [...document.querySelectorAll('ropewalk-figure')];
        await Promise.all(figures.map((one) => one.load()));
        const shown = () => figures.map((one) => one.getBoundingClientRect().width);
        const isDone = () =>
          figures.every((one, k) => one.hasAttribute('drawn') && one.width === shown()[k]);
        for (let frame = 0; frame < 300 && !isDone(); frame++)
          await new Promise(requestAnimationFrame);
        return shown();
      }, column);
      assert.deepEqual(widths, Array(boxes.length).fill(width));
    }
  });

  test('language and theme come from the nearest element that sets them, and may change', async () => {
    await visit(`<section lang="zh-Hans">${three}</section>`);
    const figure = await page.figure('sinusoid-heatmap');
    assert.match(await figure.text('.question'), /长什么样/);
    const change = (attribute, value) =>
      figure.inside(`(element.setAttribute('${attribute}', '${value}'), 0)`);
    await figure.drawnAfter(() => change('lang', 'en'));
    assert.match(await figure.text('.question'), /What does a position look like/);
    await figure.drawnAfter(() => change('dim', '32'));
    assert.equal((await figure.csv()).columns.length, 33);
    await change('dim', 'wide');
    await figure.inside('element.updateComplete.then(() => 0)');
    assert.match(await figure.text('.note'), /Width: .* “wide”.* 32 is shown/);
    const paper = () => figure.inside('getComputedStyle(element).backgroundColor');
    await change('theme', 'light');
    const light = await paper();
    await change('theme', 'dark');
    assert.notEqual(await paper(), light);
  });

  sweep('the content of the element shows until it draws, and without JavaScript', async () => {
    const inside = `<ropewalk-figure name="word-order"><a href="x">To the figure</a></ropewalk-figure>`;
    await visit(inside, { script: 'data:text/javascript,' });
    assert.equal(
      await page.page.$eval('ropewalk-figure', ({ innerText }) => innerText),
      'To the figure',
    );
  });

  test('the package’s own copy draws from any folder', async () => {
    const from = await elsewhere.share(packageFolder, '/node_modules/ropewalk/');
    const html = documentOf(three, { script: `${from.url}elements/elements.js` });
    page = await elsewhere.visit(html, { policy: false, from });
    await assertRealNumbers();
    const figure = await page.figure('sinusoid-heatmap');
    const buttons = await figure.inside(
      `[...root.querySelectorAll('.actions button')].map(({ textContent }) => textContent.trim())`,
    );
    assert.deepEqual(buttons, ['Values', 'CSV', 'PNG', 'SVG', 'Reset'], 'no page to link to');
    await page.assertNoComplaint();
  });
});
