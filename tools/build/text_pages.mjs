// The pages of the text of a built site, and the figures of each.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * In the order of reading, the front page first. English and Chinese have the same ones.
 * @param {string} site its folder
 * @returns {{ path: string, figures: string[] }[]} `path` as in addresses: '' for the front page
 */
export function textPages(site) {
  const text = (file) => readFileSync(path.join(site, file), 'utf8');
  const found = (where, pattern) => Array.from(where.matchAll(pattern), ([, name]) => name);
  const front = text('index.html');
  const chapters = found(front, /<a class="title" href="\.\/([^"]+)"/g);
  return ['', ...chapters].map((name) => ({
    path: name,
    figures: found(text(name || 'index.html'), /<ropewalk-figure\b[^>]*\bname="([^"]+)"/g),
  }));
}
