/** The search itself: a field, and the places that have its words. */
import type { Language } from '../languages.ts';
import type { SearchEntry } from './entry.ts';
import { finder, type Found } from './find.ts';

const words = {
  en: {
    name: 'Search',
    hint: 'Chapters, figures, guides, reference',
    close: 'Close',
    none: (query: string) => `Nothing has all of “${query}”.`,
    some: (count: number) => (count === 1 ? '1 place' : `${count} places`),
    failed: 'The list of places could not be loaded. Is the site reachable?',
  },
  zh: {
    name: '搜索',
    hint: '章节、插图、指南、参考手册',
    close: '关闭',
    none: (query: string) => `没有同时含有“${query}”的地方。`,
    some: (count: number) => `${count} 处`,
    failed: '载入索引失败。网站还连得上吗？',
  },
};

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  content: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), content);
  made.append(...children);
  return made;
}

/** The result before or after the one that has the focus; before the first is the field. */
function neighbor(list: HTMLElement, field: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const stops = [field, ...list.querySelectorAll('a')];
  return stops[stops.indexOf(document.activeElement as HTMLElement) + step];
}

export class SearchDialog {
  readonly #address;
  readonly #words;
  readonly #field;
  readonly #status = element('p', { role: 'status' });
  readonly #list = element('ol');
  readonly #dialog;
  #find: Promise<(query: string) => Found[]> | undefined;

  /** @param address of the entries, from the document on */
  constructor(address: string, language: Language) {
    this.#address = address;
    this.#words = words[language];
    const { name, hint, close } = this.#words;
    this.#field = element('input', {
      type: 'text',
      enterKeyHint: 'search',
      placeholder: hint,
      ariaLabel: name,
    });
    const button = element('button', { type: 'button', textContent: close });
    this.#dialog = element(
      'dialog',
      { className: 'search', ariaLabel: name },
      element('div', { className: 'search-field' }, this.#field, button),
      this.#status,
      this.#list,
    );
    button.addEventListener('click', () => this.#dialog.close());
    this.#field.addEventListener('input', () => this.#update());
    this.#dialog.addEventListener('keydown', (event) => this.#move(event));
    // Beside the dialog, and on a place of this page, which is no new document.
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog || (target instanceof Element && target.closest('a')))
        this.#dialog.close();
    });
    document.body.append(this.#dialog);
  }

  show() {
    this.#dialog.showModal();
    this.#field.select();
    void this.#update();
  }

  async #load() {
    const response = await fetch(this.#address);
    if (!response.ok) throw new Error(`${response.status}`);
    return finder((await response.json()) as SearchEntry[]);
  }

  async #update() {
    const query = this.#field.value.trim();
    let found: Found[];
    try {
      found = query === '' ? [] : (await (this.#find ??= this.#load()))(query);
    } catch {
      // The next key tries again.
      this.#find = undefined;
      this.#show([], this.#words.failed);
      return;
    }
    if (query !== this.#field.value.trim()) return;
    const { none, some } = this.#words;
    this.#show(found, query === '' ? '' : found.length > 0 ? some(found.length) : none(query));
  }

  #show(found: readonly Found[], status: string) {
    this.#status.textContent = status;
    this.#list.replaceChildren(
      ...found.map(({ address, title, page, excerpt }) =>
        element(
          'li',
          {},
          element('a', { href: address }, title),
          title === page ? '' : element('small', {}, page),
          element('p', {}, excerpt),
        ),
      ),
    );
  }

  #move(event: KeyboardEvent) {
    if (event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (step) {
      event.preventDefault();
      neighbor(this.#list, this.#field, step)?.focus();
    } else if (event.key === 'Enter' && event.target === this.#field) {
      event.preventDefault();
      this.#list.querySelector('a')?.click();
    }
  }
}
