/** Every figure at once: seen together with its controls, and all that there is to try at it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figureNames } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

/** These are rooms to work in, or show a process in steps. */
const taller = ['long-text', 'poems-that-count'];

/** In the figure: presses each button to try; returns what went wrong. */
const tryAll = `(async () => {
  const faults = [];
  for (const button of root.querySelectorAll('.tries button')) {
    button.click();
    await new Promise((done) => {
      const check = () => element.matches('[drawn], [failed]') ? done() : requestAnimationFrame(check);
      requestAnimationFrame(check);
    });
    await element.updateComplete;
    const notice = root.querySelector('.tries p').textContent;
    const complaint = root.querySelector('.messages').textContent.trim();
    if (button.ariaPressed !== 'true' || !notice || complaint || element.matches('[failed]'))
      faults.push([button.textContent.trim(), notice, complaint].join(': '));
  }
  return faults;
})()`;

const openAlone = async (visit, name) => {
  await visit.open(`figure/${name}/`);
  return visit.page.figure(name);
};

describeInChromium('figures in a window of 900 pixels', (visit) => {
  test('a drawing is seen together with its controls, and what to try can be done', async () => {
    const heights = [];
    const faults = [];
    for (const name of figureNames) {
      const figure = await openAlone(visit, name);
      const height = await figure.inside(`((controls, drawing) =>
        Math.round(drawing.bottom - Math.min(controls.height > 0 ? controls.top : Infinity, drawing.top)))(
        ...['.controls', '.drawing'].map((part) => root.querySelector(part).getBoundingClientRect()))`);
      if (!taller.includes(name)) heights.push([name, height]);
      const faulty = await figure.inside(tryAll);
      faults.push(...faulty.map((fault) => `${name}, ${fault}`));
    }
    assert.deepEqual(
      heights.filter(([, height]) => height > 900),
      [],
    );
    assert.deepEqual(faults, []);
  });
});
