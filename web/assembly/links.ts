/**
 * Links by id: `href="#rotary-clocks"` leads to the page that has this id, whichever it is. Of a
 * document that is no chapter, `href="./#rotary-clocks"` does.
 */
export const idsIn = (text: string) => Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id!);

/** Returns the document with addresses in place of ids of other pages. */
export function withLinks(document: string, places: ReadonlyMap<string, string>): string {
  const own = new Set(idsIn(document));
  return document.replaceAll(/ href="(\.\/)?#([^"]+)"/g, (link, elsewhere, id) => {
    if (!elsewhere && own.has(id)) return link;
    const place = places.get(id);
    if (!place) throw new Error(`a link leads to the id "${id}", which no page has`);
    return ` href="${place}"`;
  });
}
