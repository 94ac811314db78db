/**
 * <ropewalk-model>: the reader names a model or brings a config.json, and the page follows it. What
 * the package made of the file is shown in a table; an invalid file changes nothing.
 */
import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ModelPosition } from './worker/model_position.ts';
import { languageOf } from './figures/surroundings.ts';
import { figureStyle, ownRem } from './figures/style.ts';
import { fieldsOf, type ModelChoice } from './model.ts';
import { presets } from './figures/model_presets.ts';
import { panelStyle } from './model_style.ts';
import { modelSentence, words } from './model_text.ts';
import type { UrlState } from './state.ts';
import { Superseded, type EngineFunctions } from './worker/client.ts';

/** The package reads no longer text; a larger file is not even opened. */
const largestFile = 2 ** 23;
const longestLink = 1500;
const own = 'own';

export class ModelPanel extends LitElement {
  static host: {
    engine: EngineFunctions<typeof import('./worker/model_position.ts')>;
    choice: ModelChoice;
    state: UrlState;
  };
  static override styles = [figureStyle, ownRem(panelStyle)];
  static override properties = {
    chosen: { state: true },
    position: { state: true },
    fault: { state: true },
    note: { state: true },
    text: { state: true },
  };

  /** Id of a preset, 'own', or nothing. */
  declare private chosen: string;
  declare private position: ModelPosition | undefined;
  declare private fault: string | Error | undefined;
  declare private note: string | undefined;
  declare private text: string;

  constructor() {
    super();
    this.chosen = '';
    this.text = '';
  }

  override connectedCallback() {
    super.connectedCallback();
    document.addEventListener('dragover', this.#drag);
    document.addEventListener('drop', this.#drop);
    ModelPanel.host.state.addEventListener('change', this.#recall);
    this.#follow();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    ModelPanel.host.state.removeEventListener('change', this.#recall);
    document.removeEventListener('dragover', this.#drag);
    document.removeEventListener('drop', this.#drop);
  }

  /** Back and Forward. */
  #recall = () => {
    const { state } = ModelPanel.host;
    if (!['preset', 'config'].some((key) => state.hasChanged('model', key))) return;
    this.#leave({ isChosenHere: false });
    this.#follow();
  };

  /** What the address names. */
  #follow() {
    const parameters = ModelPanel.host.state.words('model');
    const preset = presets.find(({ id }) => id === parameters.get('preset'));
    if (preset) void this.#read(preset.config, preset.id, false);
    else if (parameters.has('preset'))
      this.note = this.#words.unknown(parameters.get('preset')!.slice(0, 40));
    else if (parameters.has('config')) {
      this.text = parameters.get('config')!;
      void this.#read(this.text, own, false);
    }
  }

  #leave({ isChosenHere }: { isChosenHere: boolean }) {
    Object.assign(this, { chosen: '', position: undefined, fault: undefined, note: undefined });
    ModelPanel.host.choice.choose(undefined, { isChosenHere });
  }

  get #words() {
    return words[languageOf(this)];
  }

  async #read(config: string | object, chosen: string, isChosenHere = true) {
    const { engine, choice, state } = ModelPanel.host;
    this.note = undefined;
    try {
      const position = await engine.modelPosition(config);
      Object.assign(this, { position, chosen, fault: undefined });
      choice.choose(fieldsOf(position.scheme), { isChosenHere });
      if (isChosenHere) state.write('model', this.#address(chosen));
    } catch (error) {
      if (!(error instanceof Superseded)) this.fault = error as Error;
    }
  }

  /** A preset by its name, a file as it is, where that makes no address that servers reject. */
  #address(chosen: string): Map<string, string> {
    if (chosen !== own) return new Map([['preset', chosen]]);
    const text = JSON.stringify(JSON.parse(this.text));
    return new Map(text.length <= longestLink ? [['config', text]] : []);
  }

