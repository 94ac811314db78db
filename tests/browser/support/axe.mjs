/** Accessibility by axe, of a page that stands still. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Light and dark: what changes its color slowly is at its end before it is judged. */
export async function assertAccessible(tab) {
  for (const theme of ['light', 'dark']) {
    await tab.evaluate((wanted) => (document.documentElement.dataset.theme = wanted), theme);
    await tab.evaluate(axeSource);
    const violations = await tab.evaluate(async () => {
      for (const animation of document.getAnimations()) animation.finish();
      const { violations } = await axe.run(document, { resultTypes: ['violations'] });
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .map(({ target }) => target.join(' '))
            .slice(0, 3)
            .join(' | ')}`,
      );
    });
    assert.deepEqual(violations, [], theme);
  }
}
