/** What a reader copies from the gallery, and what readers add to it. */

/** The snippet of a figure for a kind of host, whose tab is chosen. */
export async function snippetIn(tab, figure, kind) {
  await tab.$eval(`#${figure}-${kind}`, (button) => button.click());
  return tab.$eval(`#${figure} [data-snippet="${kind}"]`, ({ textContent }) => textContent);
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