  #choose(id: string) {
    const preset = presets.find((candidate) => candidate.id === id);
    if (preset) return void this.#read(preset.config, id);
    if (id === own) return void this.#read(this.text, own);
    ModelPanel.host.state.write('model', new Map());
    this.#leave({ isChosenHere: true });
  }

  async #open(file: File) {
    if (file.size > largestFile) {
      this.fault = this.#words.tooLarge;
      return;
    }
    this.text = await file.text();
    await this.#read(this.text, own);
  }

  #drag = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };

  #drop = (event: DragEvent) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void this.#open(file);
    this.scrollIntoView({ block: 'nearest' });
  };

  #typed = (event: Event) => {
    this.text = (event.target as HTMLTextAreaElement).value;
    if (this.text.trim()) void this.#read(this.text, own);
    else if (this.chosen === own) this.#choose('');
  };

  protected override render() {
    const strings = this.#words;
    const chose = (event: Event) => this.#choose((event.target as HTMLSelectElement).value);
    const picked = (event: Event) => {
      const [file] = (event.target as HTMLInputElement).files ?? [];
      if (file) void this.#open(file);
    };
    const option = (value: string, title: string) =>
      html`<option value=${value} .selected=${live(value === this.chosen)}>${title}</option>`;
    return html`<div class="panel">
      <div class="control menu">
        <label for="preset">${strings.choose}</label>
        <select id="preset" @change=${chose}>
          ${option('', strings.none)} ${presets.map(({ id, title }) => option(id, title))}
          ${this.text.trim() ? option(own, strings.own) : nothing}
        </select>
      </div>
      <details>
        <summary>${strings.bring}</summary>
        <p>${strings.hint}</p>
        <textarea
          id="config"
          rows="6"
          spellcheck="false"
          dir="ltr"
          aria-label=${strings.text}
          .value=${live(this.text)}
          @input=${this.#typed}
        ></textarea>
        <label>${strings.file} <input type="file" accept=".json,application/json" @change=${picked} /></label>
      </details>
      <div class="messages" role="status">
        ${this.note ? html`<p class="note">${this.note}</p>` : nothing}
        ${this.fault ? html`<p class="fault">${strings.fault(this.fault)}</p>` : nothing}
        ${this.position ? this.#summary(this.position) : nothing}
      </div>
      ${this.position ? this.#account(this.position) : nothing}
    </div>`;
  }

  /** The model in one sentence. */
  #summary({ scheme }: ModelPosition): TemplateResult {
    const language = languageOf(this);
    const source = presets.find(({ id }) => id === this.chosen)?.source;
    return html`<p class="summary">
      ${modelSentence(language, scheme)}${language === 'en' ? ' ' : ''}${source ? words[language].source(source) : nothing}
    </p>`;
  }

  #account({ account }: ModelPosition): TemplateResult {
    const strings = this.#words;
    const kinds = ['contradicts', 'assumed', 'read'] as const;
    const row = ({ key, value, texts }: (typeof account.read)[number]) =>
      html`<tr>
        <th scope="row"><code>${breakable(key)}</code></th>
        <td>${shown(value)}</td>
        <td>${texts[languageOf(this)]}</td>
      </tr>`;
    const section = (kind: (typeof kinds)[number]) =>
      html`<tbody data-kind=${kind}>
        <tr><th colspan="3" scope="rowgroup">${strings[kind]}</th></tr>
        ${account[kind].map(row)}
      </tbody>`;
    const { read, assumed, contradicts } = account;
    return html`<details class="account">
      <summary>${strings.account(read.length, assumed.length, contradicts.length)}</summary>
      <div class="table" tabindex="0" role="region" aria-label=${strings.meaning}>
        <table>
          <thead>
            <tr><th scope="col">${strings.key}</th><th scope="col">${strings.value}</th><th scope="col">${strings.meaning}</th></tr>
          </thead>
          ${kinds.filter((kind) => account[kind].length > 0).map(section)}
        </table>
      </div>
    </details>`;
  }
}

/** A path of keys may break after its dots. */
const breakable = (key: string) =>
  key.split('.').map((part, i) => (i === 0 ? part : html`.<wbr />${part}`));

function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
