/** The entries of the search, read from the assembled pages. */
import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { SearchEntry } from '../search/entry.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** What begins an entry: headings, figures, and the declarations of the reference. */
const heading = /^h[1-4]$/;
/** What a reader does not read, and code: names in it would hide the place that explains them. */
const silent = new Set(['pre', 'script', 'style', 'nav', 'button', 'svg', 'annotation']);
/** Inside words and formulas. Beyond any other element a word does not go on. */
const inline = /^(a|abbr|b|code|em|i|small|span|strong|su[bp]|math|semantics|m[a-z]+)$/;
/** Nothing comes after a tag without content, so no word ends there. */
const empty = new Set(['img', 'br', 'hr', 'input', 'meta', 'link', 'wbr']);

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Returns the entries of a page in the order of its text.
 * @param document an assembled page
 * @param address from the folder of its language
 */
export function entriesOf(document: string, address: string): SearchEntry[] {
  const entries: SearchEntry[] = [];
  let page = '';
  let current: SearchEntry | undefined;
  let titled: SearchEntry | undefined;
  const begin = (id: string | undefined) => {
    current = { address: id ? `${address}#${id}` : address, page, title: '', text: '' };
    entries.push(current);
    titled = current;
  };
  const readAll = (nodes: readonly Node[]) => nodes.forEach(read);
  function read(node: Node) {
    if (tree.isTextNode(node)) {
      if (titled) titled.title += node.value;
      else if (current) current.text += node.value;
    }
    if (!tree.isElementNode(node) || empty.has(node.tagName)) return;
    const { tagName, attrs, childNodes } = node;
    const given = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
    const isFigure = tagName === 'ropewalk-figure' && given['id'] !== undefined;
    const outer = isFigure ? current : undefined;
    const isDeclaration = given['class']?.includes('declaration');
    // A declaration's heading has no id of its own: the section around it has.
    if (tagName === 'h1') begin(undefined);
    else if (isFigure || (given['id'] && (heading.test(tagName) || isDeclaration)))
      begin(given['id']);
    // In one line of text 2 to the power of x would read 2x.
    if (tagName === 'sup' && current) current.text += '^';
    if (!silent.has(tagName) && given['aria-hidden'] !== 'true') readAll(childNodes);
    if (tagName === 'h1' && titled) page = tidy(titled.title);
    if (heading.test(tagName) || tagName === 'p') titled = undefined;
    if (current && !inline.test(tagName)) current.text += ' ';
    current = outer ?? current;
  }
  readAll(mainOf(parse(document)));
  return entries.map((entry) => ({
    ...entry,
    page: entry.page || page,
    title: tidy(entry.title),
    text: tidy(entry.text),
  }));
}

function mainOf(node: Node): Node[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => (child.nodeName === 'main' ? [child] : mainOf(child)));
}
