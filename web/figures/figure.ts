/**
 * What a figure is: a table of typed controls, words in both languages, and pure functions from
 * settings to numbers to a drawing. `<ropewalk-figure name="…">` does the rest: question, controls,
 * progress, errors, caption, value table, downloads, link.
 *
 * A figure lives in its chapter's folder, is named in figures/registry.ts, and is loaded on sight.
 */
import type { CSSResult, TemplateResult } from 'lit';
import type { Hue, Language, Words } from '../languages.ts';
import type { ModelField } from '../model.ts';
import type { Engine } from '../worker/client.ts';

interface AnyControl {
  label: Words;
  /** Letter of the formulas, shown beside the label in their face: 'd', 'Δ'. */
  symbol?: string;
  hue?: Hue;
  /** Changes what is drawn, not what is computed: no new request to the engine. */
  display?: true;
  /** Takes this field of the model that the page follows, if the reader names one. */
  follows?: ModelField;
  /** 'drawing': the drawing shows this control itself, by view.control(key), or has its own. */
  place?: 'drawing';
}

export interface RangeControl extends AnyControl {
  kind: 'range';
  default: number;
  min: number;
  max: number;
  /** Distance of two values, counted from min; default 1. 'log': any number, moved by ratios. */
  step?: number | 'log';
  /** A max that depends on other settings, from `defineControls`. */
  limit?(settings: Settings): number;
  /** Of the control `pair`: touched here, seen in every figure of the page (figures/brush.ts). */
  brush?: true;
}

export interface ChoiceControl extends AnyControl {
  kind: 'choice';
  default: string;
  /** A group's name stands above its options in a menu. */
  options: readonly { value: string; label: Words; group?: Words }[];
  /** Buttons side by side (default) or a menu. */
  look?: 'segments' | 'menu';
}

export interface SwitchControl extends AnyControl {
  kind: 'switch';
  default: boolean;
}

export interface TextControl extends AnyControl {
  kind: 'text';
  default: string | Words;
  /** In UTF-16 code units; a longer text is not put into a link, and one in a link gets a note. */
  maxLength: number;
}

export type Control = RangeControl | ChoiceControl | SwitchControl | TextControl;

/** The keys are the words used in attributes and, after the figure's name and a dot, in the URL. */
export type Controls = Record<string, Control>;

export type ValueOf<C extends Control> = C extends RangeControl
  ? number
  : C extends ChoiceControl
    ? C['options'][number]['value']
    : C extends SwitchControl
      ? boolean
      : string;

/** The settings of a figure that is known by its name only. */
export type Settings = Record<string, number | string | boolean>;

export type SettingsOf<C extends Controls> = { -readonly [Key in keyof C]: ValueOf<C[Key]> };

/**
 * The controls of a figure with the types of their settings. `limits` gives ranges a max that
 * depends on other settings; larger values are used as this one.
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
  /** The one question that the figure answers: a sentence, shown above it. */
  question: string;
  /** What to try and what to notice, shown below. */
  caption: string;
}

/** The numbers behind a drawing, for the value table and the CSV file. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (number | string)[])[];
}

/** What a drawing is made from, and what it may ask for. */
export interface View<Settings, Data, Focus> {
  /** The settings that `data` was computed from. */
  settings: Settings;
  data: Data;
  /** What the reader points at; the figure's own, gone with the page, never in the URL. */
  focus: Focus | undefined;
  language: Language;
  theme: 'light' | 'dark';
  /** Width of the drawing in CSS pixels; drawings are made for it, not scaled to it. */
  width: number;
  /** Nothing may move: the reader asked for less motion, or this is for paper. */
  still: boolean;
  set(changes: Partial<Settings>): void;
  setFocus(focus: Focus | undefined): void;
  /**
   * The pair under the pointer in any figure of the page, and how to say that it is in this one.
   */
  brushed: number | undefined;
  brush(pair: number | undefined): void;
  /** The standard control for a setting, for drawings that place it themselves. */
  control(key: keyof Settings & string): TemplateResult;
}

export interface Figure<C extends Controls, Data, Focus> {
  name: string;
  /** Ids of CLAIMS.md. */
  claims: readonly string[];
  text: Record<Language, FigureText>;
  controls: C;
  /**
   * Calls the worker. A newer request of the same figure supersedes it, unless that has its own
   * channel().
   */
  compute(settings: SettingsOf<C>, engine: Engine, language: Language): Promise<Data>;
  /** Pure: one or more <svg>, <rw-pixels> and HTML. */
  draw(view: View<SettingsOf<C>, Data, Focus>): TemplateResult;
  /** The drawing in one or two sentences with its numbers, for those who cannot see it. */
  describe(view: View<SettingsOf<C>, Data, Focus>): string;
  table(view: View<SettingsOf<C>, Data, Focus>): Table;
  /** The figure's own styles, beside the shared ones of figures/style.ts. */
  styles?: CSSResult;
}

// The registry and the element handle figures of every kind through this one type.
export type AnyFigure = Figure<Controls, unknown, unknown>;

/** Keeps the types of one definition together and forgets them afterwards. */
export function defineFigure<const C extends Controls, Data, Focus = never>(
  definition: Figure<C, Data, Focus>,
): AnyFigure {
  return definition as unknown as AnyFigure;
}
