/** The gallery and what is copied from it: snippets, pasted into pages of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import markdownIt from 'markdown-it';
import { elsewhereIn } from './support/elsewhere.mjs';
import { figureNames, pages } from './support/figures.mjs';
import { copiedIn, snippetIn, withSettings } from './support/gallery.mjs';
import { valueIn } from './support/page.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

const languages = { en: 'gallery.html', zh: 'zh/gallery.html' };
/** Attributes that mean something else on every element, or on ours. */
const taken = new Set(
  `accesskey autocapitalize autofocus class contenteditable controls dir draggable enterkeyhint figure
   fit height hidden hide id inert inputmode is itemid itemprop itemref itemscope itemtype lang level
   name nonce part popover role slot spellcheck style tabindex theme title translate`.split(/\s+/),
);

describeInChromium('the entries of the gallery', (visit) => {
  const { open } = visit;

  for (const [language, path] of Object.entries(languages)) {
    test(`${language}: every figure is there once, under its chapter, with a still and its attributes`, async () => {
      await open(path);
      const groups = await visit.tab.$$eval('.stills', (all) =>
        all.map((group) => ({
          path: group.querySelector('h2 a').getAttribute('href'),
          figures: [...group.querySelectorAll('.entry')].map(({ id }) => id),
          links: [...group.querySelectorAll('.permalink')].map((a) => a.getAttribute('href')),
        })),
      );
      assert.deepEqual(
        groups,
        pages
          .filter(({ figures }) => figures.length > 0)
          .map((page) => ({
            path: `./${page.path}`,
            figures: page.figures,
            links: page.figures.map((figure) => `./${page.path}#${figure}`),
          })),
      );
      const widths = await visit.tab.$$eval('.entry img', (images) =>
        Promise.all(
          images.map(async (image) => {
            image.loading = 'eager';
            await image.decode();
            return image.naturalWidth;
          }),
        ),
      );
      assert.deepEqual(widths, Array(figureNames.length).fill(736));
      assert.equal(await visit.tab.$('ropewalk-figure'), null, 'no figure is live');
      for (const figureName of figureNames) {
        const listed = await visit.tab.$$eval(`#${figureName} tbody th`, (heads) =>
          heads.map(({ textContent }) => textContent),
        );
        for (const key of listed) assert.ok(!taken.has(key.toLowerCase()), `${figureName}: ${key}`);
        assert.match(
          await snippetIn(visit.tab, figureName, 'html'),
          new RegExp(`name="${figureName}" lang="${language}"`),
        );
      }
      const dim = await visit.tab.$$eval('#sinusoid-heatmap tbody tr', (rows) =>
        [...rows[2].cells].map(({ textContent }) => textContent),
      );
      assert.deepEqual([dim[0], dim[3]], ['dim', '128']);
      assert.match(dim[2], /4 .* 512.* 2$/);
      const examples = await visit.tab.$$eval('.entry:has(.attributes)', (entries) =>
        entries.map((entry) => {
          const rows = [...entry.querySelector('.attributes tbody').rows];
          const usual = rows.map(({ cells }) => [cells[0].textContent, cells[3].textContent]);
          const text = entry.querySelector('.example code').textContent;
          const element = new DOMParser().parseFromString(text, 'text/html').body.firstElementChild;
          const given = element.getAttributeNames().map((key) => [key, element.getAttribute(key)]);
          return { id: entry.id, usual: Object.fromEntries(usual), given };
        }),
      );
      for (const { id, usual, given } of examples) {
        const [[key, name], ...settings] = given;
        assert.deepEqual([key, name, settings.length > 0], ['name', id, true]);
        const defaults = new Map();
        for (const [one, value] of Object.entries(usual)) defaults.set(one.toLowerCase(), value);
        for (const [setting, word] of settings) {
          assert.ok(defaults.has(setting), `${id} has no ${setting}`);
          assert.notEqual(word, defaults.get(setting), `${id}: ${setting}`);
        }
      }
      await visit.assertAccessible();
    });
  }

  test('every page and the gallery lead to each other, in the same language', async () => {
    for (const path of ['', 'zh/']) {
      await open(path);
      const there = await visit.tab.$eval('footer [href*="gallery"]', ({ href }) => href);
      assert.equal(there, `${visit.site.address}${path}gallery.html`);
      await open(`${path}gallery.html`);
      const back = await visit.tab.$eval('.mark', ({ href }) => href);
      assert.equal(back, `${visit.site.address}${path}`);
    }
  });
});

