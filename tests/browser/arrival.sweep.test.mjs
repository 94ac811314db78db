/** A link's place stays where the link puts it until the reader moves on, and only until then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeInBrowsers } from './support/visits.mjs';

const path = 'rotation.html';
const id = 'slips-pairings';

/** In the page: how far its place is below where a link puts it, once frames have passed. */
async function offset(id) {
  for (let frame = 0; frame < 10; ++frame) await new Promise(requestAnimationFrame);
  const place = document.getElementById(id);
  const wanted = Number.parseFloat(getComputedStyle(place).scrollMarginTop);
  return Math.round(place.getBoundingClientRect().top - wanted);
}

/** In the page: a figure above the place takes more height. */
function grow() {
  const figure = document.querySelector('ropewalk-figure');
  figure.style.paddingBottom = `${100 + Number.parseFloat(figure.style.paddingBottom || '0')}px`;
}

/** In the page: the browser scrolls, and before it says so a figure above the place has grown. */
function scrollAndGrow() {
  scrollBy(0, -300);
  document.querySelector('ropewalk-figure').style.paddingBottom = '100px';
}

/** In the page: once it is loaded and all figures are drawn, so that nothing else moves it. */
const drawn = async () => {
  if (document.readyState !== 'complete')
    await new Promise((done) => addEventListener('load', done, { once: true }));
  const figures = [...document.querySelectorAll('ropewalk-figure')];
  await Promise.all(figures.map((figure) => figure.load()));
};

/** In the page: the second link is followed in the frame in which the first one's place is held. */
const followTwoInOneFrame = async (first, second) => {
  await new Promise((done) => {
    addEventListener('hashchange', () => requestAnimationFrame(done), { once: true });
    location.hash = first;
  });
  location.hash = second;
};

describeInBrowsers('arrival at a link', (visit) => {
  const offsetNow = () => visit.tab.evaluate(offset, id);
  const isThere = async () => {
    const off = await offsetNow();
    assert.ok(Math.abs(off) <= 1, `${off} pixels off`);
  };
  const isElsewhere = async () => {
    const off = await offsetNow();
    assert.ok(Math.abs(off) > 50, `${off} pixels off`);
  };

  async function arrive() {
    await visit.open(`${path}#${id}`, { width: 1440 });
    await visit.tab.evaluate(drawn);
    await isThere();
  }

  test('a figure that grows does not move the place', async () => {
    await arrive();
    for (let times = 0; times < 3; ++times) {
      await visit.tab.evaluate(grow);
      await isThere();
    }
  });

  test('a scroll that a growing figure outruns is not the reader’s', async () => {
    await arrive();
    await visit.tab.evaluate(scrollAndGrow);
    await isThere();
    await visit.tab.evaluate(grow);
    await isThere();
  });

  test('the reader can scroll on, by a key and without', async () => {
    await arrive();
    const top = await visit.tab.evaluate(() => scrollY);
    await visit.tab.keyboard.press('PageUp');
    await visit.tab.waitForFunction((top) => scrollY < top - 200, {}, top);
    await visit.tab.evaluate(grow);
    await isElsewhere();

    await arrive();
    await visit.tab.evaluate(() => scrollTo(0, 1000));
    await isElsewhere();
    await visit.tab.evaluate(grow);
    await isElsewhere();
  });

  test('a link within the page is held as well, until the next one', async () => {
    await arrive();
    await visit.tab.evaluate(() => scrollTo(0, 0));
    await visit.tab.evaluate(followTwoInOneFrame, '#rotary-pairings', `#${id}`);
    await isThere();
    await visit.tab.evaluate(grow);
    await isThere();
  });

  test('a visit that is repeated begins where the reader was', async () => {
    await arrive();
    await visit.tab.evaluate(() => scrollTo(0, 1000));
    await isElsewhere();
    await visit.tab.reload();
    await visit.tab.evaluate(drawn);
    await visit.tab.evaluate(grow);
    await isElsewhere();
  });
});
