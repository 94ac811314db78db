/** The pages of the text and the figures on them, as the built site has them. */
import { textPages } from '../../../tools/build/text_pages.mjs';
import { siteFolder } from './page.mjs';

/** @type {{ path: string, figures: string[] }[]} in the order of reading, the front page first */
export const pages = textPages(siteFolder);

/** The folder of each language. */
export const languages = { en: '', zh: 'zh/' };

/**
 * The pages to visit with a browser: all in both languages with Chromium. Others differ in how they run
 * and lay out a page, not a language: there the languages take turns.
 */
export const pagesFor = (browserName) =>
  Object.entries(languages).flatMap(([language, folder], turn) =>
    pages
      .filter((_, k) => browserName === 'chromium' || k % 2 === turn)
      .map(({ path, figures }) => ({ language, path: folder + path, figures })),
  );

/** The figures that can play. */
export const players = [
  'word-order',
  'sinusoid-shift',
  'dial-curve',
  'rotary-clocks',
  'position-digits',
  'stale-cache',
];

/** Every figure by name, in the order of the text. */
export const figureNames = pages.flatMap(({ figures }) => figures);

/** The path of the page that has a figure. */
export function pageOf(name) {
  const page = pages.find(({ figures }) => figures.includes(name));
  if (!page) throw new Error(`no page has the figure ${name}`);
  return page.path;
}
