/** What a figure takes from where it stands: its language and its theme. */
import type { Language } from '../languages.ts';

/** Of the nearest element that says so, also from inside somebody's shadow tree. */
export function languageOf(element: Element): Language {
  for (let from: Element | undefined = element; from; ) {
    const said = from.closest('[lang]')?.getAttribute('lang');
    if (said) return said.toLowerCase().startsWith('zh') ? 'zh' : 'en';
    const root = from.getRootNode();
    from = root instanceof ShadowRoot ? root.host : undefined;
  }
  return 'en';
}

const system = () => matchMedia('(prefers-color-scheme: dark)');

export type Theme = 'light' | 'dark';

/** The page's choice, which its style sheets make in many ways, or else the system's. */
export function themeOf(element: Element): Theme {
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark') && (!scheme.includes('light') || system().matches);
  return isDark ? 'dark' : 'light';
}

/** Calls back when the theme has changed; returns how to stop that. */
export function watchTheme(element: Element, changed: () => void): () => void {
  let before = themeOf(element);
  const look = () => {
    const now = themeOf(element);
    if (now !== before) changed();
    before = now;
  };
  // Paper is light, whatever the screen was.
  const queries = [system(), matchMedia('print')];
  for (const query of queries) query.addEventListener('change', look);
  // A class, a data attribute, a style: pages have no one way to say that they are dark.
  const choice = new MutationObserver(look);
  for (const place of [document.documentElement, document.body, element])
    choice.observe(place, { attributes: true });
  return () => {
    for (const query of queries) query.removeEventListener('change', look);
    choice.disconnect();
  };
}
