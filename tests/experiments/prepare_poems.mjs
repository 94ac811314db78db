/**
 * Prepares the poems that the experiment `poems` trains on: of a file with a poem of eight lines per
 * line, 40 characters each, those over the 1,600 commonest characters.
 *
 *   node tests/experiments/prepare_poems.mjs FILE
 *
 * The file was made of the poems of eight lines of five characters in the collection chinese-poetry
 * (https://github.com/chinese-poetry/chinese-poetry, commit 99ebbef7, MIT license). The poems, of
 * the 8th to 10th century, are in the public domain.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../../tools/setup/paths.mjs';

const commonest = 1600;

export const poemsFile = inRoot('web/trained/poems/tang.txt');

export function prepared(text) {
  const poems = text.split('\n').filter((line) => [...line].length === 40);
  const counts = new Map();
  for (const character of poems.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  const ranked = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const kept = new Set(ranked.slice(0, commonest).map(([character]) => character));
  return poems.filter((poem) => [...poem].every((character) => kept.has(character)));
}

if (process.argv[1] === import.meta.filename) {
  const poems = prepared(readFileSync(process.argv[2], 'utf8'));
  writeFileSync(poemsFile, `${poems.join('\n')}\n`);
  process.stdout.write(`${poems.length} poems, ${new Set(poems.join('')).size} characters\n`);
}
