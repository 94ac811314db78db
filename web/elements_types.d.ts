/** Importing this makes <ropewalk-figure> known to the page; on a server it does nothing. */

/** The value of each control of a figure by its name, as the gallery lists them. */
export type FigureState = Record<string, number | string | boolean>;

/** The events of a figure. They do not bubble: listen on the figure itself. */
export interface RopewalkFigureEventMap extends HTMLElementEventMap {
  /** A setting has changed, by the reader, by `set`, by an attribute or by another figure. */
  change: CustomEvent<FigureState>;
  /** The figure has drawn. While a slider moves, a newer drawing may be under way. */
  draw: CustomEvent<FigureState>;
  /** The figure could not be loaded or computed; `error` of the event says why. */
  error: ErrorEvent;
}

/** The attributes of every figure; each setting is an attribute too. */
export interface FigureAttributes {
  /** Which figure, by its name in the gallery. */
  name: string;
  /** 'en' or 'zh'; default: the language of the page. */
  lang?: string;
  /** Default: the theme of the page or the system. */
  theme?: 'light' | 'dark';
  /** Of the heading, for screen readers; default 3. */
  level?: number | string;
  /** In CSS pixels: the place that the figure keeps free until it draws. */
  height?: number | string;
  /** Parts to leave out: title, controls, readout, caption, values, actions. */
  hide?: string;
  /** The only controls to show, by the names of their settings. */
  controls?: string;
  /** Scales the figure to the box that the page gives it. */
  fit?: '' | boolean;
}

/**
 * Settings as attributes: any name that is no attribute of all figures. A switch takes 'yes' or
 * 'no': React and Vue leave out an attribute that is false, which is then the default.
 */
export type FigureSettings = Record<string, unknown>;

/** The element `<ropewalk-figure>`: a figure with its settings as attributes. */
export interface RopewalkFigure extends HTMLElement {
  /** Language of the nearest element with `lang`. */
  readonly language: 'en' | 'zh';
  /** The settings that differ from their defaults, as attributes. */
  readonly words: ReadonlyMap<string, string>;
  /** All settings as the figure shows them; undefined until it is loaded. */
  readonly state: FigureState | undefined;
  /**
   * Changes settings; a figure that is far from the window loads. Resolves when it is drawn with
   * them. Rejects with a RangeError or TypeError that names setting, rule and value, before
   * anything changes, or with what kept the figure from being computed. A value above a maximum
   * that depends on other settings is lowered to it.
   */
  set(changes: FigureState): Promise<void>;
  addEventListener<Type extends keyof RopewalkFigureEventMap>(
    type: Type,
    listener: (this: RopewalkFigure, event: RopewalkFigureEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof RopewalkFigureEventMap>(
    type: Type,
    listener: (this: RopewalkFigure, event: RopewalkFigureEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'ropewalk-figure': RopewalkFigure;
  }
}
