/**
 * <ropewalk-figure name="sinusoid-heatmap" dim="64">: one figure, from its definition to the
 * screen. Loads when it comes near the window; until then the light DOM inside it shows.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Language } from '../languages.ts';
import type { Answers, Engine } from '../worker/client.ts';
import {
  defaultOf,
  defaultsOf,
  linkTo,
  readSettings,
  writeSettings,
  type Refusal,
  type Settings,
  type UrlState,
} from '../state.ts';
import { actionRow, valueTable } from './actions.ts';
import { controlFor } from './controls.ts';
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
  /** How often the settings changed what is to be computed, and which of these changes is drawn. */
  #asked = 0;
  #answered = 0;
  #isAsking = false;
  #sight: IntersectionObserver | undefined;
  #size: ResizeObserver | undefined;
  /** Known until it may have changed: asking costs a style of the whole page. */
  #theme: 'light' | 'dark' | undefined;
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
    this.#theme = undefined;
    this.#forgetTheme = watchTheme(() => {
      this.#theme = undefined;
      this.requestUpdate();
    });
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
      if (figure.styles?.styleSheet)
        this.shadowRoot!.adoptedStyleSheets.push(figure.styles.styleSheet);
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
    const asks = Object.keys(changes).some(
      (key) => changes[key] !== before[key] && !controls[key]?.display,
    );
    if (asks) void this.#compute();
    else if (this.answer) this.answer = { ...this.answer, settings: this.#used(this.settings) };
  }

  /** One question at a time; what changes meanwhile is the next. So a drag is drawn as it goes. */
  async #compute() {
    this.#asked++;
    this.removeAttribute('drawn');
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#answered !== this.#asked) await this.#answer(this.#asked);
    this.#isAsking = false;
    this.isBusy = false;
  }

  async #answer(question: number) {
    const settings = this.#used(this.settings);
    const late = setTimeout(() => (this.isBusy = true), patience);
    try {
      const data = await this.figure!.compute(settings as never, this.#engine!, this.language);
      // Settings that change the drawing alone may have moved on meanwhile.
      this.answer = { settings: { ...settings, ...this.#displayed() }, data };
      this.fault = undefined;
    } catch (error) {
      this.fault = (error as Error).message;
    } finally {
      clearTimeout(late);
      this.#answered = question;
    }
  }

  #displayed(): Settings {
    const used = this.#used(this.settings);
    return Object.fromEntries(
      Object.entries(used).filter(([key]) => this.figure!.controls[key]?.display),
    );
  }

  #view(): View<never, unknown, unknown> {
    const { settings, data } = this.answer!;
    return {
      settings: settings as never,
      data,
      focus: this.focusOn,
      language: this.language,
      theme: (this.#theme ??= themeOf(this)),
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
    const isAnswered = this.answer !== undefined && this.#answered === this.#asked;
    this.toggleAttribute('drawn', isAnswered && this.fault === undefined && this.width > 0);
    if (changed.has('answer')) this.dispatchEvent(new Event('draw'));
  }

  protected override render() {
    const { figure, language } = this;
    if (!figure) return html`<slot></slot>${this.#messages()}`;
    const { question, caption } = figure.text[language];
    const rows = Object.entries(figure.controls).filter(
      ([, control]) => control.place !== 'drawing',
    );
    const level = this.getAttribute('level') ?? 3;
    const progress = html`<progress aria-label=${words.computing[language]}></progress>`;
    const table = this.isTableOpen && this.answer ? valueTable(this.#numbers(), language) : nothing;
    return html`<figure aria-labelledby="question" aria-busy=${this.isBusy}>
      <p class="question" id="question" role="heading" aria-level=${level}>${question}</p>
      <div class="controls">${rows.map(([key, control]) => this.#control(key, control))}</div>
      ${this.#messages()}
      <div class="drawing">${this.#drawing()}</div>
      <div class="progress">${this.isBusy ? progress : nothing}</div>
      <figcaption>${caption}</figcaption>
      ${this.#actions()} ${table}
    </figure>`;
  }

  #drawing() {
    if (!this.answer || this.width === 0) return nothing;
    return this.figure!.draw(this.#view());
  }

  #messages() {
    const notes = this.refused.map((refusal) =>
      noteFor(refusal, this.figure?.controls, this.language),
    );
    const fault = html`<p class="fault">${words.fault[this.language]} ${this.fault}</p>`;
    return html`<div class="messages" role="status">
      ${notes.map((note) => html`<p class="note">${note}</p>`)} ${this.fault ? fault : nothing}
    </div>`;
  }

  #actions() {
    if (!this.answer) return nothing;
    const { controls, name } = this.figure!;
    const { language } = this;
    return actionRow({
      language,
      name,
      said: this.said,
      isTableOpen: this.isTableOpen,
      numbers: () => this.#numbers(),
      drawing: () => this.shadowRoot!.querySelector<HTMLElement>('.drawing')!,
      link: () => linkTo(name, writeSettings(controls, this.settings, language)),
      say: (text) => (this.said = text),
      toggleTable: () => (this.isTableOpen = !this.isTableOpen),
      reset: () => this.set(defaultsOf(controls, language) as Settings),
    });
  }

  #numbers(): Table {
    return this.figure!.table(this.#view());
  }
}
