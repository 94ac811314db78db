/** A guess before a figure: made with the keyboard, remembered, and never in the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweep } from '../support/sweep.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const place = 'ropewalk-guess[name="causal-mask"]';

/** In the page: what a guess shows. */
const shown = (guess) => ({
  pressed: [...guess.querySelectorAll('button')].map((button) => button.ariaPressed),
  isOpen: guess.querySelector('details').open,
  verdict: guess.querySelector('[role=status]').textContent,
});

/** Before the page: a browser that keeps nothing, and says so with an exception. */
function blockStorage() {
  Object.defineProperty(globalThis, 'localStorage', {
    get() {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
}

describeInBrowsers('guesses', (visit) => {
  const guess = () => visit.tab.$eval(place, shown);
  const attends = () => visit.tab.$eval('#attention-row', (figure) => figure.state.causal);
  const choose = async (choice) => {
    await visit.tab.focus(`${place} li:first-child button`);
    for (let steps = 1; steps < choice; steps++) await visit.tab.keyboard.press('Tab');
    await visit.tab.keyboard.press('Enter');
  };

  test('a choice opens the solution, has a verdict, and is there on the next visit', async () => {
    await visit.figure('attention-row');
    const untouched = { pressed: ['false', 'false', 'false'], isOpen: false, verdict: '' };
    assert.deepEqual(await guess(), untouched);
    await choose(3);
    const wrong = { pressed: ['false', 'false', 'true'], verdict: 'Not so: see the solution.' };
    assert.deepEqual(await guess(), { ...wrong, isOpen: true });
    await visit.assertAccessible();
    await visit.figure('attention-row');
    assert.deepEqual(await guess(), { ...wrong, isOpen: false });
    assert.equal(await attends(), false);
    await choose(2);
    await visit.page.figure('attention-row');
    assert.equal(await attends(), true, 'the figure shows what was asked');
    const right = { pressed: ['false', 'true', 'false'], verdict: 'Right.' };
    assert.deepEqual(await guess(), { ...right, isOpen: true });
    await visit.figure('attention-row', {}, 'zh/');
    assert.deepEqual(await guess(), { ...right, isOpen: false, verdict: '对了。' });
    await visit.tab.evaluate(() => localStorage.clear());
  });

  sweep('where storage is blocked a guess lasts as long as the page', async () => {
    const prepare = (tab) => tab.evaluateOnNewDocument(blockStorage);
    const page = await visit.openFigure('attention-row', {}, '', { prepare });
    await page.figure('attention-row');
    await choose(2);
    assert.deepEqual(await guess(), {
      pressed: ['false', 'true', 'false'],
      isOpen: true,
      verdict: 'Right.',
    });
    await page.assertNoComplaint();
  });

  test('the solution of the causal mask is what its figure shows', async () => {
    const page = await visit.figure('attention-row', { causal: 'yes' });
    const { rows } = await page.csv();
    assert.deepEqual(
      rows.map(([, , , , , weight]) => Number(weight).toFixed(2)),
      ['0.67', '0.33', '0.00'],
    );
    const solution = await visit.tab.$eval(`${place} details`, (box) => box.textContent);
    assert.match(solution, /0\.67 and 0\.33/);
  });
});
