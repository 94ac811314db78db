/** What every figure has around its drawing: two controls, its finding, and the menu of its values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeInBrowsers } from './support/visits.mjs';

const openFigure = async (visit, name, search = '') => {
  await visit.open(`figure/${name}/${search}`);
  return visit.page.figure(name);
};

/** The ids of the controls that a reader sees. */
const seen = (figure) =>
  figure.inside(`[...root.querySelectorAll('.controls input[type="range"]')]
    .filter((input) => input.checkVisibility()).map(({ id }) => id).join()`);

describeInBrowsers('the frame of a figure', (visit) => {
  test('two controls show, the others behind "More", which says how many are changed', async () => {
    let figure = await openFigure(visit, 'rotary-clocks');
    assert.equal(await seen(figure), 'shift,pair');
    await figure.inside(`(root.querySelector('.rest summary').click(), 0)`);
    await figure.until(`root.getElementById('seed').checkVisibility()`);
    assert.equal(await seen(figure), 'shift,pair,query,key,dim,base,seed');
    assert.equal(await figure.text('.rest summary'), 'More');
    figure = await openFigure(visit, 'rotary-clocks', '?seed=7&shift=3&base=500');
    assert.equal(await seen(figure), 'shift,pair');
    assert.equal(await figure.text('.rest summary'), 'More, 2 changed');
    figure = await openFigure(visit, 'rotary-clocks', '?controls=key,seed,base');
    assert.equal(await seen(figure), 'key,base,seed');
  });

  test('the finding follows the controls', async () => {
    const figure = await openFigure(visit, 'rotary-clocks');
    assert.match(await figure.text('.finding'), /^Moved by 25, .* the score is still −5\.64\.$/);
    await figure.set('shift', 20);
    assert.match(await figure.text('.finding'), /^Moved by 20, .* the score is still −5\.64\.$/);
    await figure.set('query', 20);
    assert.doesNotMatch(await figure.text('.finding'), /−5\.64/);
    const cache = await openFigure(visit, 'stale-cache');
    assert.match(
      await cache.text('.finding'),
      /0\.45 instead of 0\.19 near key 2,127\. Keys cached before rotation/,
    );
    await cache.inside(`element.set({ raw: true }).then(() => 0)`);
    assert.match(await cache.text('.finding'), /^Keys cached before rotation have the right score/);
  });

  test('numbers and tables show with the values', async () => {
    const figure = await openFigure(visit, 'sinusoid-four-terms');
    const shown = () =>
      figure.inside(`['.numbers', '.values-only', '.table']
        .filter((part) => root.querySelector(part)?.checkVisibility()).join()`);
    assert.equal(await shown(), '');
    await figure.inside(`(root.querySelector('.actions summary').click(), 0)`);
    await figure.until(`root.querySelector('.actions button').checkVisibility()`);
    await figure.inside(`(root.querySelector('.actions button').click(), 0)`);
    await figure.until(`root.querySelector('.table')?.checkVisibility()`);
    assert.equal(await shown(), '.numbers,.values-only,.table');
  });
});
