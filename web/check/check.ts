/** The page “Check your model”: takes files and shows the verdict of `diagnose`. */
import { html, nothing, render } from 'lit';
import type { Language } from '../languages.ts';
import { Superseded } from '../worker/client.ts';
import { createFileEngine } from './engine.ts';
import { wordsOf } from './text.ts';
import { verdict } from './verdict.ts';

/** URLs of the example dumps and their configurations, fetched when the reader chooses one. */
const dumps = import.meta.glob<string>('./dumps/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

async function fetched(dump: string, name: string): Promise<File> {
  const response = await fetch(dumps[`./dumps/${dump}`]!);
  return new File([await response.blob()], name);
}

/** No dump is as large: a larger file is a model, of which only slices are read. */
const largestDump = 2 ** 29;

/**
 * Whether a file is a model as its program loads it, and not arrays of a run. Of a smaller
 * .safetensors file, the worker reads in its header which it is.
 */
const isModelFile = ({ name, size }: File) =>
  /\.(gguf|onnx|onnx_data|data|bin|index\.json)$/i.test(name) ||
  (size > largestDump && name.endsWith('.safetensors'));

export class Check {
  #language: Language = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';
  #words = wordsOf(this.#language);
  #engine = createFileEngine().channel();
  #arrays = new Map<string, File>();
  #reference = new Map<string, File>();
  #model = new Map<string, File>();
  #config: File | undefined;
  /** Whether the files are an example dump, which the files of the reader replace. */
  #isExample = false;
  /** Only the last run is shown. */
  #runs = 0;

  /** Removes all files. */
  clear() {
    this.#removeFiles();
    this.#runs++;
    render(nothing, element('result-check'));
  }

  /** Adds files of arrays, and config.json, and checks them. */
  async take(files: readonly File[]) {
    if (files.length === 0) return;
    if (this.#isExample) this.#removeFiles();
    for (const file of files) {
      if (isModelFile(file)) this.#model.set(file.name, file);
      else if (file.name.endsWith('.json')) this.#config = file;
      else this.#arrays.set(file.name, file);
    }
    this.#sortShards();
    await this.#run();
  }

  /** Adds files of a reference, a program that is right, and checks again. */
  async takeReference(files: readonly File[]) {
    if (files.length === 0) return;
    for (const file of files) this.#reference.set(file.name, file);
    await this.#run();
  }

  /** The files of a checkpoint belong to its index, whatever their names. */
  #sortShards() {
    if (![...this.#model.keys()].some((name) => name.endsWith('.index.json'))) return;
    for (const [name, file] of this.#arrays) {
      if (!name.endsWith('.safetensors')) continue;
      this.#model.set(name, file);
      this.#arrays.delete(name);
    }
  }

  #removeFiles() {
    for (const files of [this.#arrays, this.#reference, this.#model]) files.clear();
    this.#config = undefined;
    this.#isExample = false;
    for (const button of document.querySelectorAll('[data-dump]'))
      button.removeAttribute('aria-pressed');
  }

  /** Checks an example in place of the reader's files. */
  async tryDump(button: HTMLButtonElement) {
    const name = button.dataset['dump']!;
    this.#removeFiles();
    try {
      const files = await Promise.all([
        fetched(`${name}.safetensors`, `${name}.safetensors`),
        fetched(`${name}.json`, 'config.json'),
      ]);
      await this.take(files);
    } catch {
      this.#fail();
    }
    this.#isExample = true;
    button.setAttribute('aria-pressed', 'true');
  }

  #fail() {
    const line = html`<p class="refused" role="alert">${this.#words.broken}</p>`;
    render(line, element('result-check'));
  }

  async #run() {
    const place = element('result-check');
    const run = ++this.#runs;
    const files = [...this.#arrays.values()];
    try {
      const found = await this.#engine.checkModel({
        arrays: files,
        model: [...this.#model.values()],
        reference: [...this.#reference.values()],
        config: this.#config,
      });
      const names = [
        ...this.#model.keys(),
        ...this.#arrays.keys(),
        ...(this.#config ? [this.#config.name] : []),
      ];
      const shown = await verdict(found, names, this.#language);
      if (run !== this.#runs) return;
      render(shown, place);
      // Unreadable files are removed, so that each is reported once.
      for (const { file } of found.errors) {
        this.#arrays.delete(file);
        this.#reference.delete(file);
      }
    } catch (error) {
      // A later run has replaced this one.
      if (error instanceof Superseded) return;
      this.#fail();
    }
    place.setAttribute('aria-busy', 'false');
  }
}
