/**
 * The options of a call, declared once. An interface has their names, types and docs; its schema
 * says how each is checked and what its default is. With `satisfies Schema<Interface>` the compiler
 * requires each name once, every choice, and a default or `optional()` for each `?`.
 *
 * An interface beside a schema, and not a type inferred from it, because declaration files keep
 * the comments of an interface only.
 */

import { described, withParameter, wrongKind } from './errors.js';
import { hintFor } from './hints.js';
import { Option, type given } from './option.js';

type AsGiven = ReturnType<typeof given>;

export type Schema<Options> = {
  readonly [Name in keyof Required<Options>]:
    Option<Options[Name & keyof Options], unknown> | AsGiven;
};

/** Checked options with their defaults. */
export type Checked<Options, Description> = {
  [Name in keyof Options & keyof Description]: Description[Name] extends AsGiven
    ? Options[Name]
    : Description[Name] extends Option<any, infer Value>
      ? Value
      : never;
};

type AnySchema = Readonly<Record<string, Option<unknown, unknown> | AsGiven>>;

/** The data derived once from a schema. */
interface Plan {
  /** Every name, with its default or undefined. */
  defaults: Readonly<Record<string, unknown>>;
  required: readonly string[];
}

const plans = new WeakMap<object, Plan>();

/** `read`, if set, is called with what each call of `read` gets: tests list what functions take. */
export const observer: {
  read?: (what: string, value: unknown, schema: AnySchema, at: string) => void;
} = {};

function planOf(schema: AnySchema): Plan {
  const found = plans.get(schema);
  if (found) return found;
  const options = Object.entries(schema);
  const plan = {
    defaults: Object.fromEntries(options.map(([name, { fallback }]) => [name, fallback])),
    required: options.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  };
  plans.set(schema, plan);
  return plan;
}

/** The names that the caller gave; an unknown one is an error. */
function namesOf(what: string, value: object, schema: AnySchema, at: string): readonly string[] {
  const own = Object.keys(value);
  for (const name of own) {
    if (Object.hasOwn(schema, name)) continue;
    const known = Object.keys(schema);
    const unknown = `${JSON.stringify(name)}${hintFor(name, known)}`;
    const rule = `known names: ${known.join(', ')}`;
    throw withParameter(new TypeError(`${what} has no ${unknown}; ${rule}`), at + name, rule, name);
  }
  // Most objects have no other members. Options of a class instance may be inherited or hidden.
  const isPlain =
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.getOwnPropertyNames(value).length === own.length;
  return isPlain ? own : Object.keys(schema);
}

/**
 * The options of a call after their checks. Those that the caller gave are own properties; others
 * are inherited from the defaults, which takes less time than a copy. So `Object.hasOwn` says what
 * was given, and a spread copies only that.
 * @param at the prefix of names in errors: 'position.'
 */
export function read<Options extends object, Description extends Schema<Options>>(
  what: string,
  value: Options | undefined,
  schema: Description,
  at = '',
): Checked<Options, Description> {
  const all = schema as unknown as AnySchema;
  observer.read?.(what, value, all, at);
  if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
    throw wrongKind(
      what,
      'must be an object',
      value,
      `${described(value)}; known names: ${Object.keys(all).join(', ')}`,
    );
  const { defaults, required } = planOf(all);
  const options = Object.create(defaults) as Record<string, unknown>;
  if (value !== undefined) {
    for (const name of namesOf(what, value, all, at)) {
      const member: unknown = value[name as keyof Options];
      if (member === null) {
        const rule = 'must not be null; leave it out for its default';
        throw withParameter(new TypeError(`${what}: ${name} ${rule}`), at + name, rule, member);
      }
      if (member !== undefined) options[name] = all[name]!.read(at + name, member);
    }
  }
  for (const name of required)
    if (options[name] === undefined) all[name]!.read(at + name, undefined);
  return options as Checked<Options, Description>;
}

/** An option that is an object with options of its own: its schema checks it. */
export const object = <Options extends object, Description extends Schema<Options>>(
  schema: Description,
) =>
  new Option<Options, Checked<Options, Description>>({
    kind: 'object',
    check: (name, value) => read(name, value as Options, schema, `${name}.`),
  });
