/** Files that the reader chooses or drops. */
const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

/** Calls `take` with the files of an input; the input is empty again once they are taken. */
export function onChoice(id: string, take: (files: File[]) => Promise<unknown>) {
  const choice = element<HTMLInputElement>(id);
  choice.addEventListener(
    'change',
    () => void take([...(choice.files ?? [])]).then(() => (choice.value = '')),
  );
}

/** Calls `take` with files dropped anywhere: beside the box, one would replace the page. */
export function onDrop(box: string, take: (files: File[]) => Promise<unknown>) {
  const { classList } = element(box);
  addEventListener('dragover', (event) => {
    event.preventDefault();
    classList.add('over');
  });
  addEventListener('dragleave', (event) => event.relatedTarget ?? classList.remove('over'));
  addEventListener('drop', (event) => {
    event.preventDefault();
    classList.remove('over');
    void take([...(event.dataTransfer?.files ?? [])]);
  });
}
