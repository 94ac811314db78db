/** The page as a whole: what it loads, what it keeps, what it survives, whom it serves. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertAccessible } from './support/axe.mjs';
import { browserNames } from './support/browser.mjs';
import { Figure, siteFolder } from './support/page.mjs';
import { serve } from './support/server.mjs';
import { visits } from './support/visits.mjs';

const languages = { en: '', zh: 'zh/' };

const index = await readFile(join(siteFolder, 'index.html'), 'utf8');
const figureNames = [...index.matchAll(/<ropewalk-figure\b[^>]*\bname="([^"]+)"/g)].map(
  ([, name]) => name,
);

for (const name of browserNames) {
  describe(`the page in ${name}`, () => {
    const visit = visits(name);
    const { open } = visit;

    for (const [language, path] of Object.entries(languages)) {
      test(`${language}: every figure draws under the strict policy, from a sub-path, without a foreign request`, async (t) => {
        await open(path);
        for (const figureName of figureNames) {
          await t.test(figureName, async () => {
            const figure = await visit.page.figure(figureName);
            assert.notEqual(await figure.drawing(), '');
            assert.equal(await figure.text('.fault'), undefined);
          });
        }
        await visit.page.assertNoComplaint();
      });

      test(`${language}: axe finds nothing to complain about, light and dark`, async () => {
        await open(path);
        for (const figureName of figureNames) await visit.page.figure(figureName);
        await assertAccessible(visit.tab);
      });

      test(`${language}: a phone 360 pixels wide never scrolls sideways`, async () => {
        await open(path, { width: 360 });
        for (const figureName of figureNames) await visit.page.figure(figureName);
        const [content, view] = await visit.tab.evaluate(() => {
          const { scrollWidth, clientWidth } = document.scrollingElement;
          return [scrollWidth, clientWidth];
        });
        assert.ok(content <= view, `${content} > ${view}`);
      });
    }

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
      await open(`?${new URLSearchParams(garbage)}&sinusoid-heatmap.column=%E0%A4%A`);
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
      assert.equal(
        await figure.text('.note'),
        undefined,
        'the notes go once the reader takes over',
      );
      await visit.page.assertNoComplaint();
    });

    test('the address keeps the settings, without those of others being lost', async () => {
      await open('?utm_source=elsewhere');
      const figure = await visit.page.figure('sinusoid-heatmap');
      await figure.set('dim', 64);
      await figure.set('layout', 'half-split');
      await visit.tab.waitForFunction(() => location.search.includes('layout'));
      const search = await visit.tab.evaluate(() => location.search);
      assert.equal(
        search,
        '?utm_source=elsewhere&sinusoid-heatmap.dim=64&sinusoid-heatmap.layout=half-split',
      );
      await visit.page.open(search);
      const { columns } = await (await visit.page.figure('sinusoid-heatmap')).csv();
      assert.equal(columns.length, 65);
    });

    test('the other language is one click away and keeps settings and place', async () => {
      await open('#a-shift-is-a-rotation');
      await (await visit.page.figure('sinusoid-shift')).set('offset', 7);
      await Promise.all([
        visit.tab.waitForNavigation(),
        visit.tab.evaluate(() => document.getElementById('other-language').click()),
      ]);
      const { pathname, search, hash } = new URL(visit.tab.url());
      assert.equal(pathname, '/some/where/zh/');
      assert.equal(search, '?sinusoid-shift.offset=7');
      assert.equal(hash, '#a-shift-is-a-rotation');
      const figure = await visit.page.figure('sinusoid-shift');
      assert.match(await figure.text('.question'), /[\u4e00-\u9fff]/);
      assert.equal(await figure.inside(`root.getElementById('offset').value`), '7');
    });

    test('the theme is the reader’s choice and is kept', async () => {
      await open();
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
      assert.equal(await background(), after);
      await visit.tab.evaluate(() => localStorage.clear());
    });

    test('a slider obeys the keyboard and says its value; a double click resets it', async () => {
      await open();
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
      await open();
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
      await open();
      for (const figureName of ['sinusoid-heatmap', 'sinusoid-dot-product', 'sinusoid-shift']) {
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
        assert.ok(width > 1000 && height > 500, `${width} × ${height}`);
        await figure.inside(
          `(root.querySelector('.actions button').click(), element.updateComplete.then(() => 0))`,
        );
        assert.ok((await figure.inside(`root.querySelectorAll('.table tbody tr').length`)) > 10);
      }
      await visit.page.assertNoComplaint();
    });

    test('C01 the first screen shows it: words change places, and only position makes weights change', async () => {
      await open();
      const figure = await visit.page.figure('word-order');
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
        await open('', { address: crippled.address });
        const fault = await new Figure(visit.tab, 'sinusoid-heatmap').until(
          `(element.scrollIntoView({ behavior: 'instant' }), root.querySelector('.fault')?.textContent)`,
        );
        assert.match(fault, /^This could not be computed: .*\.wasm answered 404/);
        const text = await visit.tab.evaluate(() => document.body.innerText);
        assert.ok(text.includes('A shift is a rotation'));
      } finally {
        await crippled.close();
        await rm(folder, { recursive: true });
      }
    });

    test('a figure of an unknown name lists the known ones', async () => {
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

    test('the title says which chapter is in view, and every chapter leads on', async () => {
      await open();
      const titled = (wanted) =>
        visit.tab.waitForFunction((title) => document.title === title, { polling: 50 }, wanted);
      await titled('Ropewalk: position in attention, to see and to move');
      const chapters = await visit.tab.$$eval('.chapter', (all) =>
        all.map((chapter) => ({
          id: chapter.id,
          title: chapter.querySelector('h2').textContent,
          onward: [...chapter.querySelectorAll('.onward a')].map((link) =>
            link.getAttribute('href'),
          ),
        })),
      );
      const listed = await visit.tab.$$eval('.contents a', (links) =>
        links.map((link) => link.getAttribute('href').slice(1)),
      );
      assert.deepEqual(
        listed,
        chapters.map(({ id }) => id),
      );
      for (const [k, { id, title, onward }] of chapters.entries()) {
        await visit.tab.evaluate((wanted) => {
          document.documentElement.style.scrollBehavior = 'auto';
          location.hash = wanted;
        }, id);
        await titled(`${title} · Ropewalk`);
        const next = chapters[k + 1];
        assert.deepEqual(onward, [...(next ? [`#${next.id}`] : []), '#contents']);
      }
    });

    test('the card of a link has its picture, 1200 × 630, in both languages', async () => {
      for (const [language, path] of Object.entries(languages)) {
        await open(path);
        const meta = await visit.tab.$$eval('meta[property^="og:"]', (all) =>
          Object.fromEntries(all.map((one) => [one.getAttribute('property'), one.content])),
        );
        assert.equal(meta['og:title'], await visit.tab.title());
        const size = await visit.tab.evaluate(async (address) => {
          const image = new Image();
          image.src = address;
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        }, meta['og:image']);
        assert.deepEqual(size, [1200, 630], language);
      }
    });

    test(
      'paper shows every figure drawn, in light, without its controls',
      { skip: name !== 'chromium' && `${name} cannot be told to show a page as on paper` },
      async (t) => {
        // The words shuffle themselves over time, unless reduced motion is emulated.
        const still = [{ name: 'prefers-reduced-motion', value: 'reduce' }];
        await open('', { prepare: (tab) => tab.emulateMediaFeatures(still) });
        const order = await visit.page.figure('word-order');
        const fills = `[...root.querySelectorAll('svg rect')].map((bar) => bar.getAttribute('fill')).join()`;
        const light = await order.inside(fills);
        await visit.tab.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
        await order.until(`${fills} !== ${JSON.stringify(light)}`);
        // From here on puppeteer emulates no reduced motion: print has to stop motion by itself.
        await visit.tab.emulateMediaType('print');
        await visit.tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
        await order.until(`${fills} === ${JSON.stringify(light)}`);
        for (const figureName of figureNames) {
          await t.test(figureName, async () => {
            const figure = new Figure(visit.tab, figureName);
            await figure.until(`element.hasAttribute('drawn')`);
            const shown =
              await figure.inside(`[...root.querySelectorAll('.controls, .actions, button, input, select, textarea')]
              .filter((part) => part.checkVisibility() && !part.matches('.pair-button, .lab-head')).length`);
            assert.equal(shown, 0);
            assert.equal(await figure.inside('getComputedStyle(element).colorScheme'), 'light');
          });
        }
        assert.equal(await order.inside(fills), light, 'they stand still');
        const onPaperOf = (figureName, selector) =>
          new Figure(visit.tab, figureName).inside(
            `[...root.querySelectorAll('${selector}')].filter((part) => part.checkVisibility()).length`,
          );
        assert.equal(
          await onPaperOf('rotary-clocks', '.pair-button'),
          8,
          'buttons that are drawings',
        );
        const isOn = '.switch:has(:checked) label';
        assert.equal(await onPaperOf('frequency-scalings', isOn), 4, 'names of the curves');
        assert.equal(await onPaperOf('frequency-scalings', '.switch label'), 4, 'and of no others');
      },
    );

    test(
      'without scripts the text is there, and of each figure the question and a still',
      { skip: name !== 'chromium' && `${name} cannot be told so over WebDriver BiDi` },
      async () => {
        for (const [language, shown] of /** @type {const} */ ([
          ['en', /What does a position look like[^]*A shift is a rotation/],
          ['zh', /长什么样[^]*平移就是旋转/],
        ])) {
          await open(languages[language], { prepare: (tab) => tab.setJavaScriptEnabled(false) });
          assert.match(await visit.tab.$eval('main', (main) => main.innerText), shown);
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
            figureNames.map((figureName) => `${figureName}_${language}.webp, 736 pixels wide`),
          );
        }
      },
    );
  });
}
