/** What a reader copies from the gallery, and what readers add to it. */

/** In the page: what the button of a snippet would put into the clipboard. */
const copiedFrom = (snippet) =>
  new Promise((done) => {
    const clipboard = { writeText: async (text) => done(text) };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    snippet.querySelector('.copy').click();
  });

/** What a reader copies of a figure for a kind of host, whose tab is chosen. */
export async function snippetIn(tab, figure, kind) {
  await tab.$eval(`#${figure}-${kind}`, (button) => button.click());
  return tab.$eval(`#${figure} .snippet`, copiedFrom);
}

/** What the buttons of a page copy, and what is shown there. */
export async function copiedIn(tab) {
  const copied = [];
  for (const snippet of await tab.$$('.snippet')) {
    const shown = await snippet.$eval('pre', ({ textContent }) => textContent);
    copied.push({ shown, copied: await snippet.evaluate(copiedFrom) });
  }
  return copied;
}

/**
 * A snippet with settings that are not the defaults: attributes of the element, or parameters of
 * the address of the frame.
 * @param {string} text
 * @param {string} figure
 * @param {Record<string, string | number>} settings
 */
export function withSettings(text, figure, settings) {
  const entries = Object.entries(settings).map(([key, word]) => [key, String(word)]);
  if (entries.length === 0) return text;
  const isFrame = text.includes('<iframe');
  const place = isFrame ? `/figure/${figure}/` : `name="${figure}"`;
  const [before, after, ...more] = text.split(place);
  if (after === undefined || more.length > 0)
    throw new Error(`the snippet must have ${place} once: ${text}`);
  const search = `?${new URLSearchParams(entries)}`.replaceAll('&', '&amp;');
  const attributes = entries.map(([key, word]) => ` ${key}="${word}"`).join('');
  return before + place + (isFrame ? search : attributes) + after;
}
