/**
 * The state of a figure: loads its definition, reads its settings from attributes and the address,
 * and computes its data when they change. What of it shows is the element's (ropewalk_figure.ts).
 * React and others set a property in place of an attribute where an element has one: so no
 * attribute, and no control of a figure, is a property.
 */
import { LitElement } from 'lit';
import type { Language } from '../languages.ts';
import type { Engine } from '../worker/client.ts';
import type { FigureJobs } from '../worker/figure_jobs.ts';
import { loadTwice } from '../worker/load_again.ts';
import {
  readSettings,
  withinLimits,
  writeSettings,
  type InvalidWord,
  type Source,
} from '../state.ts';
import { assertSettings } from './assert_settings.ts';
import { Brush, pairCountOf } from './brush.ts';
import { drawnSettings } from './drawing.ts';
import type { AnyFigure, Settings } from './figure.ts';
import type { Host } from './host.ts';
import { Outside } from './outside.ts';
import { figures } from './registry.ts';
import { languageOf, reloadIfServed } from './surroundings.ts';
import { words } from './words.ts';

/** How long a computation stays silent. */
const patience = 200;
/** What a change of leads to a new rendering. */
const reactive = ['figure', 'settings', 'invalid', 'result', 'isBusy', 'fault'];

export const completed = (figure: AnyFigure, settings: Settings): Settings =>
  figure.complete?.(settings as never) ?? settings;

export abstract class StatefulFigure extends LitElement {
  static host: Host;
  static override properties = Object.fromEntries(reactive.map((name) => [name, { state: true }]));

  declare figure: AnyFigure | undefined;
  declare protected settings: Settings;
  declare protected invalid: readonly InvalidWord[];
  /** The last numbers, the settings to draw them with, and how often they changed by themselves. */
  declare protected result: { settings: Settings; data: unknown; revision: number } | undefined;
  declare protected isBusy: boolean;
  declare protected fault: string | Error | undefined;

  /** Something could not be loaded; another attempt may succeed. */
  protected canRetry = false;
  #engine: Engine<FigureJobs> | undefined;
  /** How often the settings changed what is to be computed, and which of these changes is drawn. */
  #requested = 0;
  #computed = 0;
  /** Until the figure is there, or could not be loaded. */
  #loading: Promise<void> | undefined;
  /** Until all that was requested is computed. */
  #computing: Promise<void> | undefined;
  protected outside = new Outside(this, StatefulFigure.host);
  protected brush = new Brush(this);

  constructor() {
    super();
    this.settings = {};
    this.invalid = [];
    this.isBusy = false;
  }

  /** Prepares the element for the figure that it will show. */
  protected abstract adopt(figure: AnyFigure): void;

  get language(): Language {
    return languageOf(this);
  }

  protected get figureName(): string {
    return this.getAttribute('name') ?? '';
  }

  pairCount() {
    return this.figure && pairCountOf(this.figure.controls, this.used);
  }

  /** Chosen in another figure, whose address it is: this one only shows it. */
  choosePair(pair: number) {
    this.#take({ ...this.settings, pair });
    this.redraw();
  }

  load(): Promise<void> {
    return (this.#loading ??= this.#load().finally(() => (this.#loading = undefined)));
  }

  async #load() {
    if (this.figure) return;
    const name = this.figureName;
    const load = Object.hasOwn(figures, name) ? figures[name] : undefined;
    if (!load) {
      this.fault = words.unknownFigure[this.language](name, Object.keys(figures));
      this.#report(new RangeError(this.fault));
      return;
    }
    try {
      const { default: figure } = await loadTwice(load);
      this.#engine = StatefulFigure.host.engine.channel();
      const invalid = this.#readSettings(figure);
      this.adopt(figure);
      this.figure = figure;
      this.brush.applyLastChoice();
      if (StatefulFigure.host.model?.current) this.outside.follow();
      this.invalid = [...invalid, ...this.invalid];
      await this.compute();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /** An invalid value stays invalid; what could not be loaded may be there later. */
  #fail(error: Error) {
    this.fault = error;
    this.canRetry = !(error instanceof RangeError);
    this.#report(error);
  }

  #report(error: Error) {
    this.dispatchEvent(new ErrorEvent('error', { error, message: error.message }));
  }

  protected async retry() {
    this.fault = undefined;
    if (this.figure) return this.compute();
    await this.load();
    // Browsers may remember that a module failed, and a newer site has another one in its place.
    if (!this.figure) await reloadIfServed();
  }

  /** Defaults, then attributes, then the address. */
  #readSettings(figure: AnyFigure) {
    const address = StatefulFigure.host.state?.words(this.figureName) ?? [];
    const given = new Map([...this.outside.attributes(Object.keys(figure.controls)), ...address]);
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
    if (taken.length > 0) this.changeSettings(changes);
    this.invalid = invalid;
  }

  /** The settings that are computed and drawn. */
  protected get used(): Settings {
    return withinLimits(this.figure!.controls, this.settings);
  }

  /** The settings that differ from their defaults, as attributes and links write them. */
  get words(): Map<string, string> {
    return writeSettings(this.figure?.controls ?? {}, this.settings, this.language);
  }

  /** Every setting as it is drawn, or soon will be; undefined until the figure is loaded. */
  get state(): Settings | undefined {
    return this.figure && { ...this.used };
  }

  /**
   * Changes settings by their names; loads the figure if it is not near the window yet. Resolves
   * when the figure is drawn with them; rejects when a setting, or the figure, is refused.
   */
  async set(changes: Settings): Promise<void> {
    if (!this.figure) await this.load();
    if (this.figure) {
      assertSettings(this.figureName, this.figure.controls, changes);
      this.changeSettings(changes);
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

  protected changeSettings(changes: Settings) {
    const { controls } = this.figure!;
    const before = this.settings;
    this.#take({ ...before, ...changes });
    this.invalid = [];
    if (typeof changes['pair'] === 'number') this.brush.choose(changes['pair']);
    StatefulFigure.host.state?.write(this.figureName, this.words);
    const isComputed = Object.keys(changes).some(
      (key) => changes[key] !== before[key] && !controls[key]?.display,
    );
    if (isComputed) void this.compute();
    else this.redraw();
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
    const settings = this.used;
    const late = setTimeout(() => (this.isBusy = true), patience);
    try {
      const data = await this.figure!.compute(settings as never, this.#engine!, this.language);
      this.result = { settings, data, revision: 0 };
      this.redraw();
      this.fault = undefined;
    } catch (error) {
      this.#fail(error as Error);
    } finally {
      clearTimeout(late);
      this.#computed = request;
    }
  }

  /** Draws the last result with the current values of the `display` controls. */
  protected redraw() {
    if (!this.result) return;
    const settings = drawnSettings(this.figure!.controls, this.result.settings, this.settings);
    this.result = { ...this.result, settings };
  }

  /** Whether the result is that of the last request. */
  protected get isCurrent(): boolean {
    return this.result !== undefined && this.#computed === this.#requested;
  }
}
