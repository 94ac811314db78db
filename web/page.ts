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
    const code = button.closest('.snippet')!.querySelector('pre')!;
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
      link.matches('main a, .bar a') &&
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
 * Figures that were on the front page, so that their settings need no anchor in an old address. The
 * settings of other figures may be in any address (keepSettings).
 */
const wereOnFrontPage = ['word-order'];

/** The anchor of the address, or the figure whose settings say which one is meant. */
function anchorOf({ hash, search }: Location): string {
  if (hash.length > 1) return hash.slice(1);
  const keys = [...new URLSearchParams(search).keys()];
  const isSet = (figure: string) => keys.some((key) => key.startsWith(`${figure}.`));
  return wereOnFrontPage.find(isSet) ?? '';
}

/**
 * The front page's pictures load once its map comes into the window: they are as many bytes as all
 * that the first figure needs.
 */
export function loadPictures() {
  const map = document.querySelector('.map');
  if (!map) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    map.classList.add('seen');
    observer.disconnect();
  });
  observer.observe(map);
}

/**
 * Goes to the page that has the anchor of the address, by the links that list the ids of their
 * pages: the front page's map and the index of the reference, for links of the time when what they
 * list was one page, and the link to a chapter that was split off from this one. Returns whether it
 * does.
 */
export function followOldAnchor(): boolean {
  const hash = anchorOf(location);
  const id = CSS.escape(hash);
  if (id === '' || document.querySelector(`#${id}`)) return false;
  const link = document.querySelector<HTMLAnchorElement>(`a[data-holds~="${id}"]`);
  if (!link) return false;
  location.replace(Object.assign(new URL(link.href), { search: location.search, hash }));
  return true;
}
