/** The few live parts of the page outside its figures. */
import { searchButton } from './search/button.ts';
import type { UrlState } from './state.ts';

const themeKey = 'ropewalk-theme';

/** Light, dark, or as the system says; theme.js puts it back on the next visit. */
function themeButton(button: HTMLButtonElement) {
  const root = document.documentElement;
  button.hidden = false;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const show = () => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(themeKey, root.dataset['theme']);
    } catch {
      // Storage is blocked: the choice lasts as long as the page.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}

/** The buttons in the bar of every page. */
export function startBar() {
  themeButton(document.querySelector('#theme')!);
  searchButton(document.querySelector('#search')!);
}

/** Buttons that copy the code of the snippet in which they stand. */
export function copyButtons(copied: string) {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
    const code = button.closest('.snippet')!.querySelector('code')!;
    button.hidden = !navigator.clipboard;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = copied;
      } catch {
        // No permission: the text is marked, to be copied by hand.
        getSelection()?.selectAllChildren(code);
      }
    });
  }
}

/**
 * Links keep settings, also for a middle click: to the other language all of them and the place; to
 * other pages of the text those that are not of a figure here, such as the reader's model.
 */
export function keepSettings(state: UrlState) {
  const figures = [...document.querySelectorAll('ropewalk-figure')].map((figure) =>
    figure.getAttribute('name')!,
  );
  const folder = new URL('.', location.href).href;
  const update = ({ target }: Event) => {
    const link = target instanceof Element && target.closest('a');
    if (!link) return;
    if (link.id === 'other-language') {
      link.search = state.search;
      link.hash = location.hash;
    } else if (
      link.matches('main a, .mark') &&
      link.pathname !== location.pathname &&
      new URL('.', link.href).href === folder
    ) {
      link.search = state.searchWithout(figures);
    }
  };
  for (const kind of ['pointerdown', 'focusin', 'click', 'contextmenu'])
    document.addEventListener(kind, update);
}

/**
 * Goes to the page that has the anchor of the address, by the links that list the ids of their
 * pages: the front page's map and the index of the reference, for links of the time when what they
 * list was one page, and the link to a chapter that was split off from this one. Returns whether it
 * does.
 */
export function followOldAnchor(): boolean {
  const id = CSS.escape(location.hash.slice(1));
  if (id === '' || document.querySelector(`#${id}`)) return false;
  const link = document.querySelector<HTMLAnchorElement>(`a[data-holds~="${id}"]`);
  if (!link) return false;
  const { search, hash } = location;
  location.replace(Object.assign(new URL(link.href), { search, hash }));
  return true;
}
