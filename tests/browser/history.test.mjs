/** Back and Forward: the settings are those of the address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { travelIn } from './support/travel.mjs';
import { describeInBrowsers } from './support/visits.mjs';

describeInBrowsers('Back and Forward', (visit) => {
  const { written, go } = travelIn(visit);

  test('the drawing and the control follow', async () => {
    const figure = await visit.figure('sinusoid-heatmap', { dim: 64 });
    await visit.tab.evaluate(() => (location.hash = 'sinusoid-heatmap'));
    await written(() => figure.set('dim', 16));
    for (const [steps, dim] of [
      [-1, 64],
      [1, 16],
    ]) {
      await figure.drawnAfter(() => go(steps));
      assert.equal(await figure.inside(`root.getElementById('dim').value`), String(dim));
      assert.equal((await figure.csv()).columns.length, dim + 1);
      const search = await visit.tab.evaluate(() => location.search);
      assert.equal(search, `?sinusoid-heatmap.dim=${dim}`);
    }
  });

  test('a pair goes back in every figure that shows it', async () => {
    const figure = await visit.figure('rotary-clocks');
    await visit.page.figure('rotary-wavelengths');
    const pairs = () =>
      visit.tab.evaluate(() =>
        ['rotary-clocks', 'rotary-wavelengths'].map(
          (one) => document.querySelector(`ropewalk-figure[name="${one}"]`).settings.pair,
        ),
      );
    await written(() => figure.set('pair', 2));
    const before = await pairs();
    await visit.tab.evaluate(() => (location.hash = 'rotary-clocks'));
    await written(() => figure.set('pair', 6));
    assert.notDeepEqual(await pairs(), before);
    await go(-1);
    assert.deepEqual(await pairs(), before);
  });

  test('the model of the page goes back as well', async () => {
    await visit.open('sinusoid.html?model.preset=llama-2-7b');
    const chosen = (id) =>
      visit.tab.waitForFunction(
        (wanted) => {
          const { shadowRoot } = document.querySelector('ropewalk-model');
          const hasReport = Boolean(shadowRoot.querySelector('.summary'));
          return (
            shadowRoot.querySelector('select').value === wanted && hasReport === (wanted !== '')
          );
        },
        { polling: 20 },
        id,
      );
    await chosen('llama-2-7b');
    await visit.tab.evaluate(() => (location.hash = 'model'));
    const leave = () => {
      const select = document.querySelector('ropewalk-model').shadowRoot.querySelector('select');
      select.value = '';
      select.dispatchEvent(new Event('change'));
    };
    await written(() => visit.tab.evaluate(leave));
    await chosen('');
    await go(-1);
    await chosen('llama-2-7b');
    await go(1);
    await chosen('');
  });
});
