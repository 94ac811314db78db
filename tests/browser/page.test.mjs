/** A page of the text: what it keeps, what it survives, where it leads. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { few, sweep } from '../support/sweep.mjs';
import { Figure, siteFolder } from './support/page.mjs';
import { serve } from './support/server.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const heatmapPage = 'sinusoid.html';

describeInBrowsers('the page', (visit) => {
  const { claim } = visit;
  const { open } = visit;

  test('a garbage link shows the defaults, with a note that quotes it as text', async () => {
    const garbage = {
      'sinusoid-heatmap.positions': '1e99',
      'sinusoid-heatmap.dim': '-3',
      'sinusoid-heatmap.base': '<script>alert(1)</script>',
      'sinusoid-heatmap.layout': 'x'.repeat(5000),
      'sinusoid-heatmap.order': '0x10',
      'sinusoid-heatmap.__proto__': '1',
      'sinusoid-heatmap.constructor': '1',
      utm_source: 'elsewhere',
    };
    await open(`${heatmapPage}?${new URLSearchParams(garbage)}&sinusoid-heatmap.column=%E0%A4%A`);
    const figure = await visit.page.figure('sinusoid-heatmap');
    const notes = await figure.inside(
      `[...root.querySelectorAll('.note')].map(({ textContent }) => textContent)`,
    );
    assert.equal(notes.length, 8, notes.join('\n'));
    assert.match(notes[0], /Positions: the link says “1e99”, .* 2 to 512 .* 50 is shown/);
    assert.match(notes[2], /“<script>alert\(1\)<\/script>”/);
    assert.ok(notes.every((note) => note.length < 300));
    const { rows, columns } = await figure.csv();
    assert.deepEqual([rows.length, columns.length], [50, 129]);
    await figure.set('positions', 20);
    assert.equal(await figure.text('.note'), undefined, 'the notes go once the reader takes over');
  });

  test('the address keeps the settings, without those of others being lost', async () => {
    await open(`${heatmapPage}?utm_source=elsewhere`);
    const figure = await visit.page.figure('sinusoid-heatmap');
    await figure.set('dim', 64);
    await figure.set('layout', 'half-split');
    await visit.tab.waitForFunction(() => location.search.includes('layout'));
    const search = await visit.tab.evaluate(() => location.search);
    assert.equal(
      search,
      '?utm_source=elsewhere&sinusoid-heatmap.dim=64&sinusoid-heatmap.layout=half-split',
    );
    await visit.page.open(heatmapPage + search);
    const { columns } = await (await visit.page.figure('sinusoid-heatmap')).csv();
    assert.equal(columns.length, 65);
  });

  test('the other language is one click away and keeps settings and place', async () => {
    await open(`${heatmapPage}#a-shift-is-a-rotation`);
    await (await visit.page.figure('sinusoid-shift')).set('offset', 7);
    await visit.tab.evaluate(() => document.getElementById('other-language').click());
    const isThere = () => location.pathname === '/some/where/zh/sinusoid.html';
    await visit.page.until(isThere);
    const { search, hash } = new URL(await visit.address());
    assert.equal(search, '?sinusoid-shift.offset=7');
    assert.equal(hash, '#a-shift-is-a-rotation');
    const figure = await visit.page.figure('sinusoid-shift');
    assert.match(await figure.text('.question'), /[\u4e00-\u9fff]/);
    assert.equal(await figure.inside(`root.getElementById('offset').value`), '7');
  });

  test('the theme is the reader’s choice and is kept', async () => {
    await open(heatmapPage);
    const background = () =>
      visit.tab.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const before = await background();
    const figure = await visit.page.figure('sinusoid-heatmap');
    const drawing = await figure.drawing();
    await visit.tab.click('#theme');
    assert.notEqual(await background(), before);
    await visit.tab.waitForFunction(
      (old) => {
        const { shadowRoot } = document.querySelector('[name="sinusoid-heatmap"]');
        return !old.includes(shadowRoot.querySelector('canvas').toDataURL());
      },
      {},
      drawing,
    );
    const after = await background();
    await visit.page.open();
    assert.equal(await background(), after, 'on another page');
    await visit.tab.evaluate(() => localStorage.clear());
  });

  test('a slider obeys the keyboard and says its value; a double click resets it', async () => {
    await open(heatmapPage);
    const figure = await visit.page.figure('sinusoid-heatmap');
    await figure.inside(`(root.getElementById('positions').focus(), 0)`);
    await figure.drawnAfter(() => visit.tab.keyboard.press('ArrowRight'));
    assert.equal(
      await figure.inside(`root.getElementById('positions').getAttribute('aria-valuetext')`),
      '51',
    );
    assert.equal((await figure.csv()).rows.length, 51);
    await figure.drawnAfter(() =>
      figure.inside(
        `(root.getElementById('positions').dispatchEvent(new MouseEvent('dblclick', { bubbles: true })), 0)`,
      ),
    );
    assert.equal((await figure.csv()).rows.length, 50);
  });

  test('a typed number is brought onto the range, and nonsense changes nothing', async () => {
    await open(heatmapPage);
    const figure = await visit.page.figure('sinusoid-heatmap');
    const typed = (text) =>
      figure.inside(`(() => {
      const field = root.getElementById('dim').closest('.control').querySelector('.exact');
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event('change'));
      return field.value;
    })()`);
    assert.equal(await typed('nonsense'), '128');
    assert.equal(await typed(''), '128');
    await figure.set('dim', 9);
    assert.equal(await figure.inside(`root.getElementById('dim').value`), '10');
    await figure.set('dim', 1e9);
    assert.equal(await figure.inside(`root.getElementById('dim').value`), '512');
    await figure.set('dim', 16);
    assert.equal(await typed('1,00'), '16');
    assert.equal(await typed('1,000,000'), '512', 'as the page itself writes a million');
  });

  test('a drawing leaves as SVG and PNG, its values as a table', async () => {
    await open(heatmapPage);
    for (const figureName of few(['sinusoid-heatmap', 'sinusoid-dot-product', 'sinusoid-shift'])) {
      const figure = await visit.page.figure(figureName);
      const svg = await figure.svg();
      const wellFormed = await visit.tab.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        return (
          parsed.querySelector('parsererror') === null && parsed.querySelectorAll('text').length
        );
      }, svg);
      assert.ok(wellFormed > 5, `${figureName}: ${wellFormed} texts`);
      const [width, height] = await figure.png();
      assert.ok(width > 1000 && height > 300, `${width} × ${height}`);
      await figure.inside(
        `(root.querySelector('.actions button').click(), element.updateComplete.then(() => 0))`,
      );
      assert.ok((await figure.inside(`root.querySelectorAll('.table tbody tr').length`)) > 10);
    }
  });

  claim('C01 words change places, and only position makes weights change', async () => {
    const figure = await visit.figure('word-order');
    assert.ok((await figure.number('change-without')) < 1e-6);
    assert.ok((await figure.number('change-with')) > 0.1);
    const { rows } = await figure.csv();
    assert.equal(rows.length, 18);
    const columns = (from) => rows.map((row) => row.slice(from, from + 3).map(Number));
    const change = (weights) =>
      Math.max(
        ...weights.flatMap((row, k) =>
          row.map((weight, i) => Math.abs(weight - weights[k % 3][i])),
        ),
      );
    assert.ok(change(columns(2)) < 1e-6);
    assert.ok(Math.abs(change(columns(5)) - (await figure.number('change-with'))) < 1e-3);
    for (const weights of [...columns(2), ...columns(5)]) {
      assert.ok(
        Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-6,
        'a row of attention sums to 1',
      );
    }
    // By itself it would go on meanwhile.
    await figure.inside(
      `(root.querySelector('rw-play button').click(), element.updateComplete.then(() => 0))`,
    );
    const before = await figure.drawing();
    await figure.inside(
      `(root.querySelector('.buttons button').click(), element.updateComplete.then(() => 0))`,
    );
    assert.notEqual(await figure.drawing(), before);
  });

  test('where the engine cannot load, figures show a message and the text stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ropewalk-site-'));
    await cp(siteFolder, folder, { recursive: true, filter: (file) => !file.endsWith('.wasm') });
    const crippled = await serve(folder);
    try {
      await open(heatmapPage, { address: crippled.address });
      const fault = await new Figure(visit.tab, 'sinusoid-heatmap').until(
        `(element.scrollIntoView({ behavior: 'instant' }), root.querySelector('.fault')?.textContent)`,
      );
      assert.match(fault, /^This could not be computed: .*\.wasm answered 404/);
      const text = await visit.tab.evaluate(() => document.body.innerText);
      assert.ok(text.includes('A shift is a rotation'));
    } finally {
      // What other figures still load would be refused.
      await visit.tab.goto('about:blank');
      await crippled.close();
      await rm(folder, { recursive: true });
    }
  });

  sweep('a figure that came near while the page was busy draws', async () => {
    /** Reports each crossing together with an earlier look at which nothing was near. */
    const reportLate = () => {
      globalThis.IntersectionObserver = class extends IntersectionObserver {
        constructor(report, options) {
          const earlier = ({ target }) => ({ target, isIntersecting: false });
          super((entries, it) => report([...entries.map(earlier), ...entries], it), options);
        }
      };
    };
    const prepare = (tab) => tab.evaluateOnNewDocument(reportLate);
    await visit.openFigure('word-order', {}, '', { prepare });
    await new Figure(visit.tab, 'word-order').until(`element.hasAttribute('drawn')`);
  });

  sweep('a figure of an unknown name lists the known ones', async () => {
    await open();
    await visit.tab.evaluate(() => {
      const figure = document.createElement('ropewalk-figure');
      figure.setAttribute('name', 'constructor');
      document.querySelector('main').prepend(figure);
      figure.scrollIntoView({ behavior: 'instant' });
    });
    const unknown = new Figure(visit.tab, 'constructor');
    const text = await unknown.until(`root.querySelector('.fault')?.textContent`);
    assert.match(text, /no figure named “constructor”.*sinusoid-heatmap/);
  });

  test('links to other pages keep the model, and leave the settings of this page', async () => {
    await open(`${heatmapPage}?model.preset=gpt-oss-20b&sinusoid-heatmap.dim=32`);
    const follow = async (selector, path) => {
      // The address that is followed: figures that follow the model soon add their settings to it.
      const href = await visit.tab.$eval(selector, (link) => {
        link.click();
        return /** @type {HTMLAnchorElement} */ (link).href;
      });
      const isThere = (wanted) =>
        location.pathname === wanted && document.readyState === 'complete';
      await visit.page.until(isThere, `/some/where/${path}`);
      const { search, hash } = new URL(href);
      return search + hash;
    };
    const model = '?model.preset=gpt-oss-20b';
    assert.equal(await follow('[rel="prev"]', 'waves.html'), model);
    assert.equal(await follow('[rel="next"]', 'sinusoid.html'), model);
    assert.equal(await follow('.mark', ''), model);
    const decay = await follow('.map a[href$="#rotary-decay"]', 'rotation.html');
    assert.equal(decay, `${model}#rotary-decay`);
    const figure = await visit.page.figure('rotary-wavelengths');
    await figure.until(
      `root.getElementById('base').closest('.control').querySelector('.exact').value === '150000'`,
    );
    const twin = await follow('#other-language', 'zh/rotation.html');
    assert.match(twin, /^\?model\.preset=gpt-oss-20b.*#rotary-decay$/);
  });
});
