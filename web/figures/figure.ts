/**
 * The definition of a figure: typed controls, texts in both languages, a function that computes
 * data from the settings, and pure functions that draw and describe the data.
 * `<ropewalk-figure name="…">` adds the question, controls, progress, errors, caption, value table,
 * downloads and link.
 *
 * The file of a figure is in the folder of its chapter; figures/registry.ts names it. It is loaded
 * when the figure comes near the window.
 */
import type { CSSResult, TemplateResult } from 'lit';
import type { Hue, Language, Words } from '../languages.ts';
import type { ModelField } from '../model.ts';
import type { Engine } from '../worker/client.ts';
import type { FigureJobs } from '../worker/figure_jobs.ts';

interface ControlBase {
  label: Words;
  /** Symbol in the formulas, such as 'd' or 'Δ'; shown beside the label in the formulas' font. */
  symbol?: string;
  hue?: Hue;
  /** The control changes only the drawing, so it sends no new request to the engine. */
  display?: true;
  /** When the reader chooses a model for the page, the control takes the value of this field. */
  follows?: ModelField;
  /** 'drawing': the drawing contains the control, from view.control(key) or its own input. */
  place?: 'drawing';
}

export interface RangeControl extends ControlBase {
  kind: 'range';
  default: number;
  min: number;
  max: number;
  /** Step between values, counted from min; default 1. 'log': any number; steps are ratios. */
  step?: number | 'log';
  /** A maximum that depends on other settings; `defineControls` adds it. */
  limit?(settings: Settings): number;
  /** Only for the control `pair`: links it with the page's other figures (figures/brush.ts). */
  brush?: true;
}

export interface ChoiceControl extends ControlBase {
  kind: 'choice';
  default: string;
  /** In a menu, `group` is the heading above the options of a group. */
  options: readonly { value: string; label: Words; group?: Words }[];
  /** Buttons side by side (default) or a menu. */
  look?: 'segments' | 'menu';
}

/** Another look of a choice, or some of its options, where a drawing has room for no more. */
export type ControlForm = Partial<Pick<ChoiceControl, 'look' | 'options'>>;

export interface SwitchControl extends ControlBase {
  kind: 'switch';
  default: boolean;
}

export interface TextControl extends ControlBase {
  kind: 'text';
  default: string | Words;
  /** In UTF-16 code units. A link omits a longer text; a link that has one shows a message. */
  maxLength: number;
  /** A field of one line. */
  isLine?: true;
}

export type Control = RangeControl | ChoiceControl | SwitchControl | TextControl;

/** Each key names its control in attributes and, after the figure's name and a dot, in the URL. */
export type Controls = Record<string, Control>;

export type ValueOf<C extends Control> = C extends RangeControl
  ? number
  : C extends ChoiceControl
    ? C['options'][number]['value']
    : C extends SwitchControl
      ? boolean
      : string;

/** The settings of a figure whose controls have no static type. */
export type Settings = Record<string, number | string | boolean>;

export type SettingsOf<C extends Controls> = { -readonly [Key in keyof C]: ValueOf<C[Key]> };

/**
 * Returns the controls, typed so that SettingsOf gives the exact type of each setting. `limits`
 * gives a range a maximum that depends on other settings; larger values are lowered to it.
 */
export function defineControls<const C extends Controls>(
  controls: C,
  limits: { [Key in keyof NoInfer<C>]?: (settings: SettingsOf<NoInfer<C>>) => number } = {},
): C {
  const entries = Object.entries(controls).map(([key, control]) => {
    const limit = limits[key];
    return [key, limit ? { ...control, limit } : control];
  });
  return Object.fromEntries(entries);
}

export interface FigureText {
  /** A noun phrase: heading of the figure in lists and files. */
  title: string;
  /** The one question of the figure: a sentence, shown above it. */
  question: string;
  /** What to see, shown below. What to try are the buttons of `tries`. */
  caption: string;
}

