/**
 * Changes from outside a figure: attributes written by scripts, the model that the page follows,
 * Back and Forward, the theme, reduced motion, and printing.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { stillness } from '../components/stillness.ts';
import { modelWords } from '../model.ts';
import type { Source } from '../state.ts';
import type { AnyFigure } from './figure.ts';
import type { Host } from './host.ts';
import { watchTheme, type Scheme, type Theme } from './surroundings.ts';
import { runOrDefer, runAllDeferred } from './deferred.ts';

/** Attributes that change what of a figure shows, and nothing that is computed. */
const forms = ['hide', 'controls', 'fit', 'level'];

/** The part of a figure's element that this controller uses. */
export interface FigureElement extends ReactiveControllerHost, Element {
  /** Undefined until the figure is loaded. */
  readonly figure: AnyFigure | undefined;
  /** Sets the controls `keys` to the values in `words`; controls without one get their default. */
  take(keys: readonly string[], words: ReadonlyMap<string, string>, by: Source): void;
  load(): Promise<void>;
  compute(): Promise<void>;
}

export class Outside implements ReactiveController {
  #scheme: Scheme = { theme: 'light', isDeclared: true };
  #element: FigureElement;
  #host: Host;
  #attributeChanges = new MutationObserver((changes) => this.#apply(changes));
  #stillness = stillness();
  #unwatchTheme = () => {};

  constructor(element: FigureElement, host: Host) {
    this.#element = element;
    this.#host = host;
    element.addController(this);
  }

  get theme(): Theme {
    return this.#scheme.theme;
  }

  /** The color-scheme that the figure sets, where that of the page does not fit its background. */
  get ownScheme(): Theme | undefined {
    return this.#scheme.isDeclared ? undefined : this.#scheme.theme;
  }

  hostConnected() {
    this.#attributeChanges.observe(this.#element, { attributes: true });
    this.#host.model?.addEventListener('change', this.follow);
    this.#host.state?.addEventListener('change', this.#recall);
    this.#stillness.addEventListener('change', this.#redraw);
    this.#unwatchTheme = watchTheme(this.#element, (scheme) => {
      const take = () => {
        this.#scheme = scheme;
        this.#element.requestUpdate();
      };
      if (this.#element.figure) runOrDefer(this.#element, take);
      else take();
    });
    addEventListener('beforeprint', this.#print);
  }

  hostDisconnected() {
    this.#attributeChanges.disconnect();
    this.#host.model?.removeEventListener('change', this.follow);
    this.#host.state?.removeEventListener('change', this.#recall);
    this.#stillness.removeEventListener('change', this.#redraw);
    this.#unwatchTheme();
    removeEventListener('beforeprint', this.#print);
  }

  /** Returns the values of the element's attributes. */
  attributes(keys: readonly string[]): Map<string, string> {
    const given = keys.filter((key) => this.#element.hasAttribute(key));
    return new Map(given.map((key) => [key, this.#element.getAttribute(key)!]));
  }

  /** Applies the model's values to the controls that follow it; without a model, their defaults. */
  follow = () => {
    const controls = this.#element.figure?.controls;
    const { model, state } = this.#host;
    if (!controls || !model) return;
    const stated = model.isChosenHere
      ? undefined
      : state?.words(this.#element.getAttribute('name')!);
    const keys = Object.keys(controls).filter((key) => controls[key]!.follows && !stated?.has(key));
    if (keys.length > 0) this.#element.take(keys, modelWords(controls, model.current), 'model');
  };

  /** After Back or Forward: applies the settings that changed in the address. */
  #recall = () => {
    const controls = this.#element.figure?.controls;
    const { model, state } = this.#host;
    if (!controls || !state) return;
    const name = this.#element.getAttribute('name')!;
    const keys = Object.keys(controls).filter((key) => state.hasChanged(name, key));
    if (keys.length === 0) return;
    const followed = modelWords(controls, model?.current);
    const words = [...this.attributes(keys), ...followed, ...state.words(name)];
    this.#element.take(keys, new Map(words), 'link');
  };

  #redraw = () => this.#element.requestUpdate();

  #apply(changes: readonly MutationRecord[]) {
    const controls = this.#element.figure?.controls;
    if (!controls) return;
    const changed = new Set(changes.map(({ attributeName }) => attributeName));
    const keys = Object.keys(controls).filter((key) => changed.has(key.toLowerCase()));
    if (keys.length > 0) this.#element.take(keys, this.attributes(keys), 'link');
    if (changed.has('lang')) void this.#element.compute();
    if (forms.some((name) => changed.has(name))) this.#element.requestUpdate();
  }

  #print = () => {
    runAllDeferred();
    void this.#element.load();
  };
}
