/** The entries of the search, read from the assembled pages. */
import type { SearchEntry } from '../search/entry.ts';

/** What begins an entry: headings, figures, and the declarations of the reference. */
const heading = /^h[1-4]$/;
/** What a reader does not read, and code: names in it would hide the place that explains them. */
const silent = new Set(['pre', 'script', 'style', 'nav', 'button', 'svg', 'annotation']);
/** Inside words and formulas. Beyond any other element a word does not go on. */
const inline = /^(a|abbr|b|code|em|i|small|span|strong|su[bp]|math|semantics|m[a-z]+)$/;
const empty = new Set(['img', 'br', 'hr', 'input', 'meta', 'link', 'wbr']);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
const plain = (text: string) =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (entities[name] ?? all),
  );
const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

interface Open {
  tag: string;
  isSilent: boolean;
  /** The entry that goes on after a figure. */
  outer?: SearchEntry;
}

/**
 * Returns the entries of a page in the order of its text.
 * @param document an assembled page: well-formed, as the assembly writes it
 * @param address from the folder of its language
 */
export function entriesOf(document: string, address: string): SearchEntry[] {
  const [main = ''] = /<main[^]*<\/main>/.exec(document) ?? [];
  const entries: SearchEntry[] = [];
  const stack: Open[] = [];
  let page = '';
  let current: SearchEntry | undefined;
  let titled: SearchEntry | undefined;
  const begin = (id: string | undefined) => {
    current = { address: id ? `${address}#${id}` : address, page, title: '', text: '' };
    entries.push(current);
    titled = current;
  };
  for (const [piece, end, tag, attributes] of main.matchAll(/<(\/?)([\w-]+)([^>]*)>|[^<]+/g)) {
    if (tag === undefined) {
      if (!current || stack.some(({ isSilent }) => isSilent)) continue;
      if (titled) titled.title += plain(piece);
      else current.text += plain(piece);
      continue;
    }
    if (end) {
      const at = stack.findLastIndex((open) => open.tag === tag);
      const [closed] = stack.splice(at);
      if (heading.test(tag)) {
        if (tag === 'h1' && titled) page = tidy(titled.title);
        titled = undefined;
      }
      if (tag === 'p') titled = undefined;
      if (current && !inline.test(tag)) current.text += ' ';
      if (closed?.outer) current = closed.outer;
      continue;
    }
    if (empty.has(tag) || attributes!.endsWith('/')) continue;
    const [, id] = / id="([^"]+)"/.exec(attributes!) ?? [];
    const isFigure = tag === 'ropewalk-figure' && id !== undefined;
    stack.push({
      tag,
      isSilent: silent.has(tag) || attributes!.includes('aria-hidden="true"'),
      ...(isFigure && current ? { outer: current } : {}),
    });
    // A declaration's heading has no id of its own: the section around it has.
    if (tag === 'h1') begin(undefined);
    else if (isFigure || (id && (heading.test(tag) || attributes!.includes('declaration'))))
      begin(id);
  }
  return entries.map((entry) => ({
    ...entry,
    page: entry.page || page,
    title: tidy(entry.title),
    text: tidy(entry.text),
  }));
}
