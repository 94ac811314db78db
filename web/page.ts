/** The few live parts of the page outside its figures. */
import type { UrlState } from './state.ts';

const themeKey = 'ropewalk-theme';

/** Light, dark, or as the system says; theme.js puts it back on the next visit. */
export function themeButton(button: HTMLButtonElement) {
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

/** The same place with the same settings in the other language, also for a middle click. */
export function linkLanguages(link: HTMLAnchorElement, state: UrlState) {
  const plain = link.getAttribute('href')!;
  const update = () => link.setAttribute('href', `${plain}${state.search}${location.hash}`);
  for (const kind of ['pointerdown', 'focus', 'click', 'contextmenu'])
    link.addEventListener(kind, update);
}

/** The title of the window says where in the text the reader is: in tabs, history and bookmarks. */
export function titleByChapter(chapters: Iterable<Element>) {
  const whole = document.title;
  const inView = new Set<Element>();
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        inView[isIntersecting ? 'add' : 'delete'](target);
      const heading = [...inView].at(-1)?.querySelector('h2');
      document.title = heading ? `${heading.textContent} · Ropewalk` : whole;
    },
    // A line a third of the way down: never in two chapters at once.
    { rootMargin: '-33% 0px -66.9% 0px' },
  );
  for (const chapter of chapters) sight.observe(chapter);
}
