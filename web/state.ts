/**
 * Settings as words: the value of every control is one attribute of a figure and one parameter of
 * the URL (`?sinusoid-heatmap.dim=64`), read with distrust, written only where it differs from the
 * default.
 */
import type { Control, Controls, Settings, SettingsOf } from './figures/figure.ts';
import type { Language } from './languages.ts';

/** A word that was not understood, and the control that keeps its default. */
export interface InvalidWord {
  key: string;
  given: string;
  by: Source;
}

/** Who says the word. */
export type Source = 'link' | 'model';

export function defaultOf(control: Control, language: Language): number | string | boolean {
  return typeof control.default === 'object' ? control.default[language] : control.default;
}

export function defaultsOf<C extends Controls>(controls: C, language: Language): SettingsOf<C> {
  const entries = Object.entries(controls).map(([key, control]) => [
    key,
    defaultOf(control, language),
  ]);
  return Object.fromEntries(entries);
}

/** The value that a word stands for, or undefined where it breaks the control's rule. */
export function readValue(control: Control, word: string): number | string | boolean | undefined {
  switch (control.kind) {
    case 'range':
      return readNumber(control, word);
    case 'choice':
      return control.options.find(({ value }) => value === word)?.value;
    case 'switch':
      // As an attribute without a value: React writes one for `true`, and leaves out `false`.
      if (word === '') return true;
      return word === 'yes' ? true : word === 'no' ? false : undefined;
    case 'text':
      return word.length <= control.maxLength ? word : undefined;
  }
}

function readNumber(
  { min, max, step = 1 }: Control & { kind: 'range' },
  word: string,
): number | undefined {
  // Number() also takes '', ' 1', '0x10' and 'Infinity'; a link holds plain decimals only.
  if (!/^-?\d{1,17}(\.\d{1,17})?(e-?\d{1,2})?$/.test(word)) return undefined;
  const value = Number(word);
  if (!(value >= min && value <= max)) return undefined;
  if (step === 'log') return value;
  const steps = (value - min) / step;
  const nearest = Math.round(steps);
  if (Math.abs(steps - nearest) >= 1e-6) return undefined;
  // A whole number stays one: what is nearly a step is the step.
  return Number.isInteger(min) && Number.isInteger(step) ? min + nearest * step : value;
}

export function writeValue(value: number | string | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** Settings from words; what is missing or invalid keeps its default. */
export function readSettings(
  controls: Controls,
  words: ReadonlyMap<string, string>,
  language: Language,
  by: Source = 'link',
): { settings: Settings; invalid: InvalidWord[] } {
  const settings: Settings = defaultsOf(controls, language);
  const invalid: InvalidWord[] = [];
  for (const [key, given] of words) {
    const control = Object.hasOwn(controls, key) ? controls[key] : undefined;
    const value = control && readValue(control, given);
    if (value === undefined) invalid.push({ key, given, by });
    else settings[key] = value;
  }
  return { settings, invalid };
}

/** The settings with every limit applied that depends on another one. */
export function withinLimits(controls: Controls, settings: Settings): Settings {
  const used = { ...settings };
  for (const [key, control] of Object.entries(controls)) {
    if (control.kind !== 'range' || !control.limit) continue;
    used[key] = Math.min(used[key] as number, control.limit(used));
  }
  return used;
}

/** The words of every setting that differs from its default. */
export function writeSettings(
  controls: Controls,
  settings: Settings,
  language: Language,
): Map<string, string> {
  const words = new Map<string, string>();
  for (const [key, control] of Object.entries(controls)) {
    const value = settings[key]!;
    // A text that no link would be read from stays out of it: servers reject long addresses.
    const isCarried = control.kind !== 'text' || String(value).length <= control.maxLength;
    if (isCarried && value !== defaultOf(control, language)) words.set(key, writeValue(value));
  }
  return words;
}

/** The address of one figure in the page `home`, with its settings and nobody else's. */
export function linkTo(home: URL, figure: string, words: ReadonlyMap<string, string>): URL {
  const link = new URL(home);
  const parameters = [...words].map(([key, word]) => [`${figure}.${key}`, word]);
  link.search = new URLSearchParams(parameters).toString();
  link.hash = figure;
  return link;
}

const searchOf = (parameters: URLSearchParams) => (parameters.size > 0 ? `?${parameters}` : '');

const longestWait = 300;

/** What the address of one figure in a frame says besides its settings. */
const frameWords = ['figure', 'lang', 'theme', 'hide', 'controls', 'fit'] as const;

/**
 * The page's settings in its address; parameters of others (without our figures' names) stay.
 * Sends 'change' when the reader goes back or forward to an address with other settings.
 */
export class UrlState extends EventTarget {
  #parameters = new URLSearchParams(location.search);
  /** Names of the parameters that the last 'change' is about. */
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFrame: boolean;

  /** `isFrame`: the address is of one figure alone, and its keys stand there without its name. */
  constructor({ isFrame = false } = {}) {
    super();
    this.#isFrame = isFrame;
    addEventListener('pagehide', () => this.flush());
    addEventListener('popstate', () => this.#travel());
  }

  /** Links within the page come here as well, with the address that they were clicked at. */
  #travel() {
    // Settings that no address has yet are newer than this one.
    if (this.#timer !== undefined) return this.flush();
    const before = this.#parameters;
    const now = new URLSearchParams(location.search);
    const names = [...before.keys(), ...now.keys()];
    this.#parameters = now;
    this.#changed = new Set(names.filter((name) => before.get(name) !== now.get(name)));
    if (this.#changed.size > 0) this.dispatchEvent(new Event('change'));
  }

  /** Whether the last 'change' is about this setting. */
  hasChanged(figure: string, key: string): boolean {
    return this.#changed.has(this.#name(figure, key));
  }

  /** The parameter that holds a figure's setting. */
  #name(figure: string, key: string): string {
    return this.#isFrame ? key : `${figure}.${key}`;
  }

  words(figure: string): Map<string, string> {
    const words = new Map<string, string>();
    const prefix = this.#name(figure, '');
    const others: readonly string[] = this.#isFrame ? frameWords : [];
    for (const [name, word] of this.#parameters) {
      if (name.startsWith(prefix) && !others.includes(name))
        words.set(name.slice(prefix.length), word);
    }
    return words;
  }

  write(figure: string, words: ReadonlyMap<string, string>) {
    const stated = this.words(figure);
    if (stated.size === words.size && [...words].every(([key, word]) => stated.get(key) === word))
      return;
    for (const key of stated.keys()) this.#parameters.delete(this.#name(figure, key));
    for (const [key, word] of words) this.#parameters.set(this.#name(figure, key), word);
    // Browsers reject more than a few writes per second, and a drag makes hundreds.
    this.#timer ??= setTimeout(() => this.flush(), longestWait);
  }

  flush() {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    history.replaceState(history.state, '', `${location.pathname}${this.search}${location.hash}`);
  }

  get search(): string {
    return searchOf(this.#parameters);
  }

  /** The search without the settings of these figures. */
  searchWithout(figures: readonly string[]): string {
    const others = [...this.#parameters].filter(
      ([name]) => !figures.some((figure) => name.startsWith(`${figure}.`)),
    );
    return searchOf(new URLSearchParams(others));
  }
}
