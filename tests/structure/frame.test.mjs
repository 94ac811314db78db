/** The picture of a link's card: its whole address, or none. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';

const web = join(import.meta.dirname, '..', '..', 'web');
const { framed } = await importFromWeb('assembly/frame.ts');
const page = `<title>A page</title><meta name="description" content="About it" />
<main id="main"></main>`;

/** The content of a meta element, by its property or name. */
function meta(document, name) {
  const [, content] =
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(document) ?? [];
  return content;
}

for (const language of ['en', 'zh']) {
  test(`${language}: a build that knows where the site is names the picture by its whole address`, () => {
    for (const site of ['https://some.where/deep', 'https://some.where/deep/']) {
      const document = framed(page, 'rotation', language, site);
      assert.equal(meta(document, 'og:image'), `https://some.where/deep/social_${language}.png`);
      assert.equal(meta(document, 'og:image:width'), '1200');
      assert.equal(meta(document, 'og:image:height'), '630');
      assert.equal(meta(document, 'twitter:card'), 'summary_large_image');
    }
  });

  test(`${language}: any other build names none, and the card is the small one`, () => {
    for (const site of [undefined, '']) {
      const document = framed(page, 'rotation', language, site);
      assert.ok(!document.includes('og:image'));
      assert.equal(meta(document, 'twitter:card'), 'summary');
      assert.equal(meta(document, 'og:title'), 'A page');
    }
  });

  test(`${language}: the picture is 1200 × 630`, () => {
    const png = readFileSync(join(web, `public/social_${language}.png`));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  });
}
