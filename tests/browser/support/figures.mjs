/** Every figure of the page by name, in the order of the text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteFolder } from './page.mjs';

const index = readFileSync(join(siteFolder, 'index.html'), 'utf8');

export const figureNames = [...index.matchAll(/<ropewalk-figure\b[^>]*\bname="([^"]+)"/g)].map(
  ([, name]) => name,
);
