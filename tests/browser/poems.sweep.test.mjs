/** Poems that count: recorded numbers and marks, and a training in the browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageCode, recordedPoems } from '../experiments/poems.mjs';
import { near } from './support/numbers.mjs';
import { describeInChromium } from './support/visits.mjs';

const { lineLengths, rowLength } = await pageCode();
const { plan, results } = recordedPoems();
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const runsOf = (scheme) => results.filter((run) => run.scheme === scheme);

/** The mean share of right places in some rows. */
const share = (scheme, first, past) =>
  mean(runsOf(scheme).map(({ right }) => mean(right.slice(first, past))));

const state = `root.querySelector('[data-live]')?.dataset.live`;
const press = (figure) => figure.inside(`(root.querySelector('.live button').click(), 0)`);
const progress = `root.querySelector('.live progress')?.value ?? 0`;

/** Of each poem shown: the lengths of its lines, and the text of those of five characters. */
const panels = (figure) =>
  figure.inside(`[...root.querySelectorAll('.poems [data-poem]')].map((panel) => {
    const lines = [...panel.querySelectorAll('.poem-line')];
    const fives = lines.filter((line) => !line.querySelector('.stray'));
    const textOf = (line) => [...line.querySelectorAll('.characters')].map(({ textContent }) => textContent);
    return {
      lengths: lines.map((line) => Number(line.querySelector('.count')?.textContent ?? 5)),
      fives: fives.map((line) => textOf(line).join('')),
    };
  })`);

/** What a panel should show of a poem. */
const expected = (text) => ({
  lengths: lineLengths(Array.from(text)),
  fives: text.match(/[^，。]*[，。]/g).filter((line) => Array.from(line).length === rowLength),
});

describeInChromium('poems that count', (visit) => {
  const { figure } = visit;

  test('C45 the lines of every recorded poem have the lengths that were written, and the shares are those of the file', async () => {
    for (const [language, sample] of [
      ['', '1'],
      ['zh/', '4'],
    ]) {
      const shown = await figure('poems-that-count', { sample }, language);
      const poems = plan.schemes.map(
        (scheme) => runsOf(scheme).flatMap((run) => run.poems)[Number(sample) - 1],
      );
      assert.deepEqual(await panels(shown), poems.map(expected));
      for (const [at, scheme] of plan.schemes.entries()) {
        // The first is chosen by default.
        if (at > 0) await shown.set('scheme', scheme);
        near(await shown.number('known'), share(scheme, 0, 8), 0.0051, scheme);
        near(await shown.number('ninth'), share(scheme, 8, 9), 0.0051, scheme);
        near(await shown.number('beyond'), share(scheme, 8, 16), 0.0051, scheme);
        const fives = [0, 2].map((group) =>
          mean(runsOf(scheme).map((run) => run.fives[group])).toFixed(2),
        );
        const finding = await shown.text('.finding');
        const best = mean(runsOf('alibi').map((run) => run.fives[2])).toFixed(2);
        assert.match(finding, /^ALiBi/);
        assert.deepEqual(
          finding.match(/\d\.\d\d/g),
          scheme === 'alibi' ? fives.toReversed() : [best, ...fives],
        );
        const drawn = await shown.inside(
          `[...root.querySelectorAll('.plot .line-name')].map(({ textContent }) => textContent)`,
        );
        assert.ok(drawn.includes(fives[0]), `${fives[0]} in ${drawn}`);
        for (const share of [best, fives[1]])
          assert.ok(
            drawn.some((name) => name.endsWith(` ${share}`)),
            `${share} in ${drawn}`,
          );
      }
    }
  });

  test('C45 a model is trained here: it writes before the first step, learns, and is stopped', async () => {
    const shown = await figure('poems-that-count', { scheme: 'alibi' });
    await press(shown);
    await shown.until(`${progress} >= 3`);
    assert.equal(await shown.inside(state), 'running');
    const before = `root.querySelector('.here .poem p')?.textContent`;
    assert.match(await shown.inside(before), /^ALiBi, trained here, after 0 steps$/);
    await press(shown);
    await shown.until(`${state} === 'idle'`);
    assert.match(await shown.text('[data-live]'), /^stopped after step \d+ of 400$/);
    // What was trained keeps its name when another scheme is chosen.
    await shown.set('scheme', 'none');
    assert.match(await shown.inside(before), /^ALiBi/);
  });
});
