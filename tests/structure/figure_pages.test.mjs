/** The page of a figure: its card and its oEmbed have whole addresses, or none. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runnerImport } from 'vite';

const root = join(import.meta.dirname, '..', '..', 'web');
const imported = await runnerImport(join(root, 'assembly/figure_pages.ts'), {
  root,
  configFile: false,
});
const { figureAt, figureDocument, figureFiles, oembedOf, sizeOfStill } = /** @type {any} */ (
  imported.module
);

const text = {
  title: 'A "shift" & more',
  question: 'What does moving on by 7 do to a < b?',
  caption: 'See: it moves. Try: move it.',
};
const page = (language, site) => ({
  name: 'sinusoid-shift',
  figure: { text: { [language]: text } },
  language,
  chapter: './sinusoid.html',
  site,
});

function meta(document, name) {
  const pattern = new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`);
  return pattern.exec(document)?.[1];
}

for (const [language, folder] of [
  ['en', ''],
  ['zh', 'zh/'],
]) {
  test(`${language}: a build that knows where the site is gives the card whole addresses`, () => {
    for (const site of ['https://some.where/deep', 'https://some.where/deep/']) {
      const document = figureDocument(page(language, site));
      const address = `https://some.where/deep/${folder}figure/sinusoid-shift/`;
      const still = `https://some.where/deep/stills/sinusoid-shift_${language}.webp`;
      assert.equal(meta(document, 'og:title'), 'A &quot;shift&quot; &amp; more');
      assert.equal(meta(document, 'og:description'), 'What does moving on by 7 do to a &lt; b?');
      assert.equal(meta(document, 'og:url'), address);
      assert.equal(meta(document, 'og:image'), still);
      assert.equal(meta(document, 'og:image:width'), '736');
      assert.equal(meta(document, 'twitter:card'), 'summary_large_image');
      assert.ok(document.includes(`rel="canonical" href="${address}"`));
      assert.ok(
        document.includes(
          `rel="alternate" type="application/json+oembed" href="${address}oembed.json"`,
        ),
      );
    }
  });

  test(`${language}: any other build has no picture and no oEmbed, and says the rest`, () => {
    for (const site of [undefined, '']) {
      const document = figureDocument(page(language, site));
      assert.ok(!/og:image|og:url|oembed/.test(document));
      assert.equal(meta(document, 'twitter:card'), 'summary');
      assert.equal(meta(document, 'og:title'), 'A &quot;shift&quot; &amp; more');
      assert.ok(document.includes('rel="canonical" href="./"'));
    }
  });

  test(`${language}: oEmbed has all that its specification asks of a rich type`, () => {
    const site = 'https://some.where/deep';
    const { html, ...oembed } = oembedOf(page(language, site));
    const { width, height } = sizeOfStill('sinusoid-shift', language);
    assert.equal(width, 736);
    assert.ok(height > 100, `${height}`);
    assert.ok(oembed.height > 600, `${oembed.height}`);
    assert.deepEqual(oembed, {
      version: '1.0',
      type: 'rich',
      provider_name: 'Ropewalk',
      provider_url: 'https://some.where/deep/',
      title: text.title,
      width: 720,
      height: oembed.height,
      thumbnail_url: `https://some.where/deep/stills/sinusoid-shift_${language}.webp`,
      thumbnail_width: width,
      thumbnail_height: height,
    });
    assert.match(html, /^<iframe [^<]*><\/iframe>$/);
    assert.ok(html.includes(`src="https://some.where/deep/${folder}figure/sinusoid-shift/"`));
    assert.ok(html.includes(`height="${oembed.height}"`));
  });
}

test('a file of a page is found by its place, and no other file', () => {
  const files = figureFiles(['one-number']);
  assert.deepEqual(
    files.map((file) => figureAt(file)),
    [
      { name: 'one-number', language: 'en' },
      { name: 'one-number', language: 'zh' },
    ],
  );
  for (const name of ['index.html', 'figure/index.html', 'figure/one-number/other.html'])
    assert.equal(figureAt(files[0].replace('figure/one-number/index.html', name)), undefined);
});
