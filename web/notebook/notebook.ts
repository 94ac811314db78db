/** The notebook on the page: arrays in, results under the cells, files out. */
import { render } from 'lit';
import { save } from '../figures/download.ts';
import type { Language } from '../languages.ts';
import { Superseded, type Engine } from '../worker/client.ts';
import { emptyResults, type CellResults, type Settings } from './protocol.ts';
import { results } from './results.ts';
import { translatorFor } from './text.ts';

const examples = import.meta.glob<string>(
  '../../tests/package/numpy/{q,k,v,attention,weights,rotary}.npy',
  { query: '?url', import: 'default', eager: true },
);
const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

const language = (): Language => (document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');

export class Notebook {
  #translate = translatorFor(language());
  #files = new Map<string, File>();
  #isExample = true;
  #engine: Engine<typeof import('./jobs.ts')>;

  constructor(engine: Engine<typeof import('./jobs.ts')>) {
    this.#engine = engine.channel();
  }

  start() {
    element('examples').addEventListener('click', () => void this.example());
    element('settings').addEventListener('change', () => void this.#run());
    void this.example();
  }

  /** The files that NumPy made. */
  async example() {
    const loaded = await Promise.all(
      Object.entries(examples).map(async ([path, address]) => {
        const response = await fetch(address);
        const name = path.split('/').at(-1)!;
        return [name, new File([await response.blob()], name)] as const;
      }),
    );
    [this.#files, this.#isExample] = [new Map(loaded), true];
    await this.#run();
  }

  /** Takes files of arrays; those of the reader replace the example. */
  async take(files: readonly File[]) {
    if (files.length === 0) return;
    if (this.#isExample) this.#files = new Map();
    this.#isExample = false;
    for (const file of files) this.#files.set(file.name, file);
    await this.#run();
  }

  #settings(): Settings {
    const form = new FormData(element<HTMLFormElement>('settings'));
    return {
      base: Number(form.get('base')),
      layout: form.get('layout') as Settings['layout'],
      causal: (form.get('causal') || false) as Settings['causal'],
    };
  }

  async #run() {
    element('notebook').setAttribute('aria-busy', 'true');
    try {
      const found = await this.#engine.runCells([...this.#files.values()], this.#settings());
      this.#show(found);
      // A file that cannot be read is reported once.
      for (const { cell, about } of found.errors) if (cell === 'arrays') this.#files.delete(about);
    } catch (error) {
      // The results of a later run come instead.
      if (error instanceof Superseded) return;
      this.#show(emptyResults(), [this.#translate('broken')]);
    }
  }

  #show(found: CellResults, notes: readonly string[] = []) {
    const saved = (name: string) => {
      const { bytes } = found.results.find((result) => result.name === name)!;
      save(
        new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }),
        `${name}.npy`,
      );
    };
    for (const [cell, content] of Object.entries(
      results(found, notes, language(), this.#translate, saved),
    )) {
      const place = element(`result-${cell}`);
      if (!place.hasAttribute('data-drawn')) place.replaceChildren();
      render(content, place);
      place.setAttribute('data-drawn', '');
    }
    element('notebook').setAttribute('aria-busy', 'false');
  }
}
