/** Whether what a figure says and writes is Chinese. */
/** Names of methods and models that have no Chinese one. */
const names = /Leaky ReRoPE|Code Llama|Kimi Linear|Selective RoPE/g;

/** English words where Chinese ones belong, and punctuation of one language within the other. */
const faults = /** @type {const} */ ([
  ['two English words in a row', /[a-z]{2,}['’]? [a-z]{2,}/i],
  [
    'a mark of half width after a Chinese character',
    /[\u4e00-\u9fff][,;:!?]|[\u4e00-\u9fff]\.(?!\d)/,
  ],
  ['a mark of half width before a Chinese character', /[,;:!?.] *[\u4e00-\u9fff]/],
  ['a space beside a mark of full width', / [，。：；！？（）]|[，。：；！？（）] /],
  ['Chinese in brackets of half width', /\([^()]*[\u4e00-\u9fff]|[\u4e00-\u9fff] \([^()]*\)$/],
]);

/** What is wrong with a Chinese text. */
export const faultsOf = (text) =>
  faults
    .filter(([, what]) => what.test(text.replaceAll(names, 'X')))
    .map(([name]) => `${name}: ${text}`);

/** In the page: every word that the element and its assistive technology say, but in other languages. */
export function saidIn(node, found = new Set()) {
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE)
      found.add(child.textContent.trim().replaceAll(/\s+/g, ' '));
    if (
      child.nodeType !== Node.ELEMENT_NODE ||
      child.lang === 'en' ||
      child.matches('code, data, bdi')
    )
      continue;
    for (const name of ['aria-label', 'aria-valuetext', 'title', 'alt', 'placeholder'])
      found.add(child.getAttribute(name) ?? '');
    saidIn(child, found);
  }
  return found;
}