// Firefox cannot be driven without scripts.
describeInChromium('a pasted element without scripts', (visit) => {
  const elsewhere = elsewhereIn(visit);

  test('keeps no more place than its still needs', async () => {
    await visit.open('gallery.html', { address: elsewhere.site.url });
    const snippet = await snippetIn(visit.tab, 'sinusoid-shift', 'html');
    const { page: shown } = await elsewhere.visit(
      `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<p>Before</p>\n${snippet}\n<p>After</p>`,
      { policy: false, prepare: (tab) => tab.setJavaScriptEnabled(false) },
    );
    const gap = await shown.evaluate(async () => {
      const still = document.querySelector('img');
      await still.decode();
      const after = document.querySelectorAll('p')[1].getBoundingClientRect();
      return after.top - still.getBoundingClientRect().bottom;
    });
    assert.ok(gap < 60, `${gap} px`);
  });
});

describeInBrowsers('the gallery', (visit, name) => {
  const { open } = visit;
  const elsewhere = elsewhereIn(visit);

  const settings = {
    'sinusoid-heatmap': { dim: 64, positions: 20 },
    'sinusoid-shift': { offset: 7 },
    'word-order': {},
  };

  /**
   * The snippets of three figures for a kind of host, with settings that are not the defaults added
   * as attributes or parameters.
   */
  async function copied(kind) {
    await open('gallery.html', { address: elsewhere.site.url });
    const texts = [];
    for (const [figure, words] of Object.entries(settings)) {
      texts.push(withSettings(await snippetIn(visit.tab, figure, kind), figure, words));
    }
    return texts;
  }

  async function assertRealNumbers() {
    const shown = elsewhere.page;
    const { columns, rows } = await (await shown.figure('sinusoid-heatmap')).csv();
    assert.deepEqual([rows.length, columns.length], [20, 65]);
    assert.ok(Math.abs(Number(rows[3][1]) - Math.sin(3)) < 1e-6);
    const shift = await shown.figure('sinusoid-shift');
    assert.equal(await shift.inside(`root.getElementById('offset').value`), '7');
    assert.ok((await (await shown.figure('word-order')).number('change-with')) > 0.1);
  }

  test('the address of a figure in the gallery opens its entry, and a picture leads to the chapter', async () => {
    await open('zh/gallery.html#sinusoid-shift');
    const isOpen = (id) => document.querySelector(`#${id} details`).hasAttribute('open');
    assert.ok(await visit.tab.evaluate(isOpen, 'sinusoid-shift'));
    assert.ok(!(await visit.tab.evaluate(isOpen, 'sinusoid-heatmap')));
    const top = await visit.tab.$eval('#sinusoid-shift', (entry) =>
      Math.round(entry.getBoundingClientRect().top),
    );
    assert.ok(top >= 0 && top < 900, `${top}`);
    await visit.tab.evaluate(() => (location.hash = '#sinusoid-heatmap'));
    await visit.tab.waitForFunction(isOpen, { polling: 50 }, 'sinusoid-heatmap');
    const link = await visit.tab.$eval('#sinusoid-shift .permalink', ({ href }) => href);
    assert.equal(link, `${visit.site.address}zh/sinusoid.html#sinusoid-shift`);
  });

  for (const path of ['gallery.html', 'guides.html', 'zh/guides.html'])
    test(`/${path}: the button of a snippet copies its code, not the name of a file`, async () => {
      await open(path);
      const all = await copiedIn(visit.tab);
      assert.ok(all.length > 10, `${all.length} snippets`);
      for (const { shown, copied } of all) assert.equal(copied, shown);
    });

  test('three elements pasted into a plain page of another site draw real numbers', async () => {
    const snippets = await copied('html');
    await elsewhere.visit(
      `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">\n${snippets.join('\n')}`,
    );
    await assertRealNumbers();
    await elsewhere.page.assertNoComplaint();
  });

  test('what follows a pasted element has its place before the script runs, and keeps it', async () => {
    const [snippet] = await copied('html');
    const [, address, element] = /src="([^"]+)" async><\/script>\n(.*)/s.exec(snippet);
    const { page: shown } = await elsewhere.visit(
      `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">
<p>Before</p>\n${element}\n<p>After</p>`,
      { prepare: (tab) => tab.setViewport({ width: 1000, height: 4000 }) },
    );
    const place = () => shown.$$eval('p', ([, after]) => after.getBoundingClientRect().top);
    const kept = await place();
    const height = Number(/ height="(\d+)"/.exec(element)[1]);
    assert.ok(kept > height, `${kept} > ${height}`);
    await shown.addScriptTag({ url: address, type: 'module' });
    await elsewhere.page.figure('sinusoid-heatmap');
    const moved = Math.abs((await place()) - kept);
    assert.ok(moved < 10, `moved by ${moved}`);
    await elsewhere.page.assertNoComplaint();
  });

  test('three elements pasted into a Markdown article draw real numbers', async () => {
    const snippets = await copied('html');
    const article = `# An article\n\nSome *text* first.\n\n${snippets.join('\n\nMore text.\n\n')}\n\nThe end.\n`;
    const body = markdownIt({ html: true }).render(article);
    await elsewhere.visit(
      `<!doctype html><html lang="zh"><meta charset="utf-8"><title>An article</title><link rel="icon" href="data:,">${body}`,
    );
    await assertRealNumbers();
    const figure = await elsewhere.page.figure('sinusoid-shift');
    assert.match(
      await figure.text('.question'),
      /^[^\u4e00-\u9fff]+$/,
      'in the language of the gallery',
    );
    await elsewhere.page.assertNoComplaint();
  });

  for (const kind of ['plain', 'Markdown']) {
    test(`three frames pasted into a ${kind} page draw and take the height of their figures`, async () => {
      const snippets = await copied('frame');
      const body =
        kind === 'plain'
          ? snippets.join('\n')
          : markdownIt({ html: true }).render(
              `# An article\n\n${snippets.join('\n\nMore text.\n\n')}\n`,
            );
      await elsewhere.visit(
        `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">\n${body}`,
        // So low that no frame ends in sight, where it would keep its height.
        { policy: false, prepare: (tab) => tab.setViewport({ width: 1000, height: 300 }) },
      );
      const { page: shown } = elsewhere.page;
      for (const handle of await shown.$$('iframe')) {
        await handle.evaluate((frame) => frame.scrollIntoView({ behavior: 'instant' }));
        const frame = await handle.contentFrame();
        // The frame is made as high as what it shows; one whose end is in sight becomes no lower.
        const isFitting = await valueIn(
          frame,
          () =>
            document.querySelector('ropewalk-figure')?.hasAttribute('drawn') &&
            document.documentElement.getBoundingClientRect().height < innerHeight + 2,
        );
        assert.ok(isFitting, frame.url());
      }
      const [heatmap] = await shown.$$('iframe');
      const rows = await (
        await heatmap.contentFrame()
      ).evaluate(async () => {
        const figure = document.querySelector('ropewalk-figure');
        /** @type {HTMLElement} */ (figure.shadowRoot.querySelector('.actions button')).click();
        await figure.updateComplete;
        const rows = figure.shadowRoot.querySelector('.table tbody').querySelectorAll('tr');
        return [...rows].map((row) => row.cells[1].textContent);
      });
      assert.equal(rows.length, 20);
      assert.ok(Math.abs(Number(rows[3]) - Math.sin(3)) < 1e-6);
    });
  }

  test('the height of each snippet is enough for its figure in columns of 600 pixels and more', async () => {
    const found = [];
    for (const [turn, [language, path]] of Object.entries(languages).entries()) {
      await open(path, { address: elsewhere.site.url });
      const all = await visit.tab.$$eval('.entry', (entries) =>
        entries.map(({ id, dataset }) => [id, Number(dataset.height)]),
      );
      // As in figures.mjs: with others than Chromium the languages take turns.
      const tried = all.filter((_, k) => name === 'chromium' || k % 2 === turn);
      for (const [figure, height] of tried) {
        const folder = language === 'zh' ? 'zh/' : '';
        await open(`${folder}figure/${figure}/`, { width: 600, address: elsewhere.site.url });
        await visit.page.figure(figure);
        for (const width of [600, 680, 760, 860]) {
          // Higher than every figure: Firefox's scroll bar would take from the width.
          await visit.tab.setViewport({ width, height: 4000 });
          const needed = await visit.tab.evaluate(async () => {
            // As in a frame.
            document.body.classList.remove('alone');
            const figure = document.querySelector('ropewalk-figure');
            const isLaid = () => figure.width === Math.floor(figure.getBoundingClientRect().width);
            do await new Promise(requestAnimationFrame);
            while (!isLaid() || figure.isUpdatePending);
            return document.documentElement.getBoundingClientRect().height;
          });
          if (needed > height) found.push([language, figure, width, needed, height].join(' '));
        }
      }
    }
    assert.deepEqual(found, []);
  });

  for (const [language, path] of Object.entries(languages)) {
    test(`${language}: what is set in the figure of an entry is in its snippets and links`, async () => {
      await open(`${path}#rotary-clocks`);
      const figure = await visit.page.figure('rotary-clocks');
      const all = async () => {
        const kinds = await visit.tab.$$eval('#rotary-clocks [role="tab"]', (tabs) =>
          tabs.map(({ dataset }) => dataset.kind),
        );
        const texts = [];
        for (const kind of kinds) texts.push(await snippetIn(visit.tab, 'rotary-clocks', kind));
        const links = await visit.tab.$$eval('#rotary-clocks a:is(.permalink, .alone)', (found) =>
          found.map(({ href }) => href),
        );
        return [...texts, ...links];
      };
      for (const text of await all()) assert.doesNotMatch(text, /shift/);
      await figure.set('shift', 1000);
      const [elements, links] = [[], []];
      for (const text of await all())
        (text.includes('<ropewalk-figure') ? elements : links).push(text);
      assert.deepEqual([elements.length, links.length], [4, 4]);
      for (const text of elements) {
        assert.match(text, / name="rotary-clocks" shift="1000" lang=/);
        assert.match(text, /<a href="[^"]*\?rotary-clocks\.shift=1000#rotary-clocks">/);
      }
      const folder = language === 'zh' ? 'zh/' : '';
      const alone = `${visit.site.address}${folder}figure/rotary-clocks/?shift=1000`;
      const chapter = `${visit.site.address}${folder}rotation.html?rotary-clocks.shift=1000#rotary-clocks`;
      assert.deepEqual(links.slice(2), [chapter, alone]);
      for (const text of links.slice(0, 2)) assert.ok(text.includes(`src="${alone}"`), text);
      await figure.set('shift', await figure.inside('element.figure.controls.shift.default'));
      for (const text of await all()) assert.doesNotMatch(text, /shift/);
    });
  }

  test('the tabs work by keys, and what is chosen holds for every figure', async () => {
    await open('gallery.html#word-order');
    const chosen = (id) =>
      visit.tab.$eval(`#${id} [aria-selected="true"]`, ({ dataset }) => dataset.kind);
    await visit.tab.focus('#word-order-html');
    for (const [key, kind] of /** @type {[import('puppeteer-core').KeyInput, string][]} */ ([
      ['ArrowRight', 'hugo'],
      ['End', 'frame'],
      ['ArrowRight', 'html'],
      ['ArrowLeft', 'frame'],
      ['Home', 'html'],
      ['ArrowRight', 'hugo'],
    ])) {
      await visit.tab.keyboard.press(key);
      assert.equal(await chosen('word-order'), kind);
      assert.equal(await visit.tab.evaluate(() => document.activeElement.id), `word-order-${kind}`);
    }
    assert.equal(await chosen('sinusoid-shift'), 'hugo');
    await visit.assertAccessible();
  });
});
