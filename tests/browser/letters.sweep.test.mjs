/** Text and formulas are drawn with the letters that the site brings, on every machine the same. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languages } from './support/figures.mjs';
import { siteFolder } from './support/page.mjs';
import { describeInChromium } from './support/visits.mjs';

/**
 * In the page: marks the elements, also those of figures, whose text is in a family of the site.
 * @param {Document | ShadowRoot} root
 */
function markOurs(root = document) {
  for (const element of root.querySelectorAll('*')) {
    const { fontFamily } = getComputedStyle(element);
    element.toggleAttribute('data-ours', /Ropewalk (Serif|Letters|Math)/.test(fontFamily));
    if (element.shadowRoot) markOurs(element.shadowRoot);
  }
}

/**
 * What the machine draws. In Chinese text: Chinese characters, and the marks that are as wide as them.
 * In both: ticks, letters as indices and under a hat, which STIX Two has not, and what has no glyph.
 */
const leftToMachine = {
  en: /.\u0302|[\u2060✓◐✗ᵀᵢₕₘₙₜ\p{Script=Han}。]/gu,
  zh: /.\u0302|[\u2060✓◐✗ᵀᵢₕₘₙₜ\p{Script=Han}\u3000-\u303f\uff00-\uffef‘’“”–—…·]/gu,
};

/** A figure may have replaced the text by the time that we ask. */
function gone({ message }) {
  if (!/find node with given id/.test(message)) throw new Error(message);
  return { fonts: [] };
}

/** The texts of a document and of its shadow roots that any font of the machine draws a part of. */
async function drawnByMachine(tab) {
  await tab.evaluate(`(${markOurs})()`);
  const client = await tab.createCDPSession();
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const { root } = await client.send('DOM.getDocument', { depth: -1, pierce: true });
  const partsOf = (node) => [...(node.shadowRoots ?? []), ...(node.children ?? [])];
  const textsIn = (node) =>
    partsOf(node).flatMap((part) => {
      if (part.nodeType !== 3) return textsIn(part);
      const text = part.nodeValue.trim();
      const isOurs = node.attributes?.includes('data-ours');
      return text && isOurs ? [{ name: node.localName, text, nodeId: part.nodeId }] : [];
    });
  const found = await Promise.all(
    textsIn(root).map(async ({ name, text, nodeId }) => {
      const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId }).catch(gone);
      const local = fonts.filter(({ isCustomFont }) => !isCustomFont);
      return local.length > 0 ? [{ name, text, local }] : [];
    }),
  );
  await client.detach();
  return found.flat();
}

describeInChromium('letters', (visit) => {
  for (const [language, folder] of Object.entries(languages)) {
    const documents = readdirSync(join(siteFolder, folder)).filter((name) =>
      name.endsWith('.html'),
    );
    for (const name of documents) {
      test(`/${folder}${name} is drawn with the letters of the site`, async () => {
        await visit.open(folder + name);
        await visit.tab.evaluate(() => document.fonts.ready);
        const wrong = (await drawnByMachine(visit.tab)).flatMap(
          ({ name: element, text, local }) => {
            const glyphs = local.reduce((sum, { glyphCount }) => sum + glyphCount, 0);
            const left = (text.match(leftToMachine[language]) ?? []).join('');
            const fonts = local.map(({ familyName }) => familyName).join();
            return glyphs > left.length ? [`<${element}>, ${fonts}: ${text.slice(0, 80)}`] : [];
          },
        );
        assert.deepEqual(wrong, []);
      });
    }
  }
});