/** Something to try: a button below the drawing. */
export interface Try {
  /** An instruction of a few words. */
  label: Words;
  /** What the reader sees then. Stands below the buttons while the settings do. */
  notice: Words;
  /** The settings that the button changes; those of the other buttons go back to their defaults. */
  set: Settings;
}

export type FigureTexts = Record<Language, FigureText>;

/** The numbers behind a drawing, for the value table and the CSV file. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (number | string)[])[];
}

/** The argument of `draw`: the data and settings, and functions that change settings. */
export interface View<Settings, Data, Focus, Say = FigureText> {
  /** The settings that `data` was computed from. */
  settings: Settings;
  data: Data;
  /** The figure's words in the language of the page. */
  say: Say;
  /** The item that the reader points at. It belongs to this figure and is never in the URL. */
  focus: Focus | undefined;
  language: Language;
  theme: 'light' | 'dark';
  /** Width of the drawing in CSS pixels. Drawings are laid out for it, not scaled to it. */
  width: number;
  /** No animation: the reader prefers reduced motion, or the page is printed. */
  still: boolean;
  set(changes: Partial<Settings>): void;
  setFocus(focus: Focus | undefined): void;
  /** Draws again: the data has changed by itself, as that of a run does while it goes on. */
  redraw(): void;
  /** Computes the data again, since something besides the settings has changed. */
  recompute(): void;
  /** The dimension pair under the pointer, in any figure of the page. */
  brushed: number | undefined;
  /** Reports the pair under the pointer in this figure. */
  brush(pair: number | undefined): void;
  /**
   * Returns the standard control for a setting, for drawings that contain the control; `look` and
   * `options` in place of those of its definition.
   */
  control(key: keyof Settings & string, form?: ControlForm): TemplateResult;
}

/** The view of a figure with these controls and words. */
export type ViewOf<C extends Controls, Texts extends FigureTexts, Data, Focus = never> = View<
  SettingsOf<C>,
  Data,
  Focus,
  Texts[Language]
>;

export interface Figure<C extends Controls, Texts extends FigureTexts, Data, Focus> {
  /** Ids of the claims that the figure shows, such as 'C32'; tests have them in their titles. */
  claims: readonly string[];
  /** With what the drawing and the table say, which is `say` of the view. */
  text: Texts;
  controls: C;
  /** Returns settings with what they bring with them, such as the view that has their controls. */
  complete?: (settings: SettingsOf<C>) => SettingsOf<C>;
  /**
   * Computes the data in the worker. A newer request of the same figure supersedes an older one,
   * unless it uses its own `engine.channel()`.
   */
  compute: (
    settings: SettingsOf<C>,
    engine: Engine<FigureJobs>,
    language: Language,
  ) => Promise<Data>;
  /** Pure. Returns one or more <svg>, <rw-pixels> and HTML elements. */
  draw: (view: ViewOf<C, Texts, Data, Focus>) => TemplateResult;
  /**
   * What the figure finds about its question, in one or two sentences with the numbers: below the
   * drawing. Most drawings have it as their label, too.
   */
  describe: (view: ViewOf<C, Texts, Data, Focus>) => string;
  table: (view: ViewOf<C, Texts, Data, Focus>) => Table;
  /** At most three; six of a room to work in, such as the lab. */
  tries?: readonly Try[];
  /** Uses the whole width of a page; others leave room for their captions where there is enough. */
  isWide?: true;
  /** The drawing says its finding in words of its own. */
  hasOwnFinding?: true;
  /** Styles of this figure, in addition to the shared ones of figures/style.ts. */
  styles?: CSSResult;
}

/** A figure with any controls and data, for the registry and the element. */
export type AnyFigure = Figure<Controls, FigureTexts, unknown, unknown>;

/** Checks that the types within one definition match; returns it without its type parameters. */
export function defineFigure<
  const C extends Controls,
  Texts extends FigureTexts,
  Data,
  Focus = never,
>(definition: Figure<C, Texts, Data, Focus>): AnyFigure {
  return definition as unknown as AnyFigure;
}
