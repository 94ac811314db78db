/**
 * <ropewalk-figure name="sinusoid-heatmap" dim="64">: one figure, from its definition to the
 * screen. Loads when it comes near the window; until then the light DOM inside it shows.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Language } from '../languages.ts';
import { Superseded, type Answers, type Engine } from '../worker/client.ts';
import { defaultOf, defaultsOf, readSettings, writeSettings, type Refusal, type Settings, type UrlState } from '../state.ts';
import { controlFor } from './controls.ts';
import { csvOf, pictureOf, rasterOf, save } from './download.ts';
import type { AnyFigure, Control, Table, View } from './figure.ts';
import { figures } from './registry.ts';
import { figureStyle } from './style.ts';
import { themeOf, watchTheme } from './theme.ts';
import { noteFor, words } from './words.ts';

export interface Host {
  engine: Engine;
  /** The page's address; a figure elsewhere keeps its settings to itself. */
  state?: UrlState;
}

/** How long a computation stays silent. */
const patience = 200;

export class RopewalkFigure extends LitElement {
  static host: Host;
  static override styles = figureStyle;
  static override properties = {
    figure: { state: true },
    settings: { state: true },
    refused: { state: true },
    answer: { state: true },
    focusOn: { state: true },
    isBusy: { state: true },
    fault: { state: true },
    width: { state: true },
    isTableOpen: { state: true },
    said: { state: true },
  };

  declare private figure: AnyFigure | undefined;
  declare private settings: Settings;
  declare private refused: readonly Refusal[];
  /** The last numbers, and the settings they were computed from. */
  declare private answer: { settings: Settings; data: unknown } | undefined;
  declare private focusOn: unknown;
  declare private isBusy: boolean;
  declare private fault: string | undefined;
  declare private width: number;
  declare private isTableOpen: boolean;
  declare private said: string;

  #engine: Answers | undefined;
  #question = 0;
  #sight: IntersectionObserver | undefined;
  #size: ResizeObserver | undefined;
  #forgetTheme = () => {};

  constructor() {
    super();
    this.settings = {};
    this.refused = [];
    this.isBusy = false;
    this.isTableOpen = false;
    this.width = 0;
    this.said = '';
  }

