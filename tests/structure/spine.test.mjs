/** The requirements, the ticks of every scheme and the timeline: complete, and led to by real links. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';

const web = join(import.meta.dirname, '..', '..', 'web');
const { chapters, anchor } = await importFromWeb('assembly/chapters.ts');
const { requirements, withSpine } = await importFromWeb('assembly/spine.ts');
const { having } = await importFromWeb('schemes/all.ts');
const { timeline, withTimeline } = await importFromWeb('assembly/timeline.ts');
const { chapterHtml } = await importFromWeb('assembly/markdown.ts');

const ticked = having('ticks');
const steps = Object.values(timeline).flat();

const chapterText = (name, language) =>
  chapterHtml(readFileSync(join(web, 'chapters', name, `${language}.md`), 'utf8'), language);
const folders = readdirSync(join(web, 'chapters'));

for (const language of /** @type {const} */ (['en', 'zh'])) {
  const text = folders.map((name) => chapterText(name, language)).join('\n');
  const complete = withTimeline(withSpine(text, language), language);
  const ids = new Set([...complete.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const chapter of chapters) ids.add(anchor(chapter));

  test(`${language}: every scheme has its row of ticks in one chapter`, () => {
    const shown = [...text.matchAll(/<!-- ticks (\w+) -->/g)].map(([, name]) => name);
    assert.deepEqual(shown.toSorted(), ticked.map(({ id }) => id).sort());
    assert.equal(text.split('<!-- ticks -->').length, 2, 'and all have one table');
    assert.equal(text.split('<!-- requirements -->').length, 2);
  });

  test(`${language}: ticks and timeline lead to anchors of the page or to a source`, () => {
    const links = [
      ...ticked.flatMap(({ value }) => Object.values(value).map(([, evidence]) => evidence)),
      ...steps.flatMap(({ anchor, source }) => [anchor, source]),
    ].filter((link) => link !== undefined);
    const wrong = links.filter((link) =>
      link.startsWith('#') ? !ids.has(link.slice(1)) : !link.startsWith('https://'),
    );
    assert.deepEqual(wrong, []);
  });
}

test('only a tick that was not measured has no evidence', () => {
  for (const { id, value } of ticked)
    for (const key of Object.keys(requirements)) {
      const [mark, evidence] = value[key];
      assert.equal(evidence === undefined, mark === 'open', `${id} ${key}`);
    }
});

test('the years of the timeline rise from 2017 to 2026, and an arXiv number has its year', () => {
  assert.deepEqual(
    Object.keys(timeline).map(Number),
    Array.from({ length: 10 }, (_, i) => 2017 + i),
  );
  for (const [year, steps] of Object.entries(timeline))
    for (const { source } of steps) {
      const [, digits] = /arxiv\.org\/abs\/(\d\d)/.exec(source) ?? [];
      if (digits) assert.equal(`20${digits}`, year, source);
    }
});

test('in Chinese a space stands between a Latin name and the words after it', () => {
  const captions = ticked.map(({ id }) => withSpine(`<!-- ticks ${id} -->`, 'zh'));
  const latin = captions.filter((caption) => /[!-~] 与<a href/.test(caption));
  assert.ok(latin.length > 0);
  assert.deepEqual(
    captions.filter((caption) => /<figcaption>[^<]*[!-~]与/.test(caption)),
    [],
  );
});

test('a chapter that names an unknown scheme fails', () => {
  assert.throws(() => withSpine('<!-- ticks unheard -->', 'en'), /"unheard"/);
});
