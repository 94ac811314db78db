/** A figure on its own address: alone, in a frame, in compact forms, and without scripts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'parse5';
import { few } from '../support/sweep.mjs';
import { elsewhereIn } from './support/elsewhere.mjs';
import { figureNames, languages, pageOf } from './support/figures.mjs';
import { siteFolder } from './support/page.mjs';
import { describeInBrowsers, describeInChromium } from './support/visits.mjs';

const documentOf = (body, head = '') => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Another page</title>
<link rel="icon" href="data:,">${head}<h1>Another page</h1>
${body}`;

/** All elements of a parsed document in order. */
const elementsIn = (node) => [node, ...(node.childNodes ?? []).flatMap(elementsIn)];
const attribute = (element, name) => element.attrs.find((one) => one.name === name)?.value;

test('every figure has a page in both languages, with a card, its still and its chapter', () => {
  for (const [language, folder] of few(Object.entries(languages))) {
    for (const name of figureNames) {
      const path = `${folder}figure/${name}/`;
      const text = readFileSync(join(siteFolder, path, 'index.html'), 'utf8');
      const all = elementsIn(parse(text, { scriptingEnabled: false })).filter(({ attrs }) => attrs);
      const one = (tag, test = (_) => true) => all.filter((el) => el.tagName === tag && test(el));
      const meta = (property) =>
        attribute(one('meta', (el) => attribute(el, 'property') === property)[0], 'content');
      const toSite = language === 'en' ? '../../' : '../../../';
      assert.match(attribute(one('html')[0], 'lang'), new RegExp(`^${language}`));
      assert.ok(meta('og:title').length > 1 && meta('og:description').length > 5, path);
      assert.equal(attribute(one('ropewalk-figure')[0], 'name'), name);
      const still = `${toSite}stills/${name}_${language}.webp`;
      assert.deepEqual(
        one('img').map((el) => attribute(el, 'src')),
        [still],
      );
      const links = one('a').map((el) => attribute(el, 'href'));
      assert.deepEqual(links, Array(2).fill(`../../${pageOf(name)}#${name}`));
      const twin = one('link', (el) => attribute(el, 'hreflang'))[0];
      const other = language === 'en' ? 'zh/' : '';
      assert.equal(attribute(twin, 'href'), `${toSite}${other}figure/${name}/`);
    }
  }
});

