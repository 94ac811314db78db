/** The rail of a wide window: the contents of the chapter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeInBrowsers } from './support/visits.mjs';

const some = ['rotation.html', 'zh/sinusoid.html'];

/** In the page: the marked links, and where each link is within the list. */
function marked() {
  const links = [...document.querySelectorAll('.rail a')];
  const { top } = document.querySelector('.rail ul').getBoundingClientRect();
  return {
    current: links.filter((link) => link.ariaCurrent).map((link) => link.getAttribute('href')),
    places: links.map((link) => Math.round(link.getBoundingClientRect().top - top)).join(),
  };
}

describeInBrowsers('the rail', (visit, name) => {
  const { open } = visit;
  const isShown = () => visit.tab.$eval('.rail', (rail) => rail.checkVisibility());

  for (const path of some) {
    test(`/${path}: it is there from 1280 pixels on`, async () => {
      await open(path, { width: 1280 });
      assert.equal(await isShown(), true);
      await visit.tab.setViewport({ width: 1279, height: 900 });
      assert.equal(await isShown(), false);
      const floats = await visit.tab.$$eval(
        '.side-note, .slips',
        (all) => all.filter((one) => getComputedStyle(one).float !== 'none').length,
      );
      assert.equal(floats, 0, 'notes are in the text');
    });
  }

  test('it marks the section in view, and no entry of the list moves', async () => {
    await open('rotation.html', { width: 1280 });
    const ids = await visit.tab.$$eval('.rail a', (links) => links.map(({ hash }) => hash));
    assert.ok(ids.length >= 4, ids.join());
    const { places } = await visit.tab.evaluate(marked);
    for (const id of [...ids, ids[0]]) {
      await visit.tab.$eval(id, (place) => place.scrollIntoView({ behavior: 'instant' }));
      const isMarked = (hash) =>
        document.querySelector('.rail a[aria-current]')?.getAttribute('href') === hash;
      await visit.tab.waitForFunction(isMarked, { polling: 50 }, id);
      assert.deepEqual(await visit.tab.evaluate(marked), { current: [id], places });
    }
  });

  test('the keyboard goes through it to a section', async () => {
    await open('zh/rotation.html', { width: 1440 });
    await visit.tab.focus('.rail a');
    await visit.tab.keyboard.press('Tab');
    const id = await visit.tab.evaluate(() => document.activeElement.getAttribute('href'));
    assert.equal(id, '#two-ways-to-pair');
    await visit.tab.keyboard.press('Enter');
    const isThere = (hash) => {
      const { top } = document.querySelector(hash).getBoundingClientRect();
      return top >= 0 && top < 40;
    };
    await visit.tab.waitForFunction(isThere, { polling: 50 }, id);
  });

  test('it steps back while a note passes, unless it has the focus', async () => {
    await open('rotation.html', { width: 1440 });
    const shown = (wanted) =>
      visit.tab.waitForFunction(
        (is) =>
          document.querySelector('.rail').checkVisibility({ visibilityProperty: true }) === is,
        { polling: 50 },
        wanted,
      );
    await shown(true);
    const toNote = () =>
      visit.tab.$eval('#slips-pairings', (note) =>
        note.scrollIntoView({ behavior: 'instant', block: 'start' }),
      );
    await toNote();
    await shown(false);
    await visit.tab.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await shown(true);
    await visit.tab.$eval('.rail a', (link) => link.focus({ preventScroll: true }));
    await toNote();
    await visit.tab.waitForSelector('.rail.behind');
    await shown(true);
  });

  const driven = name === 'chromium';
  const scripted = { skip: !driven && `${name} cannot disable scripts` };
  test('without scripts its links lead on, and it does not follow', scripted, async () => {
    const prepare = (tab) => tab.setJavaScriptEnabled(false);
    await open('sinusoid.html', { width: 1280, prepare });
    const look = await visit.tab.$eval('.rail', (rail) => ({
      links: [...rail.querySelectorAll('a')].length,
      position: getComputedStyle(rail).position,
    }));
    assert.deepEqual(look, { links: 4, position: 'static' });
  });

  const paper = { skip: !driven && `${name} cannot emulate print` };
  test('paper has no rail', paper, async () => {
    await open('sinusoid.html', { width: 1440 });
    await visit.tab.emulateMediaType('print');
    assert.equal(await isShown(), false);
    const float = await visit.tab.$eval('.slips', (note) => getComputedStyle(note).float);
    assert.equal(float, 'none');
  });
});
