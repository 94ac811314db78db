/**
 * <ropewalk-figure name="sinusoid-heatmap" dim="64">: one figure, from its definition to the
 * screen. Loads when it comes near the window; until it draws, the light DOM inside it shows.
 * Besides its settings, attributes set `lang`, `theme` (light, dark), the `level` of its heading,
 * the `height` that it takes before it draws, and its compact forms: `hide`, `controls`, `fit`.
 * Scripts read `state`, call `set` and listen to `change`, `draw` and `error`.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { stillness } from '../components/stillness.ts';
import { breakable } from '../components/word_breaks.ts';
import { readTextSize } from '../plots/text_size.ts';
import { defaultOf, defaultsOf, linkTo, withinLimits } from '../state.ts';
import { actionMenu, valueTable } from './actions.ts';
import { compactForm } from './compact.ts';
import { controlFor } from './controls.ts';
import { drawing } from './drawing.ts';
import type { AnyFigure, Control, Settings, View } from './figure.ts';
import { whenEndIsHidden } from './end_hidden.ts';
import { Fit } from './fit.ts';
import type { Host } from './host.ts';
import { pageOf } from './registry.ts';
import { Sight } from './sight.ts';
import { completed, StatefulFigure } from './stateful_figure.ts';
import { figureStyle, margin, ownRem } from './style.ts';
import { tryButtons } from './tries.ts';
import { messages, retryButton, words } from './words.ts';

/** Makes the element known, once: other copies of this code on the same page change nothing. */
export function defineFigureElement(host: Host) {
  if (customElements.get('ropewalk-figure')) return;
  StatefulFigure.host = host;
  customElements.define('ropewalk-figure', RopewalkFigure);
}

/** What a change of leads to a new rendering, besides the state. */
const reactive = ['focusOn', 'width', 'isTableOpen', 'status'];

export class RopewalkFigure extends StatefulFigure {
  static override styles = figureStyle;
  static override properties = Object.fromEntries(reactive.map((name) => [name, { state: true }]));

  declare private focusOn: unknown;
  declare width: number;
  declare private isTableOpen: boolean;
  declare private status: string;
  /** Whether the place is that of the drawing, no longer that of `height`. */
  #isReleased = false;

  constructor() {
    super();
    this.isTableOpen = false;
    this.width = 0;
    this.status = '';
    new Sight(this);
    new Fit(this);
  }

  protected override adopt({ styles }: AnyFigure) {
    if (styles) this.shadowRoot!.adoptedStyleSheets.push(ownRem(styles).styleSheet!);
    const text = this.renderRoot.querySelector('.messages');
    if (text) readTextSize(text);
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
      theme: this.outside.theme,
      width: this.width - (this.#isBeside ? margin.width + margin.gap : 0),
      still: stillness().matches,
      set: (changes: Settings) => this.changeSettings(changes),
      setFocus: (focus) => (this.focusOn = focus),
      redraw: () => {
        if (this.result) this.result = { ...this.result, revision: this.result.revision + 1 };
      },
      recompute: () => void this.compute(),
      brushed: this.brush.pairIn(this.figure!.controls, settings),
      brush: (pair) => this.brush.pointAt(pair),
      control: (key, form) =>
        this.#control(key, { ...this.figure!.controls[key as string]!, ...form } as Control),
    };
  }

  #control(key: string, control: Control): TemplateResult {
    const shown = this.used;
    const limit = control.kind === 'range' ? control.limit?.(shown) : undefined;
    return controlFor(control, {
      id: key,
      language: this.language,
      value: shown[key]!,
      limit,
      onInput: (value) => this.changeSettings({ [key]: value }),
      onReset: () => this.changeSettings({ [key]: defaultOf(control, this.language) }),
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
    this.toggleAttribute('drawn', this.isCurrent && this.fault === undefined && this.width > 0);
    this.toggleAttribute('failed', !this.result && this.fault !== undefined);
    if (changed.has('result')) this.dispatchEvent(new CustomEvent('draw', { detail: this.state }));
  }

  protected override render() {
    const { figure, language } = this;
    // Firefox does not see the language of what is around a shadow root.
    const lang = language === 'zh' ? 'zh-CN' : language;
    const notices = [
      messages(this.invalid, this.fault, figure?.controls, this.settings, language),
      this.fault && this.canRetry ? retryButton(language, () => this.retry()) : nothing,
    ];
    const progress = html`<progress aria-label=${words.computing[language]}></progress>`;
    const busy = html`<div class="progress">${this.isBusy ? progress : nothing}</div>`;
    const isReady = this.result !== undefined && this.width > 0;
    const scheme = this.outside.ownScheme ?? nothing;
    // What stands in the element, a still and a link, shows where nothing else can.
    if (!figure || !(isReady || (this.fault && !this.canRetry)))
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
    return html`<div class="drawing">${drawing(figure, this.#view(), this.used, revision)}</div>`;
  }

  /** Those of the controls that the author shows, or that are in the drawing. */
  #tries(figure: AnyFigure, shown: readonly string[]) {
    const { controls, tries = [] } = figure;
    const isThere = (key: string) => shown.includes(key) || controls[key]!.place === 'drawing';
    const possible = tries.filter(({ set }) => Object.keys(set).every(isThere));
    const after = (changes: Settings) =>
      withinLimits(controls, completed(figure, { ...this.settings, ...changes }));
    const change = (changes: Settings) => this.changeSettings(changes);
    return tryButtons(possible, controls, { state: this.used, after, change }, this.language);
  }

  #actions(hasValues: boolean) {
    if (!this.result) return nothing;
    const { figure, language } = this;
    const name = this.figureName;
    const { controls } = figure!;
    const { home } = StatefulFigure.host;
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
      reset: () => this.changeSettings(defaultsOf(controls, language) as Settings),
    });
  }
}
