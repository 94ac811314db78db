/** Finds entries by words: an index of MiniSearch over titles, pages and texts. */
import MiniSearch from 'minisearch';
import type { SearchEntry } from './entry.ts';
import { termsOf, termsOfQuery } from './terms.ts';

const mostResults = 20;

export interface Found extends SearchEntry {
  /** The part of the text around the first term of the query that stands in it. */
  excerpt: string;
}

/** A chapter before a heading in it, and what explains a name before the types that have it. */
function weightOf(address: string): number {
  if (address.includes('reference-')) return 0.6;
  return address.includes('#') ? 1 : 1.5;
}

/** Returns a function that gives the entries with all terms of a query, the best first. */
export async function finder(entries: readonly SearchEntry[]): Promise<(query: string) => Found[]> {
  const index = new MiniSearch({
    idField: 'address',
    fields: ['title', 'page', 'text'],
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: termsOfQuery,
      boost: { title: 4, page: 2 },
      boostDocument: (address: string) => weightOf(address),
      combineWith: 'AND',
      prefix: true,
      // A slip in a long word is forgiven; pairs of characters and short names are meant.
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
  // In pieces: the page goes on meanwhile.
  await index.addAllAsync(entries);
  const byAddress = new Map(entries.map((entry) => [entry.address, entry]));
  return (query) => {
    const terms = termsOfQuery(query);
    return index
      .search(query)
      .slice(0, mostResults)
      .map(({ id }) => {
        const entry = byAddress.get(id)!;
        return { ...entry, excerpt: excerptOf(entry.text, terms) };
      });
  };
}

const before = 40;
/** Two lines; a Chinese character is twice as wide as a letter. */
const lengthOf = (text: string) => (/\p{Script=Han}/u.test(text) ? 80 : 160);

function excerptOf(text: string, terms: readonly string[]): string {
  const length = lengthOf(text);
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const at = Math.max(0, Math.min(...places, text.length) - before);
  // Without a term in the text the title has it: the text is shown from its beginning.
  const first = places.length === 0 || at === 0 ? 0 : text.indexOf(' ', at) + 1 || at;
  const part = text.slice(first, first + length).trim();
  return `${first > 0 ? '… ' : ''}${part}${first + length < text.length ? ' …' : ''}`;
}
