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
  const listed = text('index.html').matchAll(/<a class="title" href="\.\/([^"]+)" data-holds=/g);
  const chapters = Array.from(listed, ([, name]) => name);
  const figures = /<ropewalk-figure\b[^>]*\bname="([^"]+)"/g;
  return ['', ...chapters].map((name) => ({
    path: name,
    figures: Array.from(text(name || 'index.html').matchAll(figures), ([, figure]) => figure),
  }));
}
