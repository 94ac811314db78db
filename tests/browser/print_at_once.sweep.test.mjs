/** Paper right after the page has loaded, before any figure could be drawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, pages } from './support/figures.mjs';
import { describeInChromium } from './support/visits.mjs';

/** No request to the worker ever gets a reply. */
function silenceWorkers() {
  globalThis.Worker = class extends Worker {
    postMessage() {}
  };
}

/** Figures that draw recorded numbers. */
const withoutWorker = [
  'ropes',
  'layer-plan',
  'models-by-layer',
  'base-bound',
  'length-race',
  'extend-without-training',
  'trained-heads',
  'copy-a-list',
  'flip-flop-memory',
  'break-a-llama',
  'beyond-512',
  'poems-that-count',
  'own-model',
];

/** Chromium prints two seconds after it asked for the pictures, loaded or not: have them at hand. */
const atHand = (images) =>
  Promise.all(
    images.map(({ src }) => {
      const picture = Object.assign(new Image(), { src });
      (globalThis.pictures ??= []).push(picture);
      return picture.decode().then(() => true);
    }),
  );

// Only Chromium writes a file in which pictures can be counted.
describeInChromium('printing at once', (visit) => {
  const prepare = (tab) => tab.evaluateOnNewDocument(silenceWorkers);

  // The same code prints both languages, which take turns; that each has its stills, pages.sweep.test.mjs says.
  const [english, chinese] = Object.values(languages);
  for (const [k, { path: name, figures }] of pages.entries()) {
    const path = (k % 2 === 0 ? english : chinese) + name;
    test(`/${path}: the still of every figure that has not drawn is on paper, and none on screen`, async () => {
      await visit.open(path, { prepare });
      const stills = await visit.tab.$$eval(
        'ropewalk-figure img',
        (images) =>
          images.filter((image) => image.checkVisibility() || image.naturalWidth > 0).length,
      );
      assert.equal(stills, 0, 'shown or loaded');
      await visit.tab.$$eval('ropewalk-figure img', atHand);
      const file = Buffer.from(await visit.tab.pdf()).toString('latin1');
      const widths = [...file.matchAll(/\/Subtype \/Image\s*\/Width (\d+)/g)].map(
        ([, width]) => width,
      );
      assert.ok(widths.every((width) => width === '736'));
      // What needs no worker may have drawn itself in the meantime, and then needs no still.
      const certain = figures.filter((figure) => !withoutWorker.includes(figure));
      assert.ok(widths.length >= certain.length && widths.length <= figures.length, `${widths}`);
      const drawn = await visit.tab.$$eval('ropewalk-figure[drawn]', (all) =>
        all.map(({ id }) => id),
      );
      assert.deepEqual(
        drawn.filter((id) => !withoutWorker.includes(id)),
        [],
        'figures drawn',
      );
    });
  }
});
