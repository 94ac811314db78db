// Pictures of the built site. `npm run screenshots` writes both languages, light and dark, 360 and
// 1440 pixels wide, each page of the text into build/screenshots, to look at; and into web/public
// the README's pictures, the cards of links, and the stills that stand for figures without scripts.
// With --public it writes these last ones alone. Both times it measures the figures' heights.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import sharp from 'sharp';
import { Failure, main } from './setup/failure.mjs';
import { inRoot } from './setup/paths.mjs';
import { setup } from './setup.mjs';
import { textPages } from './build/text_pages.mjs';
import { writeHeights } from './heights.mjs';
import { launch } from '../tests/browser/support/browser.mjs';
import { serve } from './serve.mjs';

const languages = { en: '', zh: 'zh/' };
const themes = ['light', 'dark'];
const widths = [360, 1440];

/** A page comes in pieces: one picture of all of it would be shrunk beyond reading. */
const pieceHeight = 1500;

await main(async () => {
  const site = process.env.SITE ?? inRoot('dist/site');
  if (!existsSync(site))
    throw new Failure('There is no page to picture yet: run npm run build first.');
  const { chromium } = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM = chromium;
  const folder = inRoot('build/screenshots');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const server = await serve(site);
  const browser = await launch('chromium');
  try {
    const pages = textPages(site);
    const drawn = pages.filter(({ figures }) => figures.length > 0);
    const urls = (language, some) =>
      some.map(({ path }) => `${server.url}${languages[language]}${path}`);
    for (const language of Object.keys(languages)) {
      for (const theme of process.argv.includes('--public') ? [] : themes) {
        for (const width of widths)
          for (const url of urls(language, pages))
            await pictures(browser, url, { language, theme, width, folder });
      }
    }
    await writeHeights(browser, { en: urls('en', drawn), zh: urls('zh', drawn) });
    for (const theme of themes) await preview(browser, server.url, theme);
    for (const [language, path] of Object.entries(languages)) {
      await card(browser, server.url + path, language);
      for (const url of urls(language, drawn)) await stills(browser, url, language);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  console.log(folder);
});

async function open(browser, url, { theme, width, height = 900, scale = 1 }) {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.setViewport({ width, height, deviceScaleFactor: scale });
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

/** Scrolls every figure into view once: a figure draws when it comes near the window. */
async function drawAll(page) {
  const names = await page.$$eval('ropewalk-figure', (figures) =>
    figures.map((figure) => figure.getAttribute('name')),
  );
  for (const name of names) {
    const drawn = (wanted) => {
      const figure = document.querySelector(`ropewalk-figure[name="${wanted}"]`);
      figure.scrollIntoView({ behavior: 'instant' });
      return figure.hasAttribute('drawn');
    };
    await page.waitForFunction(drawn, { polling: 50 }, name);
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

async function pictures(browser, url, { language, theme, width, folder }) {
  const page = await open(browser, url, { theme, width });
  await drawAll(page);
  const name = /([^/]*)\.html$/.exec(url)?.[1] ?? 'front';
  // Beyond the window Chromium would lay the page out anew for each picture, and at times forever.
  await page.setViewport({ width, height: pieceHeight });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0, k = 1; y < height; y += pieceHeight, k++) {
    // What comes into view is painted some frames later.
    await page.evaluate(async (to) => {
      scrollTo({ top: to, behavior: 'instant' });
      for (let frame = 0; frame < 10; ++frame) await new Promise(requestAnimationFrame);
    }, y);
    const clip = { x: 0, y, width, height: Math.min(pieceHeight, height - y) };
    const path = `${folder}/${language}_${theme}_${width}_${name}_${k}.png`;
    await page.screenshot({ path, clip, captureBeyondViewport: false });
  }
  await page.close();
}

/** The opening of the page: what the README shows. */
async function preview(browser, url, theme) {
  const page = await open(browser, url, { theme, width: 1120, height: 755 });
  await drawAll(page);
  await page.screenshot({ path: inRoot(`web/public/preview_${theme}.png`) });
  await page.close();
}

/** The picture that other sites show beside a link: the headline, the promise and the first ropes. */
async function card(browser, url, language) {
  const page = await open(browser, url, { theme: 'light', width: 1200, height: 630 });
  await drawAll(page);
  await page.evaluate(async () => {
    document.querySelector('.bar').remove();
    document.querySelector('h1').style.marginTop = '2rem';
    const { shadowRoot } = document.querySelector('[name="ropes"]');
    const css = new CSSStyleSheet();
    css.replaceSync(`
      .question, .ask, .actions, figcaption, .buttons { display: none }`);
    shadowRoot.adoptedStyleSheets.push(css);
    for (let frame = 0; frame < 10; ++frame) await new Promise(requestAnimationFrame);
  });
  await page.screenshot({ path: inRoot(`web/public/social_${language}.png`) });
  await page.close();
}

/** Each figure's drawing as it stands at its defaults; print shows none of its controls. */
async function stills(browser, url, language) {
  const folder = inRoot('web/public/stills');
  await mkdir(folder, { recursive: true });
  const page = await open(browser, url, { theme: 'light', width: 800 });
  await drawAll(page);
  await page.emulateMediaType('print');
  const isWhole = () =>
    [...document.querySelectorAll('ropewalk-figure')].every(
      ({ shadowRoot }) => !shadowRoot.querySelector('rw-weight-map:not([complete])'),
    );
  await page.waitForFunction(isWhole, { polling: 200, timeout: 120_000 });
  for (const figure of await page.$$('ropewalk-figure')) {
    const drawing = (
      await figure.evaluateHandle(({ shadowRoot }) => shadowRoot.querySelector('.drawing'))
    ).asElement();
    const name = await figure.evaluate((element) => element.getAttribute('name'));
    const isMap = await drawing.evaluate(
      (part) => part.querySelector('canvas, rw-pixels, rw-weight-map') !== null,
    );
    await writeStill(await drawing.screenshot(), `${folder}/${name}_${language}.webp`, isMap);
  }
  await page.close();
}

/** Lines and letters have few colors: a palette without loss takes half of a lossy picture. */
async function writeStill(png, path, isMap) {
  if (isMap) return sharp(png).webp({ quality: 60, effort: 6 }).toFile(path);
  const drawn = await sharp(png).png({ colors: 16, dither: 0 }).toBuffer();
  return sharp(drawn).webp({ lossless: true, effort: 6 }).toFile(path);
}
