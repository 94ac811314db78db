/** What an author's own script reads of a figure, sets and hears: `state`, `set` and the events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elsewhereIn } from './support/elsewhere.mjs';
import { describeInBrowsers } from './support/visits.mjs';

describeInBrowsers('the state of a figure', (visit) => {
  const elsewhere = elsewhereIn(visit);
  let page;

  /** @param {string} attributes @param {string} [before] what stands above it in the page */
  async function visitFigure(attributes, before = '') {
    await elsewhere.write('page.css', '.far { height: 9000px }');
    page = await elsewhere.visit(`<!doctype html><html lang="en"><meta charset="utf-8">
<title>Another page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="page.css">
${before}<ropewalk-figure ${attributes}></ropewalk-figure>
<script type="module" src="${elsewhere.site.url}elements.js" async></script>`);
    await page.page.evaluate(async () => {
      await customElements.whenDefined('ropewalk-figure');
      const heard = (globalThis.heard = []);
      const element = document.querySelector('ropewalk-figure');
      for (const type of ['change', 'draw'])
        element.addEventListener(type, (event) =>
          heard.push([type, /** @type {CustomEvent} */ (event).detail]),
        );
    });
  }

  /** What the figure sent since the last call. */
  const heard = () => page.page.evaluate(() => globalThis.heard.splice(0));

  test('state has every setting, and set changes some and resolves when they are drawn', async () => {
    await visitFigure('name="sinusoid-shift" offset="7"');
    const figure = await page.figure('sinusoid-shift');
    const state = await figure.inside('element.state');
    assert.equal(state.offset, 7);
    assert.deepEqual(
      Object.keys(state).sort(),
      await figure.inside('Object.keys(element.figure.controls).sort()'),
    );
    await heard();
    const after = await figure.inside(`element.set({ offset: 9 })
      .then(() => [element.state, element.hasAttribute('drawn'), root.getElementById('offset').value])`);
    assert.deepEqual(after, [{ ...state, offset: 9 }, true, '9']);
    const events = await heard();
    assert.deepEqual(
      events.map(([type, { offset }]) => [type, offset]),
      [
        ['change', 9],
        ['draw', 9],
      ],
    );
    assert.deepEqual(events[0][1], { ...state, offset: 9 });
    // What is the same already changes nothing; the state is a copy.
    await figure.inside(`(element.state.offset = 3, element.set({ offset: 9 }))`);
    assert.equal(await figure.inside('element.state.offset'), 9);
    assert.deepEqual(
      (await heard()).filter(([type]) => type === 'change'),
      [],
    );
    await page.assertNoComplaint();
  });

  test('a change by the reader and one by an attribute are events too', async () => {
    await visitFigure('name="sinusoid-shift"');
    const figure = await page.figure('sinusoid-shift');
    await heard();
    await figure.set('offset', 4);
    await figure.drawnAfter(() => figure.inside(`(element.setAttribute('offset', '6'), 0)`));
    const changes = (await heard()).filter(([type]) => type === 'change');
    assert.deepEqual(
      changes.map(([, { offset }]) => offset),
      [4, 6],
    );
    await page.assertNoComplaint();
  });

  test('a setting that is refused says which, by what rule and what was given, and changes nothing', async () => {
    await visitFigure('name="sinusoid-heatmap"');
    const figure = await page.figure('sinusoid-heatmap');
    await heard();
    const before = await figure.inside('element.state');
    const refused = (changes) =>
      figure.inside(`element.set(${changes}).then(() => 'taken', (error) =>
        ({ name: error.name, message: error.message, parameter: error.parameter }))`);
    assert.deepEqual(await refused('{ dim: 9999 }'), {
      name: 'RangeError',
      message:
        'set: dim of sinusoid-heatmap must be a number from 4 to 512 in steps of 2, got 9999',
      parameter: 'dim',
    });
    assert.match(
      (await refused('{ dim: 5 }')).message,
      /must be a number from 4 to 512 in steps of 2, got 5$/,
    );
    assert.deepEqual(await refused(`{ dim: '64' }`), {
      name: 'TypeError',
      message: `set: dim of sinusoid-heatmap must be a number from 4 to 512 in steps of 2, got '64'`,
      parameter: 'dim',
    });
    const unknown = await refused('{ dim: 64, widht: 3 }');
    assert.match(
      unknown.message,
      /^set: sinusoid-heatmap has no setting 'widht'; its settings are: .*\bdim\b/,
    );
    assert.equal((await refused('{ dim: NaN }')).name, 'RangeError');
    assert.deepEqual(await figure.inside('element.state'), before, 'also what was right beside it');
    assert.deepEqual(await heard(), []);
    await page.assertNoComplaint();
  });

  test('set loads a figure that is far below the window', async () => {
    await visitFigure('name="sinusoid-shift"', '<div class="far"></div>');
    const state = await page.page.evaluate(async () => {
      const element = document.querySelector('ropewalk-figure');
      const before = element.state;
      await element.set({ offset: 4 });
      return [before === undefined, element.state.offset, element.hasAttribute('drawn'), scrollY];
    });
    assert.deepEqual(state, [true, 4, true, 0]);
    await page.assertNoComplaint();
  });

  test('an unknown figure is an error event, and set rejects', async () => {
    await visitFigure('name="word-order"');
    const [message, rejection] = await page.page.evaluate(async () => {
      const element = document.createElement('ropewalk-figure');
      element.setAttribute('name', 'sinusoid-shfit');
      const failed = new Promise((done) =>
        element.addEventListener('error', ({ error }) => done(error.message)),
      );
      document.body.append(element);
      const refused = await element.set({ offset: 1 }).then(String, String);
      return [await failed, refused];
    });
    assert.match(message, /sinusoid-shfit/);
    assert.match(rejection, /^RangeError: .*sinusoid-shfit/);
    await page.assertNoComplaint();
  });
});