  get language(): Language {
    return this.closest('[lang]')?.getAttribute('lang')?.startsWith('zh') ? 'zh' : 'en';
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#sight = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        this.#sight?.disconnect();
        void this.#load();
      },
      { rootMargin: '800px' },
    );
    this.#sight.observe(this);
    this.#size = new ResizeObserver(([entry]) => {
      this.width = Math.floor(entry!.contentRect.width);
    });
    this.#size.observe(this);
    this.#forgetTheme = watchTheme(() => this.requestUpdate());
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#sight?.disconnect();
    this.#size?.disconnect();
    this.#forgetTheme();
  }

  async #load() {
    if (this.figure) return;
    const name = this.getAttribute('name') ?? '';
    const load = Object.hasOwn(figures, name) ? figures[name] : undefined;
    if (!load) {
      this.fault = words.unknownFigure[this.language](name, Object.keys(figures));
      return;
    }
    try {
      const { default: figure } = await load();
      this.#engine = RopewalkFigure.host.engine.asker();
      this.#readSettings(figure);
      if (figure.styles?.styleSheet) this.shadowRoot!.adoptedStyleSheets.push(figure.styles.styleSheet);
      this.figure = figure;
      await this.#compute();
    } catch (error) {
      this.fault = (error as Error).message;
    }
  }

  /** Defaults, then attributes, then the address. */
  #readSettings(figure: AnyFigure) {
    const attributes = Object.keys(figure.controls)
      .filter((key) => this.hasAttribute(key))
      .map((key): [string, string] => [key, this.getAttribute(key)!]);
    const address = RopewalkFigure.host.state?.words(figure.name) ?? new Map<string, string>();
    const given = new Map([...attributes, ...address]);
    const { settings, refused } = readSettings(figure.controls, given, this.language);
    this.settings = settings;
    this.refused = refused;
  }

  /** The settings with every dependent limit applied: what is asked for and drawn. */
  #used(settings: Settings): Settings {
    const used = { ...settings };
    for (const [key, control] of Object.entries(this.figure!.controls)) {
      if (control.kind !== 'range' || !control.limit) continue;
      used[key] = Math.min(used[key] as number, control.limit(used));
    }
    return used;
  }

  set(changes: Settings) {
    const { controls, name } = this.figure!;
    const before = this.settings;
    this.settings = { ...before, ...changes };
    this.refused = [];
    RopewalkFigure.host.state?.write(name, writeSettings(controls, this.settings, this.language));
    const asks = Object.keys(changes).some((key) => changes[key] !== before[key] && !controls[key]?.display);
    if (asks) void this.#compute();
    else if (this.answer) this.answer = { ...this.answer, settings: this.#used(this.settings) };
  }

  async #compute() {
    const question = ++this.#question;
    const settings = this.#used(this.settings);
    const late = setTimeout(() => (this.isBusy = true), patience);
    try {
      const data = await this.figure!.compute(settings as never, this.#engine!, this.language);
      if (question !== this.#question) return;
      // Settings that change the drawing alone may have moved on meanwhile.
      this.answer = { settings: { ...settings, ...this.#displayed() }, data };
      this.fault = undefined;
    } catch (error) {
      if (question !== this.#question || error instanceof Superseded) return;
      this.fault = (error as Error).message;
    } finally {
      clearTimeout(late);
      if (question === this.#question) this.isBusy = false;
    }
  }

  #displayed(): Settings {
    const used = this.#used(this.settings);
    return Object.fromEntries(Object.entries(used).filter(([key]) => this.figure!.controls[key]?.display));
  }

  #view(): View<never, unknown, unknown> {
    const { settings, data } = this.answer!;
    return {
      settings: settings as never,
      data,
      focus: this.focusOn,
      language: this.language,
      theme: themeOf(this),
      width: this.width,
      still: matchMedia('(prefers-reduced-motion: reduce)').matches,
      set: (changes: Settings) => this.set(changes),
      setFocus: (focus) => (this.focusOn = focus),
      control: (key) => this.#control(key, this.figure!.controls[key as string]!),
    };
  }

  #control(key: string, control: Control): TemplateResult {
    const shown = this.#used(this.settings);
    const limit = control.kind === 'range' ? control.limit?.(shown) : undefined;
    return controlFor(control, {
      id: key,
      language: this.language,
      value: shown[key]!,
      limit,
      onInput: (value) => this.set({ [key]: value }),
      onReset: () => this.set({ [key]: defaultOf(control, this.language) }),
    });
  }

  protected override updated(changed: PropertyValues) {
    // Tests and embedding pages wait for this: the drawing on screen is of the settings shown.
    const isCurrent = this.answer !== undefined && !this.isBusy && this.width > 0;
    this.toggleAttribute('drawn', isCurrent);
    if (changed.has('answer')) this.dispatchEvent(new Event('draw'));
  }

  protected override render() {
    const { figure, language } = this;
    if (!figure) return html`<slot></slot>${this.#messages()}`;
    const { question, caption } = figure.text[language];
    const rows = Object.entries(figure.controls).filter(([, control]) => control.place !== 'drawing');
    return html`<figure aria-labelledby="question" aria-busy=${this.isBusy}>
      <p class="question" id="question" role="heading" aria-level=${this.getAttribute('level') ?? 3}>${question}</p>
      ${rows.length > 0
        ? html`<div class="controls">${rows.map(([key, control]) => this.#control(key, control))}</div>`
        : nothing}
      ${this.#messages()}
      <div class="drawing">${this.#drawing()}</div>
      <div class="progress">${this.isBusy ? html`<progress aria-label=${words.computing[language]}></progress>` : nothing}</div>
      <figcaption>${caption}</figcaption>
      ${this.#actions()} ${this.isTableOpen && this.answer ? this.#table() : nothing}
    </figure>`;
  }

  #drawing() {
    if (!this.answer || this.width === 0) return nothing;
    return this.figure!.draw(this.#view());
  }

  #messages() {
    const notes = this.refused.map((refusal) => noteFor(refusal, this.figure?.controls, this.language));
    return html`<div class="messages" role="status">
      ${notes.map((note) => html`<p class="note">${note}</p>`)}
      ${this.fault ? html`<p class="fault">${words.fault[this.language]} ${this.fault}</p>` : nothing}
    </div>`;
  }

  #actions() {
    if (!this.answer) return nothing;
    const { language } = this;
    const button = (label: string, title: string, action: () => unknown) =>
      html`<button type="button" title=${title} @click=${action}>${label}</button>`;
    const name = this.figure!.name;
    const drawing = () => this.shadowRoot!.querySelector<HTMLElement>('.drawing')!;
    const { values, csv, png, svg, link, reset } = words.actions;
    return html`<div class="actions">
      <button type="button" aria-expanded=${this.isTableOpen} @click=${() => (this.isTableOpen = !this.isTableOpen)}>
        ${values[language]}
      </button>
      ${button('CSV', csv[language], () => save(csvOf(this.#numbers()), `${name}.csv`))}
      ${button('PNG', png[language], async () => save(await rasterOf(drawing()), `${name}.png`))}
      ${button('SVG', svg[language], () => save(pictureOf(drawing()), `${name}.svg`))}
      ${button(link.label[language], link.title[language], () => this.#copyLink())}
      ${button(reset.label[language], reset.title[language], () =>
        this.set(defaultsOf(this.figure!.controls, language) as Settings),
      )}
      <span class="said" role="status">${this.said}</span>
    </div>`;
  }

  #numbers(): Table {
    return this.figure!.table(this.#view());
  }

  #table() {
    const { columns, rows } = this.#numbers();
    const shown = rows.slice(0, 200);
    return html`<div class="table" tabindex="0" role="region" aria-label=${words.actions.values[this.language]}>
      <table>
        <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
        <tbody>${shown.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
      ${rows.length > shown.length ? html`<p>${words.more[this.language](rows.length - shown.length)}</p>` : nothing}
    </div>`;
  }

  async #copyLink() {
    const { controls, name } = this.figure!;
    const link = new URL(location.href);
    const parameters = [...writeSettings(controls, this.settings, this.language)];
    link.search = new URLSearchParams(parameters.map(([key, word]) => [`${name}.${key}`, word])).toString();
    link.hash = name;
    try {
      await navigator.clipboard.writeText(link.href);
      this.said = words.copied[this.language];
    } catch {
      // No clipboard without https or permission: the link itself, to be copied by hand.
      this.said = link.href;
    }
  }
}
