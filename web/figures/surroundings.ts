/** What a figure takes from the page on which it stands: its language and its theme. */
import type { Language } from '../languages.ts';

/** Returns the language of the nearest element with `lang`, also from inside a shadow tree. */
export function languageOf(element: Element): Language {
  for (let from: Element | undefined = element; from;) {
    const lang = from.closest('[lang]')?.getAttribute('lang');
    if (lang) return lang.toLowerCase().startsWith('zh') ? 'zh' : 'en';
    const root = from.getRootNode();
    from = root instanceof ShadowRoot ? root.host : undefined;
  }
  return 'en';
}

/** Reloads the page if its server responds. The settings are in the address. */
export async function reloadIfServed() {
  const page = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
  if (page?.ok) location.reload();
}

const system = () => matchMedia('(prefers-color-scheme: dark)');

export type Theme = 'light' | 'dark';

/** The page's choice, which its style sheets make in many ways, or else the system's. */
function themeOf(element: Element): Theme {
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark') && (!scheme.includes('light') || system().matches);
  return isDark ? 'dark' : 'light';
}

/**
 * Calls `notify` with the theme, now and after each change; returns a function that stops it. To
 * read the theme at every drawing would make the browser recompute the styles of the whole page.
 */
export function watchTheme(element: Element, notify: (theme: Theme) => void): () => void {
  let last: Theme | undefined;
  const look = () => {
    const theme = themeOf(element);
    if (theme !== last) notify(theme);
    last = theme;
  };
  look();
  // A style sheet may come later than the figure.
  addEventListener('load', look);
  // Print is always light.
  const queries = [system(), matchMedia('print')];
  for (const query of queries) query.addEventListener('change', look);
  // A class, a data attribute, a style: pages have no one way to say that they are dark. But the
  // figure's own word that it is drawn comes and goes with every move of a control.
  const choice = new MutationObserver((changes) => {
    if (changes.some(({ attributeName }) => attributeName !== 'drawn')) look();
  });
  for (const place of [document.documentElement, document.body, element])
    choice.observe(place, { attributes: true });
  return () => {
    removeEventListener('load', look);
    for (const query of queries) query.removeEventListener('change', look);
    choice.disconnect();
  };
}
