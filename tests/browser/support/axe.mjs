/** Accessibility by axe, of a page that stands still. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The rules that look at colors; for all others a theme changes nothing. */
const ofColors = ['color-contrast', 'link-in-text-block'];

/** Light and dark: what changes its color slowly is at its end before it is judged. */
export async function assertAccessible(tab) {
  await tab.evaluate(axeSource);
  for (const [theme, rules] of Object.entries({ light: undefined, dark: ofColors })) {
    await tab.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
    const violations = await tab.evaluate(async (values) => {
      for (const animation of document.getAnimations()) animation.finish();
      const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        ...(values && { runOnly: { type: 'rule', values } }),
      });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ target }) => target.join(' '))
            .slice(0, 3)
            .join(' | ')}`,
      );
    }, rules);
    assert.deepEqual(violations, [], theme);
  }
}
