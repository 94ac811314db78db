/** The button in the bar that opens the search; so does the key “/”. */

const typesText = (target: EventTarget | undefined) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'));

/** The dialog and the entries are loaded when they are first wanted. */
export function searchButton(button: HTMLButtonElement) {
  let dialog: Promise<{ show(): void }> | undefined;
  const open = async () => {
    dialog ??= import('./dialog.ts').then(({ SearchDialog }) => {
      const { lang } = document.documentElement;
      return new SearchDialog(button.dataset['entries']!, lang.startsWith('zh') ? 'zh' : 'en');
    });
    (await dialog).show();
  };
  button.hidden = false;
  button.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== '/' || !isPlain || typesText(event.composedPath()[0])) return;
    event.preventDefault();
    void open();
  });
}
