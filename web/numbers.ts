/** The page that checks a model. What reads files loads with the first of them. */
import './documents.ts';
import { onChoice, onDrop } from './check/files.ts';
import type { Check } from './check/check.ts';

const place = document.querySelector('#result-check')!;
let loaded: Promise<Check> | undefined;

/** Makes room for the verdict at once, so that nothing moves when it comes. */
function check(): Promise<Check> {
  if (!loaded) place.replaceChildren();
  place.setAttribute('aria-busy', 'true');
  place.setAttribute('data-drawn', '');
  place.scrollIntoView();
  return (loaded ??= import('./check/check.ts').then((module) => new module.Check()));
}

async function take(files: File[]) {
  if (files.length > 0) await (await check()).take(files);
}
onChoice('files', take);
onChoice('reference-files', async (files) => (await check()).takeReference(files));
onDrop('drop', take);

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-dump]')) {
  button.disabled = false;
  button.addEventListener('click', async () => (await check()).tryDump(button));
}
const clear = document.querySelector<HTMLButtonElement>('#clear')!;
clear.disabled = false;
clear.addEventListener('click', async () => {
  await (await loaded)?.clear();
  place.removeAttribute('data-drawn');
});
