/**
 * Reads a model's configuration, which is untrusted text: only own keys are read, to a fixed depth;
 * nothing is stored under a name from the file; every value is checked first.
 * What was read, assumed or found contradictory is kept as an account, in codes with values.
 */
import { wrongKind, wrongValue } from '../runtime/errors.js';
import type { Family } from './family.js';
import type { NoteMeaning, PlainNoteCode } from './notes.js';

/** The JSON values of a configuration. */
export type ConfigValue = string | number | boolean | null | readonly (string | number)[];

/**
 * One value of a configuration, and what it means as a code with values: `describeNote` returns the
 * sentence. `key` says where it is: "config.rope_scaling.factor".
 */
export type ConfigNote = { key: string; value: ConfigValue } & NoteMeaning;

/** How a configuration was understood. */
export interface ConfigAccount {
  /** What the file says. */
  read: ConfigNote[];
  /** Values that are not in the file; the reason is given where one was assumed. */
  assumed: ConfigNote[];
  /** Contradicting keys and the one that was used; or a key that has no effect. */
  contradicts: ConfigNote[];
}

interface NumberRule {
  /** The value must exceed this … */
  above?: number;
  /** … or reach this. */
  least?: number;
  most?: number;
  whole?: boolean;
}

export const rules = {
  /** 0 and −1 stand for none. */
  window: { least: -1, most: 2 ** 31, whole: true },
  part: { least: 0, most: 2 ** 20, whole: true },
  width: { least: 1, most: 2 ** 20, whole: true },
  length: { least: 1, most: 2 ** 31, whole: true },
  originalLength: { least: 2, most: 2 ** 31, whole: true },
  base: { above: 1, most: 1e18 },
  factor: { above: 0, most: 1e6 },
  fraction: { above: 0, most: 1 },
  weight: { least: 0, most: 1e3 },
} as const satisfies Record<string, NumberRule>;

/** Far above the size of real configurations; lists of labels make the longest ones. */
const largestText = 2 ** 23;
const longestList = 2 ** 16;

function ruleText({ above, least, most, whole }: NumberRule): string {
  const bounds = [
    above !== undefined && `greater than ${above}`,
    least !== undefined && `at least ${least}`,
    most !== undefined && `at most ${most}`,
  ].filter(Boolean);
  return `a ${whole ? 'whole ' : ''}number ${bounds.join(' and ')}`;
}

/** The error for a key that a configuration must have. */
export const missing = (key: string, rule: string) =>
  wrongValue(key, `is missing; it ${rule}`, undefined, '');

