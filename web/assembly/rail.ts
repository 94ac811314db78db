/** The contents of a page, which a wide window shows in the rail beside the text. */
import type { Language } from '../languages.ts';

const labels = { en: 'In this chapter', zh: '本章内容' };

/**
 * Returns the list of the sections, the title first.
 * @param text of the chapter, with its sections at level 2
 */
export function railContents(title: string, text: string, language: Language): string {
  const withoutNotes = text.replaceAll(/<aside\b[^]*?<\/aside>/g, '');
  const sections = Array.from(
    withoutNotes.matchAll(/<h2\b([^>]*)>([^]*?)<\/h2>/g),
    ([, attributes, heading]) => {
      const [, id] = / id="([^"]+)"/.exec(attributes!) ?? [];
      if (!id) throw new Error(`the section "${heading}" must have an id: the contents link to it`);
      return { id, heading };
    },
  );
  const items = [{ id: 'title', heading: title }, ...sections].map(
    ({ id, heading }) => `<li><a href="#${id}">${heading}</a></li>`,
  );
  return `<nav class="rail" aria-label="${labels[language]}"><ul>
${items.join('\n')}
</ul></nav>`;
}

/** Returns a list for the rail, and for narrower windows the same one folded, above the text. */
export function railList(items: readonly string[], label: string): string {
  const list = `<ul>\n${items.join('\n')}\n</ul>`;
  return `<nav class="rail" aria-label="${label}">${list}</nav>
<details class="folded-rail"><summary>${label}</summary><nav aria-label="${label}">${list}</nav></details>`;
}
