/** What a reader copies to show a figure elsewhere. */
import type { Language } from '../languages.ts';
import { linkTo } from '../state.ts';

export interface Shown {
  /** Where the site is served. */
  site: URL;
  /** The page that explains the figure. */
  page: URL;
  name: string;
  question: string;
  language: Language;
  words: ReadonlyMap<string, string>;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export const permalink = ({ page, name, words }: Shown): URL => linkTo(page, name, words);

/** The picture of a figure at its defaults, from the site's address on: `npm run screenshots`. */
export const stillOf = (name: string, language: Language) => `stills/${name}_${language}.webp`;

/**
 * The still and the link show until the figure draws, and in feeds and readers without scripts. No
 * line is empty, so that Markdown takes it as one piece of HTML.
 */
export function elementSnippet(shown: Shown): string {
  const { site, name, question, language, words } = shown;
  const attributes = [['name', name], ...words, ['lang', language]];
  const written = attributes.map(([key, word]) => `${key}="${escaped(word!)}"`).join(' ');
  const still = new URL(stillOf(name, language), site);
  return `<script type="module" src="${new URL('elements.js', site)}"></script>
<ropewalk-figure ${written}>
  <a href="${escaped(permalink(shown).href)}">${escaped(question)}</a>
  <img src="${still}" alt="" width="100%" loading="lazy">
</ropewalk-figure>`;
}

export function frameSnippet({ site, name, question, language, words }: Shown): string {
  const address = new URL('embed.html', site);
  const parameters = [['figure', name], ...words, ['lang', language]] as [string, string][];
  address.search = new URLSearchParams(parameters).toString();
  return `<iframe src="${escaped(address.href)}" title="${escaped(question)}"
  width="100%" height="700" loading="lazy" style="border: 0"></iframe>
<script>
  addEventListener('message', ({ data, source }) => {
    if (data?.type !== 'ropewalk-height') return;
    for (const frame of document.querySelectorAll('iframe'))
      if (frame.contentWindow === source) frame.height = data.height;
  });
</script>`;
}