/** Returns a short quotation of a value for an error. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function parsed(config: unknown): object {
  let value = config;
  if (typeof config === 'string') {
    if (config.length > largestText) {
      throw wrongValue('config', `must have at most ${largestText} characters`, config.length);
    }
    try {
      value = JSON.parse(config);
    } catch (error) {
      throw wrongValue('config', `must be JSON: ${(error as Error).message}`, config, '');
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongKind('config', 'must be a JSON object or its text', value, quoted(value));
  }
  return value;
}

export class ConfigSection {
  readonly #entries: Record<string, unknown>;
  readonly #sections = new Map<string, ConfigSection>();

  private constructor(
    entries: object,
    readonly path: string,
    readonly account: ConfigAccount,
    readonly defaults: Readonly<Record<string, unknown>> = {},
    /** What its model type does. Absent: it is not known. */
    readonly family?: Family,
    /** Of the text model: where its class keeps it, as text_config, also if the file is flat. */
    readonly part: readonly string[] = [],
  ) {
    this.#entries = { ...entries } as Record<string, unknown>;
  }

  static root(config: unknown): ConfigSection {
    return new ConfigSection(parsed(config), 'config', { read: [], assumed: [], contradicts: [] });
  }

  /** The same section, where a key that is absent has the value that its model type gives it. */
  withDefaults(
    defaults: Readonly<Record<string, unknown>>,
    family: Family | undefined = this.family,
    part: readonly string[] = this.part,
  ): ConfigSection {
    return new ConfigSection(this.#entries, this.path, this.account, defaults, family, part);
  }

  key(name: string): string {
    return `${this.path}.${name}`;
  }

  /** Whether the file has the key; it may be null. */
  owns(name: string): boolean {
    return Object.hasOwn(this.#entries, name);
  }

  /**
   * The unchecked value, or the default of the model type where the key is absent. As in
   * transformers, null is no value.
   */
  value(name: string): unknown {
    if (this.owns(name)) return this.#entries[name] ?? undefined;
    return Object.hasOwn(this.defaults, name) ? this.defaults[name] : undefined;
  }

  /** Whether the key is there and null, which some model types tell from absent. */
  isNull(name: string): boolean {
    return this.owns(name) && this.#entries[name] === null;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** The first of several spellings that the file has, or that have a default. */
  spelling(names: readonly string[]): string | undefined {
    return (
      names.find((name) => this.owns(name) && this.has(name)) ??
      names.find((name) => this.has(name))
    );
  }

  /** A copy of the entries, unchecked. */
  entries(): Record<string, unknown> {
    return { ...this.#entries };
  }

  names(): string[] {
    return Object.keys({ ...this.defaults, ...this.#entries }).slice(0, longestList);
  }

  section(name: string): ConfigSection | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw wrongKind(this.key(name), 'must be an object', value, quoted(value));
    }
    const known = this.#sections.get(name);
    if (known) return known;
    const { account } = this;
    const section = this.owns(name)
      ? new ConfigSection(value as object, this.key(name), account)
      : new ConfigSection({}, this.key(name), account, value as Record<string, unknown>);
    this.#sections.set(name, section);
    return section;
  }

  number(name: string, rule: NumberRule, code: PlainNoteCode): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return this.noted(name, this.checked(name, value, rule), code);
  }

  /** The number under the first spelling that the section has. */
  anyNumber(names: readonly string[], rule: NumberRule, code: PlainNoteCode): number | undefined {
    const name = this.spelling(names);
    return name === undefined ? undefined : this.number(name, rule, code);
  }

  needed(names: readonly string[], rule: NumberRule, code: PlainNoteCode): number {
    const value = this.anyNumber(names, rule, code);
    if (value !== undefined) return value;
    throw missing(this.key(names[0]!), `must be ${ruleText(rule)}`);
  }

  boolean(name: string, code: PlainNoteCode): boolean | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'boolean') {
      throw wrongKind(this.key(name), 'must be true or false', value, quoted(value));
    }
    return this.noted(name, value, code);
  }

  text(name: string, code: PlainNoteCode): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') {
      throw wrongKind(this.key(name), 'must be text', value, quoted(value));
    }
    this.noted(name, value.slice(0, 100), code);
    return value;
  }

  numbers(name: string, rule: NumberRule, code: PlainNoteCode): number[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      throw wrongKind(this.key(name), 'must be a list of numbers', value, quoted(value));
    }
    if (value.length > longestList) {
      throw wrongValue(this.key(name), `must have at most ${longestList} entries`, value.length);
    }
    const list = Array.from(value, (entry, i) => this.checked(`${name}[${i}]`, entry, rule));
    return this.noted(name, list, code);
  }

  /** Adds a note once per key, even if the key is read several times. */
  noted<Value extends ConfigValue>(name: string, value: Value, code: PlainNoteCode): Value {
    if (!this.owns(name)) return this.assume(name, value, { code: 'model-default' });
    const key = this.key(name);
    if (!this.wasRead(name)) this.account.read.push({ key, value, code });
    return value;
  }

  wasRead(name: string): boolean {
    return this.account.read.some(({ key }) => key === this.key(name));
  }

  assume<Value extends ConfigValue>(name: string, value: Value, meaning: NoteMeaning): Value {
    this.#note(this.account.assumed, { key: this.key(name), value, ...meaning });
    return value;
  }

  contradict(name: string, value: ConfigValue, meaning: NoteMeaning): void {
    this.#note(this.account.contradicts, { key: this.key(name), value, ...meaning });
  }

  /** Adds a note once, even if several layers read the key. */
  #note(notes: ConfigNote[], note: ConfigNote): void {
    if (!notes.some(({ key, code }) => key === note.key && code === note.code)) notes.push(note);
  }

  private checked(name: string, value: unknown, rule: NumberRule): number {
    const { above = -Infinity, least = -Infinity, most = Infinity, whole = false } = rule;
    if (typeof value !== 'number') {
      throw wrongKind(this.key(name), `must be ${ruleText(rule)}`, value, quoted(value));
    }
    if (
      !(value > above && value >= least && value <= most) ||
      (whole && !Number.isInteger(value))
    ) {
      throw wrongValue(this.key(name), `must be ${ruleText(rule)}`, value);
    }
    return value;
  }
}

/**
 * Returns a number that two keys may hold. When they hold different numbers, returns the first one
 * and adds a note.
 */
export function numberOfEither(
  first: [ConfigSection | undefined, string],
  second: [ConfigSection, string],
  rule: NumberRule,
  code: PlainNoteCode,
): number | undefined {
  const [section, name] = first;
  const isGiven = section?.owns(name) && section.has(name);
  if (!isGiven && second[0].owns(second[1]) && second[0].has(second[1]))
    return second[0].number(second[1], rule, code);
  const a = section?.number(name, rule, code);
  if (a === undefined) return second[0].number(second[1], rule, code);
  if (!isGiven || !second[0].owns(second[1])) return a;
  const b = second[0].number(second[1], rule, code);
  if (b !== undefined && a !== b) {
    const winner = section!.key(name);
    second[0].contradict(second[1], b, { code: 'other-wins', values: { winner, value: a } });
  }
  return a;
}
