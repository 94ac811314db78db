/** What a reader copies to show a figure elsewhere, in the form that each kind of host takes. */
import type { Language } from '../languages.ts';
import { linkTo } from '../state.ts';

export interface Framed {
  /** Where the site is served. */
  site: URL;
  name: string;
  question: string;
  language: Language;
  words: ReadonlyMap<string, string>;
  /** Of a frame, in CSS pixels. */
  height: number;
}

export interface Shown extends Framed {
  /** The page that explains the figure. */
  page: URL;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export const permalink = ({ page, name, words }: Shown): URL => linkTo(page, name, words);

/** The picture of a figure at its defaults, from the site's address on: `npm run screenshots`. */
export const stillOf = (name: string, language: Language) => `stills/${name}_${language}.webp`;

/** The address of a figure alone, which is what a frame shows. */
export function figureAddress({ site, name, language, words }: Framed): URL {
  const folder = language === 'zh' ? 'zh/figure' : 'figure';
  const address = new URL(`${folder}/${name}/`, site);
  address.search = new URLSearchParams([...words]).toString();
  return address;
}

const scriptOf = (site: URL) =>
  `<script type="module" src="${new URL('elements.js', site)}" async></script>`;

/** What a line of text adds below a drawing in it, in CSS pixels: the usual descent of letters. */
const descent = 7;

/** Where no script runs, nothing will take the place that is kept. */
const noScript = (site: URL) =>
  `\n  <noscript><link rel="stylesheet" href="${new URL('noscript.css', site)}" /></noscript>`;

/**
 * The still and its link show until the figure draws, and in feeds and readers without scripts. The
 * still floats, so that the empty drawing beside it keeps the place of the figure from the first
 * paint on. (Pandoc would close the element too late after a canvas, and policies refuse a style.)
 *
 * No line is empty, so that Markdown takes it as one piece of HTML; every tag is closed and has no
 * style, so that JSX, MDX and strict policies take it too.
 */
function elementOf(shown: Shown, own = '', withoutScript = noScript(shown.site)): string {
  const { site, name, question, language, words } = shown;
  const height = shown.height - frameAround;
  const attributes = [['name', name], ...words, ['lang', language], ['height', String(height)]];
  const written = attributes.map(([key, word]) => `${key}="${escaped(word!)}"`).join(' ');
  const still = new URL(stillOf(name, language), site);
  return `<ropewalk-figure${own} ${written}>
  <a href="${escaped(permalink(shown).href)}">
  <img src="${still}"
  alt="${escaped(question)}" width="100%" align="left" loading="lazy" /></a>
  <svg width="0" height="${height - descent}"></svg>${withoutScript}
</ropewalk-figure>`;
}

/** What a frame has around its figure, in CSS pixels: its padding and the line with its source. */
export const frameAround = 36;

/**
 * The frame alone. HTML and JSX share one spelling of frameBorder. Where hosts take it, a script
 * (frames.js) gives it height and theme.
 */
export function frameOf(framed: Framed): string {
  return `<iframe src="${escaped(figureAddress(framed).href)}"
  title="${escaped(framed.question)}" width="100%" height="${framed.height}"
  frameBorder="0" loading="lazy" allow="clipboard-write"></iframe>`;
}

const html = (shown: Shown) => `${scriptOf(shown.site)}\n${elementOf(shown)}`;

/** By the kind of host, in the order of the tabs. */
export const snippets = {
  html,
  // Its Markdown leaves HTML out, and a shortcode keeps it.
  hugo: (shown: Shown) => `{{< raw >}}\n${html(shown)}\n{{< /raw >}}`,
  // A template may not have a <script>, and v-pre makes the element the browser's own. Where
  // scripts run, <noscript> holds text, which Vue takes for an error.
  vue: (shown: Shown) =>
    `<component is="script" type="module" src="${new URL('elements.js', shown.site)}" async />
${elementOf(shown, ' v-pre', '')}`,
  vueFrame: (shown: Shown) => `${frameOf(shown)}
<component is="script" src="${new URL('frames.js', shown.site)}" async />`,
  jupyter: (shown: Shown) => `%%html\n${html(shown)}`,
  frame: (shown: Shown) => `${frameOf(shown)}
<script src="${new URL('frames.js', shown.site)}" async></script>`,
} as const satisfies Record<string, (shown: Shown) => string>;

export type SnippetKind = keyof typeof snippets;
