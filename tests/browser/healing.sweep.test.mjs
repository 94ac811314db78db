/** Interpolation heals: recorded numbers, and a training in the browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languages } from './support/figures.mjs';
import { near } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

const folder = join(import.meta.dirname, '../../web/trained/recorded');
const recorded = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const number = async (figure, id) => Number(await figure.text(`[data-number="${id}"]`));
const far = ({ places }) => mean(places.slice(-2));

const state = `root.querySelector('[data-live]')?.dataset.live`;
const press = (figure) => figure.inside(`(root.querySelector('.live button').click(), 0)`);
const progress = `root.querySelector('.live progress')?.value ?? 0`;

describeInBrowsers('interpolation heals', (visit) => {
  const { alone, claim, figure } = visit;

  for (const [language, path] of Object.entries(languages))
    claim(
      `C44 ${language}: below the unchanged model at 1,024 to 2,047, YaRN most, as recorded`,
      async () => {
        const { results, unchanged } = recorded('healing');
        const trained = {};
        const shown = await alone('interpolation-heals', { steps: '0' }, path);
        for (const steps of ['0', '80']) {
          if (steps !== (await shown.inside('element.state.steps')))
            await shown.set('steps', steps);
          for (const method of ['pi', 'ntk', 'yarn']) {
            if (method !== (await shown.inside('element.state.method')))
              await shown.set('method', method);
            const what = `${method} after ${steps}`;
            const runs = results.filter((run) => run.method === method);
            const scores = runs.map(({ measured }) =>
              measured.find(({ step }) => step === Number(steps)),
            );
            assert.equal(scores.length, 3, what);
            near(await number(shown, 'far'), mean(scores.map(far)), 0.0051, what);
            near(await number(shown, 'far-unchanged'), far(unchanged), 0.0051, what);
            const short = mean(scores.map((score) => score.short));
            near(await number(shown, 'short'), short, 0.0051, what);
            const story = scores[0].story.trim();
            const isCut = !/[.!?]["”]?$/.test(story);
            assert.equal(await shown.text('[data-story="recorded"]'), story + (isCut ? '…' : ''));
            trained[method] = await number(shown, 'far');
            if (method !== 'pi') continue;
            const finding = await shown.text('.finding');
            assert.match(finding, /40 to 80 steps|要训练 40 到 80 步/);
            const before = mean(runs.map(({ measured }) => far(measured[0])));
            assert.deepEqual(
              finding.match(/\d\.\d\d/g),
              [before, far(unchanged)].map((loss) => loss.toFixed(2)),
            );
            const drawn = await shown.inside(
              `[...root.querySelectorAll('.plot')[0].querySelectorAll('.cursor text, .legend li')].map((one) => one.textContent.trim())`,
            );
            for (const loss of [before, mean(scores.map(far))])
              assert.ok(drawn.includes(loss.toFixed(2)), `${loss} in ${drawn}`);
            assert.ok(
              drawn.some((name) => name.endsWith(far(unchanged).toFixed(2))),
              drawn.join(),
            );
            assert.equal(trained.pi < (await number(shown, 'far-unchanged')), steps === '80');
          }
        }
        assert.ok(trained.yarn < trained.pi - 0.05 && trained.pi < trained.ntk);
      },
    );

  claim(
    'C44 unchanged positions, trained as long, are shown beside PI, and are below it',
    async () => {
      const { results } = recorded('healing');
      const last = (method, of) =>
        mean(
          results.filter((run) => run.method === method).map(({ measured }) => of(measured.at(-1))),
        );
      for (const language of ['', 'zh/']) {
        const shown = await figure(
          'interpolation-heals',
          { method: 'direct', steps: '80' },
          language,
        );
        near(await number(shown, 'far'), last('direct', far), 0.0051);
        near(
          await number(shown, 'short'),
          last('direct', ({ short }) => short),
          0.0051,
        );
        assert.ok((await number(shown, 'far')) < last('pi', far));
        const lines = await shown.inside(`root.querySelectorAll('.line.is-direct').length`);
        assert.ok(lines >= 2, `${lines} lines`);
      }
    },
  );

  claim('C44 the model is trained here: measured before, step by step, and stopped', async () => {
    const shown = await figure('interpolation-heals');
    await press(shown);
    await shown.until(`${progress} >= 2`);
    assert.equal(await shown.inside(state), 'running');
    assert.ok((await shown.text('[data-story="live"]')).length > 20);
    await press(shown);
    await shown.until(`${state} === 'idle'`);
  });

  test('the model that is trained has the positions that were chosen last', async () => {
    const shown = await figure('interpolation-heals', { steps: '0' });
    await shown.set('method', 'ntk');
    await press(shown);
    await shown.until(`root.querySelector('[data-story="live"]')`);
    await press(shown);
    const [first] = recorded('healing').results.filter(({ method }) => method === 'ntk');
    // The page has most weights in float16, so a late word may differ.
    const beginning = first.measured[0].story.trim().slice(0, 60);
    assert.ok((await shown.text('[data-story="live"]')).startsWith(beginning));
  });
});
