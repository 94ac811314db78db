/** Guesses before figures: complete without scripts, the same in both languages. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '..', '..', 'web', 'chapters');
const element =
  /<ropewalk-guess name="([\w-]+)" figure="([\w-]+)" set='(.+)'>\n\n(?:.+\n)+\n((?:- .*\n(?: {2}.*\n)*)+)\n(?:.+\n)+\n<\/ropewalk-guess>\n\n<!-- figure \2 -->/g;

/** Of each guess of a language: its name, the figure after it with its settings, what is right. */
const guessesIn = (language) =>
  readdirSync(folder).flatMap((chapter) => {
    const text = readFileSync(join(folder, chapter, `${language}.md`), 'utf8');
    const found = [...text.matchAll(element)];
    assert.equal(found.length, text.split('<ropewalk-guess').length - 1, `${chapter}, ${language}`);
    return found.map(([, name, figure, set, choices]) => ({
      name,
      figure,
      set,
      rights: choices.split(/^- /m).map((choice) => choice.startsWith('[x] ')),
    }));
  });

test('at least six figures have a guess before them, the same ones in both languages', () => {
  const guesses = guessesIn('en');
  assert.ok(guesses.length >= 6, `${guesses.length} guesses`);
  assert.deepEqual(guessesIn('zh'), guesses);
  const names = guesses.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, 'each is remembered under its own name');
});

test('each guess has one right choice', () => {
  for (const { name, rights } of guessesIn('en'))
    assert.equal(rights.filter(Boolean).length, 1, name);
});