// Firefox cannot be driven without scripts.
describeInChromium('the page of a figure without scripts', (visit) => {
  test('it has the question, the still and the way to the chapter', async () => {
    await visit.open('figure/sinusoid-shift/', {
      prepare: (tab) => tab.setJavaScriptEnabled(false),
    });
    const shown = await visit.tab.evaluate(() => ({
      text: document.body.innerText,
      links: [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')),
      still: document.querySelector('img').getBoundingClientRect().width,
    }));
    assert.match(shown.text, /Read the chapter/);
    assert.ok(shown.still > 300, `${shown.still}`);
    assert.deepEqual(shown.links, Array(2).fill('../../sinusoid.html#sinusoid-shift'));
  });
});

describeInBrowsers('the page of a figure', (visit) => {
  const { open } = visit;
  const elsewhere = elsewhereIn(visit);
  const folder = (name, search = '', language = '') => `${language}figure/${name}/${search}`;

  test('it obeys the strict policy, keeps settings in its address and says what is wrong with it', async () => {
    await open(
      folder('sinusoid-shift', '?offset=7&theme=dark&dim=%3Cb%3E&onclick=alert(1)&style=x', 'zh/'),
    );
    const figure = await visit.page.figure('sinusoid-shift');
    const question = await figure.text('.question');
    assert.match(question, /[\u4e00-\u9fff]/);
    assert.equal(await visit.tab.title(), question);
    assert.equal(await figure.inside(`root.getElementById('offset').value`), '7');
    assert.equal(await figure.inside(`root.querySelectorAll('.note').length`), 3);
    assert.equal(await visit.tab.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await figure.set('offset', 9);
    await visit.tab.waitForFunction(() => location.search.includes('offset=9'));
    assert.equal(await visit.tab.evaluate(() => location.search), '?theme=dark&offset=9');
    const chapter = await visit.tab.$eval('.credit a', ({ href }) => href);
    assert.equal(
      chapter,
      `${visit.site.address}zh/sinusoid.html?sinusoid-shift.offset=9#sinusoid-shift`,
    );
  });

  test('the address of earlier versions shows the same, and an unknown name says which there are', async () => {
    await open('embed.html?figure=sinusoid-shift&offset=7&lang=zh');
    const before = await visit.page.figure('sinusoid-shift');
    const [drawing, table] = [await before.drawing(), await before.csv()];
    await open(folder('sinusoid-shift', '?offset=7', 'zh/'));
    const now = await visit.page.figure('sinusoid-shift');
    assert.equal(await now.drawing(), drawing);
    assert.deepEqual(await now.csv(), table);
    await open('embed.html?figure=constructor');
    const fault = await visit.tab.waitForFunction(
      () =>
        document.querySelector('ropewalk-figure').shadowRoot?.querySelector('.fault')?.textContent,
      { polling: 50 },
    );
    assert.match(String(await fault.jsonValue()), /“constructor”.*sinusoid-shift/);
  });

  const shownParts = (figure) =>
    figure.inside(`(root.querySelector('.actions')?.setAttribute('open', ''), Object.entries({ title: '.question', controls: '.controls .control',
      caption: 'figcaption', actions: '.actions', values: '.actions [aria-expanded]',
      readout: '.readout' })
      .filter(([, selector]) => root.querySelector(selector)?.checkVisibility())
      .map(([part]) => part).join())`);

  test('hide leaves parts out, controls shows chosen ones, and a bad name is reported once', async () => {
    await open(folder('one-number'));
    const whole = await visit.page.figure('one-number');
    assert.equal(await shownParts(whole), 'title,controls,caption,actions,values,readout');
    for (const [hide, left] of [
      ['title,caption,credit', 'controls,actions,values,readout'],
      ['actions%20readout', 'title,controls,caption'],
      ['values,controls', 'title,caption,actions,readout'],
    ]) {
      await open(folder('one-number', `?hide=${hide}`));
      const figure = await visit.page.figure('one-number');
      assert.equal(await shownParts(figure), left, hide);
      const name = await figure.inside(`root.querySelector('figure').ariaLabel`);
      assert.ok(name.length > 5, 'its name stays for screen readers');
      const hasCredit = await visit.tab.$eval('.credit', (credit) => credit.checkVisibility());
      assert.equal(hasCredit, !hide.includes('credit'));
    }
    const warnings = [];
    await open(folder('sinusoid-heatmap', '?controls=dim,positoins&hide=titel'), {
      prepare: (tab) =>
        tab.on('console', (message) => {
          if (message.type() === 'warn') warnings.push(message.text());
        }),
    });
    visit.page.expectsComplaints = true;
    const figure = await visit.page.figure('sinusoid-heatmap');
    const ids = () =>
      figure.inside(
        `[...root.querySelectorAll('.controls input[type="range"]')].map(({ id }) => id).join()`,
      );
    assert.equal(await ids(), 'dim');
    assert.match(await figure.text('.question'), /What does a position look like/);
    await figure.set('dim', 64);
    assert.equal(warnings.length, 2, warnings.join('\n'));
    assert.match(
      warnings[0],
      /^ropewalk-figure sinusoid-heatmap: hide must name some of: title, controls, readout, caption, values, actions, credit; ignored 'titel'$/,
    );
    assert.match(warnings[1], /controls must name some of: .*\bdim\b.*; ignored 'positoins'$/);
    await figure.inside(`(element.setAttribute('controls', 'positions'), 0)`);
    await figure.inside('element.updateComplete.then(() => 0)');
    await figure.until(`root.querySelectorAll('.controls input[type="range"]').length === 1
      && root.querySelector('.controls input[type="range"]').id === 'positions'`);
  });

  test('fit scales the figure into its frame, whose pointer finds the same places', async () => {
    for (const [width, height, search] of /** @type {[number, number, string][]} */ ([
      [600, 380, '?fit&hide=title,caption,actions,controls'],
      [700, 500, '?fit'],
      [360, 500, '?fit'],
    ])) {
      const address = `${elsewhere.site.url}figure/one-number/${search}`;
      const page = await elsewhere.visit(
        documentOf(`<iframe src="${address}" width="${width}" height="${height}" frameborder="0"></iframe>
<script src="${elsewhere.site.url}frames.js" async></script>`),
      );
      const frame = await (await page.page.$('iframe')).contentFrame();
      await frame.waitForFunction(
        () => document.querySelector('ropewalk-figure')?.hasAttribute('drawn'),
        { polling: 50 },
      );
      const fits = () =>
        frame.evaluate(() => {
          const element = document.querySelector('ropewalk-figure');
          const inner = element.shadowRoot.querySelector('figure').getBoundingClientRect();
          const box = element.getBoundingClientRect();
          const root = document.documentElement;
          return {
            isInside:
              inner.left >= box.left - 1 &&
              inner.right <= box.right + 1 &&
              inner.bottom <= box.bottom + 1,
            isFilled: inner.height > 0.75 * box.height || inner.width > 0.98 * box.width,
            scrolls: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
            height: innerHeight,
          };
        });
      await frame.waitForFunction(
        () => {
          const element = document.querySelector('ropewalk-figure');
          const inner = element.shadowRoot.querySelector('figure').getBoundingClientRect();
          return inner.bottom <= element.getBoundingClientRect().bottom + 1;
        },
        { polling: 50 },
      );
      assert.deepEqual(await fits(), { isInside: true, isFilled: true, scrolls: false, height });
      await page.assertNoComplaint();
    }
    // The pointer at a share of the drawing's width means the same number at any scale.
    const frame = await (await elsewhere.page.page.$('iframe')).contentFrame();
    const read = await frame.evaluate(async () => {
      const element = document.querySelector('ropewalk-figure');
      const svg = element.shadowRoot.querySelector('.plot svg');
      const box = svg.getBoundingClientRect();
      const clientX = box.left + box.width / 2;
      const clientY = box.top + box.height * 0.2;
      svg.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY, bubbles: true }));
      await element.updateComplete;
      return {
        text: element.shadowRoot.querySelector('.readout').textContent,
        scale: box.width / element.width,
      };
    });
    assert.ok(read.scale < 0.9, `${read.scale}`);
    const [position] = /\d+/.exec(read.text);
    assert.ok(Number(position) > 0, read.text);
  });

  test('fit of an element scales it to the height that its page gives it, and back', async () => {
    await elsewhere.write('page.css', '.box { width: 600px; height: 400px }');
    const page = await elsewhere.visit(
      documentOf(
        `<div class="box"><ropewalk-figure name="rotary-clocks" fit hide="caption"></ropewalk-figure></div>
<script type="module" src="${elsewhere.site.url}elements.js" async></script>`,
        '<link rel="stylesheet" href="page.css">',
      ),
    );
    const figure = await page.figure('rotary-clocks');
    const bottom = `root.querySelector('figure').getBoundingClientRect().bottom - element.getBoundingClientRect().top`;
    await figure.until(`${bottom} <= 401`);
    assert.ok(await figure.inside(`element.width > 600`), 'its column is wider than its box');
    await figure.inside(`(element.removeAttribute('fit'), 0)`);
    await figure.until(`element.width === 600 && ${bottom} > 600`);
    await page.assertNoComplaint();
  });
});
