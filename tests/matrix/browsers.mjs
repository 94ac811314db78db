/** The answers that a page shows, in one of the browsers. */
import { launch, newTab, patience } from '../browser/support/browser.mjs';
import { launchWebKit } from './webkit.mjs';

const read = `document.querySelector('#answers')?.textContent`;

/** In Chromium or Firefox. What the page says of itself is the reason when it shows nothing. */
async function withPuppeteer(name, url) {
  const browser = await launch(name);
  try {
    const page = await newTab(browser);
    const said = [];
    page.on('pageerror', ({ message }) => said.push(message));
    page.on('requestfailed', (request) => said.push(`${request.url()} failed`));
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(message.text());
    });
    await page.goto(url, { waitUntil: 'load' });
    const shown = page.waitForFunction(read, { polling: 50 });
    const text = await shown.then(
      (handle) => handle.jsonValue(),
      () => undefined,
    );
    if (!text) throw new Error(`the page shows no answer. ${said.join(' ')}`);
    return { version: await browser.version(), answers: JSON.parse(text) };
  } finally {
    await browser.close();
  }
}

async function withWebKit(commands, url) {
  const { driver, version, close } = await launchWebKit(commands);
  try {
    await driver.get(url);
    const text = await driver.wait(() => driver.executeScript(`return ${read}`), patience);
    return { version, answers: JSON.parse(text) };
  } finally {
    await close();
  }
}

/** { version, answers } of the page at this address; `webkit` is what set-up found of it. */
export const visit = (name, url, { webkit }) =>
  name === 'webkit' ? withWebKit(webkit, url) : withPuppeteer(name, url);
