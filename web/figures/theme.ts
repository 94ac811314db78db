/** Which theme an element is shown in: the page's choice, or else the system's. */
const system = () => matchMedia('(prefers-color-scheme: dark)');

export function themeOf(element: Element): 'light' | 'dark' {
  const scheme = getComputedStyle(element).colorScheme;
  const isDark = scheme.includes('dark') && (!scheme.includes('light') || system().matches);
  return isDark ? 'dark' : 'light';
}

/** Calls back whenever the theme may have changed; returns how to stop that. */
export function watchTheme(changed: () => void): () => void {
  const query = system();
  query.addEventListener('change', changed);
  const choice = new MutationObserver(changed);
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    query.removeEventListener('change', changed);
    choice.disconnect();
  };
}
