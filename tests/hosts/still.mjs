/** What remains of an element where a host removes scripts: a link and a still. */
import { newTab } from '../browser/support/browser.mjs';
import { figures } from './posts.mjs';

/** @returns {Promise<string[]>} what is wrong */
export async function lookAtStills(browser, { url }) {
  const tab = await newTab(browser);
  const found = [];
  try {
    await tab.goto(url, { waitUntil: 'load' });
    for (const { name, language } of figures) {
      const image = await tab.$(`img[src$="stills/${name}_${language}.webp"]`);
      const link = await tab.$(`a[href$="#${name}"]`);
      if (!image || !link) {
        found.push(`${name}: ${image ? 'the link' : 'the still'} is missing`);
        continue;
      }
      const width = await image.evaluate(async (element) => {
        const still = /** @type {HTMLImageElement} */ (element);
        still.scrollIntoView({ behavior: 'instant' });
        await still.decode();
        return still.getBoundingClientRect().width;
      });
      if (width < 300) found.push(`${name}: the still is ${width} px wide`);
      const address = await link.evaluate(({ href }) => href);
      const { status } = await fetch(address);
      if (status !== 200) found.push(`${name}: ${address} answers with ${status}`);
    }
    return found;
  } finally {
    await tab.close();
  }
}
