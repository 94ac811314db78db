/** The search: what it knows of the pages, what it finds, and how it is used with the keyboard. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { sweep } from '../support/sweep.mjs';
import { importFromWeb } from '../support/typescript.mjs';
import { siteFolder } from './support/page.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const { entriesOf } = await importFromWeb('assembly/search.ts');
const { finder, termsOf } = await importFromWeb('search/find.ts', 'search/terms.ts');
const entries = (language) =>
  JSON.parse(readFileSync(join(siteFolder, `search_${language}.json`), 'utf8'));

test('a page gives an entry for its title, headings, figures and declarations', () => {
  const page = `<header>Bar</header><main id="main"><h1 id="title">Waves &amp; more</h1><p>First
text.</p><ropewalk-figure name="a" id="a"><p class="question">Which?</p><img src="a"><p>Drag.</p></ropewalk-figure>
<p>After <em>the</em> figure.</p><pre>code</pre><h2 id="b">Part <a href="#b">two</a></h2><p>More.</p><p>And more.</p>
<section class="declaration" id="rotate"><h3>rotate</h3><pre>rotate()</pre>Turns.</section></main>`;
  assert.deepEqual(entriesOf(page, 'waves.html'), [
    {
      address: 'waves.html',
      page: 'Waves & more',
      title: 'Waves & more',
      text: 'First text. After the figure.',
    },
    { address: 'waves.html#a', page: 'Waves & more', title: 'Which?', text: 'Drag.' },
    { address: 'waves.html#b', page: 'Waves & more', title: 'Part two', text: 'More. And more.' },
    { address: 'waves.html#rotate', page: 'Waves & more', title: 'rotate', text: 'Turns.' },
  ]);
});

test('terms are words, parts of names and pairs of characters', () => {
  assert.deepEqual(termsOf('rotaryFrequencies, RoPE 旋转位置'), [
    ...['rotaryfrequencies', 'rotary', 'frequencies', 'rope', 'ro', 'pe'],
    ...['旋转', '转位', '位置'],
  ]);
});

for (const language of ['en', 'zh']) {
  test(`${language}: every entry has a title and leads to a place of the site`, () => {
    const all = entries(language);
    assert.equal(new Set(all.map(({ address }) => address)).size, all.length);
    for (const { address, title, page } of all) {
      assert.ok(title && page, address);
      const [file, id] = address.split('#');
      const target = posix.join(language === 'zh' ? 'zh' : '', file === './' ? 'index.html' : file);
      assert.ok(existsSync(join(siteFolder, target)), address);
      if (id) assert.ok(readFileSync(join(siteFolder, target), 'utf8').includes(` id="${id}"`));
    }
  });
}

/** By language: a query, and the place that is meant. */
const first = {
  en: {
    rotaryFrequencies: 'reference-rotary.html#rotaryFrequencies',
    createCache: 'reference-a-kv-cache.html#createCache',
    'what the base decides': 'rotation.html#base-and-wavelengths',
    'attention lab': 'attention-lab.html',
    'yarn temperature': 'running-long-contexts.html#temperature',
    'learned recurrent joined': 'at-the-input.html',
    sinusiod: 'sinusoid.html',
  },
  zh: {
    旋转: 'rotation.html',
    相对位置偏置: 'relative-biases.html',
    rotaryFrequencies: '../reference-rotary.html#rotaryFrequencies',
  },
};

for (const [language, wanted] of Object.entries(first)) {
  test(`${language}: the place that is meant comes first`, async () => {
    const find = await finder(entries(language));
    const found = Object.keys(wanted).map((query) => [query, find(query)[0]?.address]);
    assert.deepEqual(Object.fromEntries(found), wanted);
  });
}

test('nothing is found that lacks a term, and an excerpt shows one', async () => {
  const find = await finder(entries('en'));
  assert.deepEqual(find('zebra rotary'), []);
  const [one] = find('transpose');
  assert.match(one.excerpt, /transpose/);
});

describeInBrowsers('search', (visit) => {
  const results = () =>
    visit.tab.$$eval('.search li a', (all) => all.map((link) => link.textContent));
  const type = async (text) => {
    await visit.tab.type('.search input', text);
    await visit.tab.waitForSelector('.search li a');
  };

  test('the key / opens it, Enter goes to the first place', async () => {
    await visit.open('waves.html');
    await visit.tab.keyboard.press('/');
    await visit.tab.waitForSelector('.search[open]');
    await type('alibi slopes');
    await Promise.all([visit.tab.waitForNavigation(), visit.tab.keyboard.press('Enter')]);
    assert.match(
      await visit.address(),
      /(relative-biases|reference-biases)\.html#alibi-?[sS]lopes/,
    );
  });

  test('arrows go through the places, Escape closes it and gives the focus back', async () => {
    await visit.open('zh/');
    await visit.tab.click('#search');
    await visit.tab.waitForSelector('.search[open]');
    await type('旋转');
    assert.ok((await results()).length > 5);
    const focused = () => visit.tab.evaluate(() => document.activeElement.textContent);
    await visit.tab.keyboard.press('ArrowDown');
    await visit.tab.keyboard.press('ArrowDown');
    assert.equal(await focused(), (await results())[1]);
    await visit.tab.keyboard.press('ArrowUp');
    assert.equal(await focused(), (await results())[0]);
    await visit.tab.keyboard.press('ArrowUp');
    assert.equal(await visit.tab.evaluate(() => document.activeElement.localName), 'input');
    await visit.tab.keyboard.press('Escape');
    await visit.tab.waitForSelector('.search:not([open])');
    assert.equal(await visit.tab.evaluate(() => document.activeElement.id), 'search');
  });

  test('a place on this page is reached and closes it', async () => {
    await visit.open('rotation.html');
    await visit.tab.click('#search');
    await visit.tab.waitForSelector('.search[open]');
    await type('two ways to pair');
    await visit.tab.keyboard.press('Enter');
    await visit.tab.waitForSelector('.search:not([open])');
    assert.match(await visit.address(), /rotation\.html#two-ways-to-pair$/);
  });

  sweep('no match is said, and so is a list that does not load', async () => {
    const status = (text) =>
      visit.tab.waitForFunction(
        (wanted) => document.querySelector('.search [role=status]')?.textContent.includes(wanted),
        {},
        text,
      );
    await visit.open('waves.html');
    await visit.tab.click('#search');
    await visit.tab.waitForSelector('.search[open]');
    await visit.tab.type('.search input', 'zebra');
    await status('Nothing has all of “zebra”');
    await visit.open('waves.html');
    visit.page.expectsComplaints = true;
    await visit.tab.$eval('#search', (button) => button.setAttribute('data-entries', './none'));
    await visit.tab.click('#search');
    await visit.tab.waitForSelector('.search[open]');
    await visit.tab.type('.search input', 'z');
    await status('could not be loaded');
  });
});
