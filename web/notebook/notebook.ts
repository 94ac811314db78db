/** The notebook on the page: the reader's files in, results under the cells, files out. */
import { render } from 'lit';
import { save } from '../figures/download.ts';
import { createEngine, Superseded } from '../worker/client.ts';
import { scriptOf, spawner } from '../worker/spawn.ts';
import { emptyResults, type CellResults, type Settings } from './protocol.ts';
import { results } from './results.ts';
import { translatorFor } from './text.ts';
import address from './cell_worker.ts?worker&url';

const spawn = spawner(scriptOf(address, () => import('./jobs.ts')));

const examples = import.meta.glob<string>(
  '../../tests/package/numpy/{q,k,v,attention,weights,rotary}.npy',
  { query: '?url', import: 'default', eager: true },
);
const largestFile = 2 ** 29;

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

export class Notebook {
  #translate = translatorFor(document.documentElement.lang.startsWith('zh') ? 'zh' : 'en');
  #files = new Map<string, Uint8Array>();
  #isExample = true;
  #notes: string[] = [];
  #engine = createEngine<typeof import('./jobs.ts')>(spawn).channel();

  start() {
    const [choice, drop] = [element<HTMLInputElement>('files'), element('drop')];
    choice.addEventListener(
      'change',
      () => void this.#take([...(choice.files ?? [])]).then(() => (choice.value = '')),
    );
    // Anywhere on the page: a file dropped beside the box would take its place.
    addEventListener('dragover', (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
    addEventListener('dragleave', (event) => event.relatedTarget ?? drop.classList.remove('over'));
    addEventListener('drop', (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      void this.#take([...(event.dataTransfer?.files ?? [])]);
    });
    element('examples').addEventListener('click', () => void this.example());
    element('settings').addEventListener('change', () => void this.#run());
    void this.example();
  }

  /** The files that NumPy made. */
  async example() {
    const loaded = await Promise.all(
      Object.entries(examples).map(async ([path, address]) => {
        const response = await fetch(address);
        return [path.split('/').at(-1)!, new Uint8Array(await response.arrayBuffer())] as const;
      }),
    );
    [this.#files, this.#isExample, this.#notes] = [new Map(loaded), true, []];
    await this.#run();
  }

  async #take(files: File[]) {
    if (files.length === 0) return;
    this.#notes = [];
    if (this.#isExample) this.#files = new Map();
    this.#isExample = false;
    for (const file of files) {
      try {
        if (!/\.(npy|safetensors)$/.test(file.name))
          throw new Error(this.#translate('wrongEnding'));
        if (file.size > largestFile) throw new Error(this.#translate('tooLarge'));
        const bytes = await file
          .arrayBuffer()
          .catch(() => Promise.reject(new Error(this.#translate('unreadable'))));
        this.#files.set(file.name, new Uint8Array(bytes));
      } catch (error) {
        this.#notes.push(`${file.name}: ${(error as Error).message}`);
      }
    }
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
    const files = [...this.#files].map(([file, bytes]) => ({ file, bytes }));
    element('notebook').setAttribute('aria-busy', 'true');
    try {
      this.#show(await this.#engine.runCells(files, this.#settings()));
    } catch (error) {
      // The results of a later run come instead.
      if (error instanceof Superseded) return;
      this.#notes = [this.#translate('broken')];
      this.#show(emptyResults());
    }
  }

  #show(found: CellResults) {
    const saved = (name: string) => {
      const { bytes } = found.results.find((result) => result.name === name)!;
      save(
        new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }),
        `${name}.npy`,
      );
    };
    for (const [cell, content] of Object.entries(
      results(found, this.#notes, this.#translate, saved),
    )) {
      const place = element(`result-${cell}`);
      if (!place.hasAttribute('data-drawn')) place.replaceChildren();
      render(content, place);
      place.setAttribute('data-drawn', '');
    }
    element('notebook').setAttribute('aria-busy', 'false');
  }
}
