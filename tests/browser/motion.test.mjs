/** Less motion, asked for while figures move, and no longer asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeInChromium } from './support/visits.mjs';

const [playing, waiting] = ['pause', 'play'];

const feature = (value) => [{ name: 'prefers-reduced-motion', value }];
const [reduce, none] = [feature('reduce'), feature('no-preference')];

// Firefox cannot emulate media features over WebDriver BiDi.
describeInChromium('less motion', (visit) => {
  const prefer = (value) => visit.tab.emulateMediaFeatures(feature(value));

  /** The sign on the button of every figure that plays. */
  const signs = () =>
    visit.tab.$$eval('ropewalk-figure', (all) =>
      Object.fromEntries(
        all.flatMap((figure) => {
          const button = figure.shadowRoot?.querySelector('rw-play button');
          return button
            ? [[figure.getAttribute('name'), button.querySelector('[data-sign]').dataset.sign]]
            : [];
        }),
      ),
    );
  const signed = (sign, names) =>
    visit.tab.waitForFunction(
      (wanted, figures) =>
        figures.every((name) =>
          document
            .querySelector(`ropewalk-figure[name="${name}"]`)
            .shadowRoot.querySelector(`rw-play button [data-sign="${wanted}"]`),
        ),
      { polling: 20 },
      sign,
      names,
    );

  test('stops whatever plays, at once, and the reader may start it again', async () => {
    // Which figures play, and that each of them stops, is in comfort.sweep.test.mjs.
    await visit.openFigure('rotary-clocks', {}, '', {
      prepare: (tab) => tab.emulateMediaFeatures(none),
    });
    await visit.page.figure('rotary-clocks');
    const names = Object.keys(await signs());
    assert.deepEqual(names, ['rotary-clocks']);
    await visit.tab.$$eval('ropewalk-figure', (all) => {
      for (const figure of all) {
        const button = figure.shadowRoot?.querySelector('rw-play button');
        if (button?.querySelector('[data-sign="play"]')) button.click();
      }
    });
    await signed(playing, names);
    await prefer('reduce');
    await signed(waiting, names);
    const clocks = await visit.page.figure('rotary-clocks');
    await clocks.inside(`root.querySelector('rw-play button').click()`);
    await signed(playing, ['rotary-clocks']);
  });

  test('what would have moved by itself does not begin later, at the next drawing', async () => {
    await visit.openFigure('word-order', {}, '', {
      prepare: (tab) => tab.emulateMediaFeatures(reduce),
    });
    const order = await visit.page.figure('word-order');
    await signed(waiting, ['word-order']);
    await prefer('no-preference');
    const next = `root.querySelector('.buttons button').click()`;
    await order.inside(`(${next}, element.updateComplete.then(() => 0))`);
    assert.deepEqual((await signs())['word-order'], waiting);
    await order.inside(`root.querySelector('rw-play button').click()`);
    await signed(playing, ['word-order']);
  });

  test('the long text hears of it as well', async () => {
    await visit.openFigure('long-text', {}, '', {
      prepare: (tab) => tab.emulateMediaFeatures(none),
    });
    await visit.page.figure('long-text');
    const isStill = (still) =>
      visit.tab.waitForFunction(
        (wanted) =>
          document.querySelector('[name="long-text"]').shadowRoot.querySelector('rw-weight-map')
            .still === wanted,
        { polling: 20 },
        still,
      );
    await isStill(false);
    await prefer('reduce');
    await isStill(true);
    await prefer('no-preference');
    await isStill(false);
  });
});
