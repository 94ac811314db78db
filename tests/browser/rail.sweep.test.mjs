/** In no chapter does the rail of a wide window, or a note in it, run into anything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesFor } from './support/figures.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** In the page: what reaches into the rail, or stands in it where something else stands. */
function collisions() {
  const box = (element) => element.getBoundingClientRect();
  const name = (element) => `${element.localName}.${element.className} ${element.id}`;
  const rail = document.querySelector('.rail');
  const notes = [...document.querySelectorAll('.chapter > :is(.side-note, .slips)')];
  const left = Math.min(...[rail, ...notes].map((element) => box(element).left));
  const reaching = [...document.querySelector('article').children]
    .filter((element) => element !== rail && !notes.includes(element))
    .filter((element) => box(element).right > left);
  const parts = [...document.querySelectorAll('ropewalk-figure, .formula, .scrolling, pre, .ticks')]
    .filter((element) => !notes.some((note) => note.contains(element)))
    .filter((element) => box(element).right > left);
  // Both at the top of the page, where the contents do not follow the reader yet.
  const stacked = [rail, ...notes].filter((element, k, all) =>
    all.slice(0, k).some((other) => box(other).bottom > box(element).top),
  );
  const { scrollWidth, clientWidth } = document.scrollingElement;
  return {
    found: [...reaching, ...parts, ...stacked].map(name),
    sideways: scrollWidth - clientWidth,
  };
}

describeInBrowsers('what stands beside the rail', (visit, name) => {
  for (const { path } of pagesFor(name).filter(({ path }) => !/(^|\/)$/.test(path))) {
    test(`/${path}: nothing collides with it at 1280, 1440 and 1920 pixels`, async () => {
      await visit.open(path, { width: 1280 });
      for (const width of [1280, 1440, 1920]) {
        await visit.tab.setViewport({ width, height: 900 });
        const { found, sideways } = await visit.tab.evaluate(collisions);
        assert.deepEqual(found, [], `${width}`);
        assert.ok(sideways <= 0, `${width}: scrolls sideways by ${sideways}`);
      }
    });
  }
});
