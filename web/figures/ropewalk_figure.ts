/**
 * <ropewalk-figure name="sinusoid-heatmap" dim="64">: one figure, from its definition to the
 * screen. Loads when it comes near the window; until it draws, the light DOM inside it shows.
 * Besides its settings, attributes set `lang`, `theme` (light, dark), the `level` of its heading,
 * the `height` that it takes before it draws, and its compact forms: `hide`, `controls`, `fit`.
 * Scripts read `state`, call `set` and listen to `change`, `draw` and `error`. React and others set
 * a property in place of an attribute where an element has one: so no attribute is a property.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { stillness } from '../components/stillness.ts';
import { breakable } from '../components/word_breaks.ts';
import type { Language } from '../languages.ts';
import { readTextSize } from '../plots/text_size.ts';
import type { Engine } from '../worker/client.ts';
import type { FigureJobs } from '../worker/figure_jobs.ts';
import { loadTwice } from '../worker/load_again.ts';
import {
  defaultOf,
  defaultsOf,
  linkTo,
  readSettings,
  withinLimits,
  writeSettings,
  type InvalidWord,
  type Source,
} from '../state.ts';
import { actionMenu, valueTable } from './actions.ts';
import { assertSettings } from './assert_settings.ts';
import { Brush, pairCountOf } from './brush.ts';
import { compactForm } from './compact.ts';
import { controlFor } from './controls.ts';
import { drawing, drawnSettings } from './drawing.ts';
import type { AnyFigure, Control, Settings, View } from './figure.ts';
import { whenEndIsHidden } from './end_hidden.ts';
import { Fit } from './fit.ts';
import type { Host } from './host.ts';
import { Outside } from './outside.ts';
import { figures, pageOf } from './registry.ts';
import { Sight } from './sight.ts';
import { figureStyle, margin, ownRem } from './style.ts';
import { languageOf, reloadIfServed } from './surroundings.ts';
import { tryButtons } from './tries.ts';
import { messages, retryButton, words } from './words.ts';

/** Makes the element known, once: other copies of this code on the same page change nothing. */
export function defineFigureElement(host: Host) {
  if (customElements.get('ropewalk-figure')) return;
  RopewalkFigure.host = host;
  customElements.define('ropewalk-figure', RopewalkFigure);
}

/** How long a computation stays silent. */
const patience = 200;
/** What a change of leads to a new rendering. */
const own = 'figure settings invalid result focusOn isBusy fault width isTableOpen status'.split(
  ' ',
);

const completed = (figure: AnyFigure, settings: Settings): Settings =>
  figure.complete?.(settings as never) ?? settings;

export class RopewalkFigure extends LitElement {
  static host: Host;
  static override styles = figureStyle;
  static override properties = Object.fromEntries(own.map((name) => [name, { state: true }]));

  declare figure: AnyFigure | undefined;
  declare private settings: Settings;
  declare private invalid: readonly InvalidWord[];
  /** The last numbers, the settings to draw them with, and how often they changed by themselves. */
  declare private result: { settings: Settings; data: unknown; revision: number } | undefined;
  declare private focusOn: unknown;
  declare private isBusy: boolean;
  declare private fault: string | Error | undefined;
  declare width: number;
  declare private isTableOpen: boolean;
  declare private status: string;

  /** Something could not be loaded; another attempt may succeed. */
  #canRetry = false;
  #engine: Engine<FigureJobs> | undefined;
  /** How often the settings changed what is to be computed, and which of these changes is drawn. */
  #requested = 0;
  #computed = 0;
  /** Until the figure is there, or could not be loaded. */
  #loading: Promise<void> | undefined;
  /** Until all that was requested is computed. */
  #computing: Promise<void> | undefined;
  /** Whether the place is that of the drawing, no longer that of `height`. */
  #isReleased = false;
  #outside = new Outside(this, RopewalkFigure.host);
  #brush = new Brush(this);

  constructor() {
    super();
    this.settings = {};
    this.invalid = [];
    this.isBusy = false;
    this.isTableOpen = false;
    this.width = 0;
    this.status = '';
    new Sight(this);
    new Fit(this);
  }

  get language(): Language {
    return languageOf(this);
  }

  get #name(): string {
    return this.getAttribute('name') ?? '';
  }

  pairCount() {
    return this.figure && pairCountOf(this.figure.controls, this.#used);
  }

  /** Chosen in another figure, whose address it is: this one only shows it. */
  choosePair(pair: number) {
    this.#take({ ...this.settings, pair });
    this.#redraw();
  }

  load(): Promise<void> {
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  async #load() {
    if (this.figure) return;
    const name = this.#name;
    const load = Object.hasOwn(figures, name) ? figures[name] : undefined;
    if (!load) {
      this.fault = words.unknownFigure[this.language](name, Object.keys(figures));
      this.#report(new RangeError(this.fault));
      return;
    }
    try {
      const { default: figure } = await loadTwice(load);
      this.#engine = RopewalkFigure.host.engine.channel();
      const invalid = this.#readSettings(figure);
      if (figure.styles)
        this.shadowRoot!.adoptedStyleSheets.push(ownRem(figure.styles).styleSheet!);
      this.figure = figure;
      const text = this.renderRoot.querySelector('.messages');
      if (text) readTextSize(text);
      this.#brush.applyLastChoice();
      if (RopewalkFigure.host.model?.current) this.#outside.follow();
      this.invalid = [...invalid, ...this.invalid];
      await this.compute();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** An invalid value stays invalid; what could not be loaded may be there later. */
  #fail(error: Error) {
    this.fault = error;
    this.#canRetry = !(error instanceof RangeError);
    this.#report(error);
  }

  #report(error: Error) {
    this.dispatchEvent(new ErrorEvent('error', { error, message: error.message }));
  }

  async #retry() {
    this.fault = undefined;
    if (this.figure) return this.compute();
    await this.load();
    // Browsers may remember that a module failed, and a newer site has another one in its place.
    if (!this.figure) await reloadIfServed();
  }

  /** Defaults, then attributes, then the address. */
  #readSettings(figure: AnyFigure) {
    const address = RopewalkFigure.host.state?.words(this.#name) ?? [];
    const given = new Map([...this.#outside.attributes(Object.keys(figure.controls)), ...address]);
    const { settings, invalid } = readSettings(figure.controls, given, this.language);
    this.settings = completed(figure, settings);
    return invalid;
  }

  /** New values for `keys`: by the words, else the default; an invalid word changes nothing. */
  take(keys: readonly string[], words: ReadonlyMap<string, string>, by: Source) {
    const own = new Map([...words].filter(([key]) => keys.includes(key)));
    const { settings, invalid } = readSettings(this.figure!.controls, own, this.language, by);
    const taken = keys.filter((key) => !invalid.some((word) => word.key === key));
    const changes = Object.fromEntries(taken.map((key) => [key, settings[key]!]));
    if (taken.length > 0) this.#change(changes);
    this.invalid = invalid;
  }

  /** The settings that are computed and drawn. */
  get #used(): Settings {
    return withinLimits(this.figure!.controls, this.settings);
  }

  /** The settings that differ from their defaults, as attributes and links write them. */
  get words(): Map<string, string> {
    return writeSettings(this.figure?.controls ?? {}, this.settings, this.language);
  }

  /** Every setting as it is drawn, or soon will be; undefined until the figure is loaded. */
  get state(): Settings | undefined {
    return this.figure && { ...this.#used };
  }

  /**
   * Changes settings by their names; loads the figure if it is not near the window yet. Resolves
   * when the figure is drawn with them; rejects when a setting, or the figure, is refused.
   */
  async set(changes: Settings): Promise<void> {
    if (!this.figure) await this.load();
    if (this.figure) {
      assertSettings(this.#name, this.figure.controls, changes);
      this.#change(changes);
      await this.#computing;
      await this.updateComplete;
    }
    const { fault } = this;
    if (fault) throw typeof fault === 'string' ? new RangeError(fault) : fault;
  }

  #take(settings: Settings) {
    const before = this.state!;
    this.settings = completed(this.figure!, settings);
    const { state } = this;
    const isNew = Object.keys(before).some((key) => before[key] !== state![key]);
    if (isNew) this.dispatchEvent(new CustomEvent('change', { detail: state }));
  }

  #change(changes: Settings) {
    const { controls } = this.figure!;
    const before = this.settings;
    this.#take({ ...before, ...changes });
    this.invalid = [];
    if (typeof changes['pair'] === 'number') this.#brush.choose(changes['pair']);
    RopewalkFigure.host.state?.write(this.#name, this.words);
    const isComputed = Object.keys(changes).some(
      (key) => changes[key] !== before[key] && !controls[key]?.display,
    );
    if (isComputed) void this.compute();
    else this.#redraw();
  }

  /** One request at a time; what changes meanwhile is the next. So a drag is drawn as it goes. */
  compute(): Promise<void> {
    this.#requested++;
    this.removeAttribute('drawn');
    return (this.#computing ??= this.#computeAll());
  }

  async #computeAll() {
    while (this.#computed !== this.#requested) await this.#computeOnce(this.#requested);
    this.#computing = undefined;
    this.isBusy = false;
  }

  async #computeOnce(request: number) {
    const settings = this.#used;
    const late = setTimeout(() => (this.isBusy = true), patience);
    try {
      const data = await this.figure!.compute(settings as never, this.#engine!, this.language);
      this.result = { settings, data, revision: 0 };
      this.#redraw();
      this.fault = undefined;
    } catch (error) {
      this.#fail(error as Error);
    } finally {
      clearTimeout(late);
      this.#computed = request;
    }
  }

  /** Draws the last result with the current values of the `display` controls. */
  #redraw() {
    if (!this.result) return;
    const settings = drawnSettings(this.figure!.controls, this.result.settings, this.settings);
    this.result = { ...this.result, settings };
  }

  /** Whether the caption is beside the drawing. */
  get #isBeside() {
    const isFree = !this.figure!.isWide && !this.hasAttribute('fit');
    return (
      isFree &&
      this.width >= margin.from &&
      compactForm(this, this.figure!.controls).shows('caption')
    );
  }

  #view(): View<never, unknown, unknown> {
    const { settings, data } = this.result!;
    return {
      settings: settings as never,
      data,
      say: this.figure!.text[this.language],
      focus: this.focusOn,
      language: this.language,
      theme: this.#outside.theme,
      width: this.width - (this.#isBeside ? margin.width + margin.gap : 0),
      still: stillness().matches,
      set: (changes: Settings) => this.#change(changes),
      setFocus: (focus) => (this.focusOn = focus),
      redraw: () => {
        if (this.result) this.result = { ...this.result, revision: this.result.revision + 1 };
      },
      recompute: () => void this.compute(),
      brushed: this.#brush.pairIn(this.figure!.controls, settings),
      brush: (pair) => this.#brush.pointAt(pair),
      control: (key, form) =>
        this.#control(key, { ...this.figure!.controls[key as string]!, ...form } as Control),
    };
  }

  #control(key: string, control: Control): TemplateResult {
    const shown = this.#used;
    const limit = control.kind === 'range' ? control.limit?.(shown) : undefined;
    return controlFor(control, {
      id: key,
      language: this.language,
      value: shown[key]!,
      limit,
      onInput: (value) => this.#change({ [key]: value }),
      onReset: () => this.#change({ [key]: defaultOf(control, this.language) }),
    });
  }

  /**
   * `height` of the element is that of its place: no script can know it before the figure draws. It
   * may be more than this column needs, so the figure shrinks where nobody sees what follows it.
   */
  #reserve() {
    const hasFailed = this.fault && !this.result;
    const isKept = !this.#isReleased && !hasFailed && !this.hasAttribute('fit');
    const height = isKept ? Number(this.getAttribute('height')) : 0;
    const figure = this.renderRoot.querySelector<HTMLElement>('figure')!;
    figure.style.minHeight = height > 0 ? `${height}px` : '';
  }

  /** How much lower the figure would be than its place, in CSS pixels. */
  #spare() {
    const last = this.renderRoot.querySelector('figure')!.lastElementChild!;
    return this.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom;
  }

  #release() {
    this.#isReleased = true;
    this.#reserve();
    // That of the component for React, which a server renders.
    this.style.removeProperty('min-height');
  }

  protected override updated(changed: PropertyValues) {
    this.#reserve();
    const isFirst = changed.has('result') && !changed.get('result');
    if (isFirst && this.hasAttribute('height'))
      whenEndIsHidden(
        this,
        () => this.#spare(),
        () => this.#release(),
      );
    // Tests and embedding pages wait for this: the drawing on screen is of the settings shown.
    const isCurrent = this.result !== undefined && this.#computed === this.#requested;
    this.toggleAttribute('drawn', isCurrent && this.fault === undefined && this.width > 0);
    this.toggleAttribute('failed', !this.result && this.fault !== undefined);
    if (changed.has('result')) this.dispatchEvent(new CustomEvent('draw', { detail: this.state }));
  }

  protected override render() {
    const { figure, language } = this;
    // Firefox does not see the language of what is around a shadow root.
    const lang = language === 'zh' ? 'zh-CN' : language;
    const notices = [
      messages(this.invalid, this.fault, figure?.controls, this.settings, language),
      this.fault && this.#canRetry ? retryButton(language, () => this.#retry()) : nothing,
    ];
    const progress = html`<progress aria-label=${words.computing[language]}></progress>`;
    const busy = html`<div class="progress">${this.isBusy ? progress : nothing}</div>`;
    const isReady = this.result !== undefined && this.width > 0;
    const scheme = this.#outside.ownScheme ?? nothing;
    // What stands in the element, a still and a link, shows where nothing else can.
    if (!figure || !(isReady || (this.fault && !this.#canRetry)))
      return html`<figure lang=${lang} class="waiting" data-scheme=${scheme} aria-busy=${this.isBusy}><slot></slot>${notices}${busy}</figure>`;
    const { question, caption } = figure.text[language];
    const { shows, keys, more } = compactForm(this, figure.controls);
    const level = this.getAttribute('level') ?? 3;
    const parts = breakable(question).map((part, i) => (i === 0 ? part : html`<wbr />${part}`));
    const heading = html`<p class="question" role="heading" aria-level=${level}>${parts}</p>`;
    const controlOf = (key: string) => this.#control(key, figure.controls[key]!);
    const changed = more.filter((key) => this.words.has(key)).length;
    const rest = html`<details class="rest">
      <summary>${words.moreControls[language](changed)}</summary>
      <div>${more.map(controlOf)}</div>
    </details>`;
    const isTableOpen = this.isTableOpen && shows('values');
    const numbers = isTableOpen && this.result && figure.table(this.#view());
    const form = {
      'without-readout': !shows('readout'),
      'with-values': isTableOpen,
      beside: this.#isBeside,
    };
    return html`<figure lang=${lang} aria-label=${question} aria-busy=${this.isBusy} class=${classMap(form)} data-scheme=${scheme}>
      ${shows('title') ? heading : nothing}
      <div class="body">
        <div class="controls">${keys.map(controlOf)} ${more.length > 0 ? rest : nothing}</div>
        ${notices}
        ${isReady ? this.#drawing(figure) : nothing}
        ${busy}
        ${shows('caption') && isReady ? this.#tries(figure, [...keys, ...more]) : nothing}
      </div>
      ${shows('caption') ? html`<figcaption>${caption}</figcaption>` : nothing}
      ${shows('actions') ? this.#actions(shows('values')) : nothing}
      ${numbers ? valueTable(numbers, language) : nothing}
    </figure>`;
  }

  #drawing(figure: AnyFigure) {
    const { revision } = this.result!;
    return html`<div class="drawing">${drawing(figure, this.#view(), this.#used, revision)}</div>`;
  }

  /** Those of the controls that the author shows, or that are in the drawing. */
  #tries(figure: AnyFigure, shown: readonly string[]) {
    const { controls, tries = [] } = figure;
    const isThere = (key: string) => shown.includes(key) || controls[key]!.place === 'drawing';
    const possible = tries.filter(({ set }) => Object.keys(set).every(isThere));
    const after = (changes: Settings) =>
      withinLimits(controls, completed(figure, { ...this.settings, ...changes }));
    const change = (changes: Settings) => this.#change(changes);
    return tryButtons(possible, controls, { state: this.#used, after, change }, this.language);
  }

  #actions(hasValues: boolean) {
    if (!this.result) return nothing;
    const { figure, language } = this;
    const name = this.#name;
    const { controls } = figure!;
    const { home } = RopewalkFigure.host;
    return actionMenu({
      language,
      name,
      status: this.status,
      hasValues,
      isTableOpen: this.isTableOpen,
      numbers: () => figure!.table(this.#view()),
      drawing: () => this.shadowRoot!.querySelector<HTMLElement>('.drawing')!,
      link: home && (() => linkTo(new URL(pageOf(name), home(language)), name, this.words)),
      setStatus: (text) => (this.status = text),
      toggleTable: () => (this.isTableOpen = !this.isTableOpen),
      reset: () => this.#change(defaultsOf(controls, language) as Settings),
    });
  }
}
