/**
 * How a bias by distance reaches the core: the place of its scheme in the core's list, and its
 * parameters in the core's order. The core fills its table, heads × count, column c for
 * key − query = first + c, where it reads it.
 */
import { fitting } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import { distanceSchemes } from '../runtime/fields.js';
import type { Option } from '../runtime/option.js';
import type { Tensor } from '../runtime/tensor.js';

type CoreSchemes = typeof distanceSchemes;

/** Checks of options that no schema can state: see `at` of `distanceTable`. */
type Check = (options: any, at: string, heads: number) => void;

/** A scheme, by its options. */
export interface DistanceEntry {
  schema: Readonly<Record<string, Option<any, any>>>;
  /** Its place in the core's list. */
  place: number;
  /** The names of its parameters, and of their values. */
  parameters: readonly (readonly [name: string, values: readonly string[]])[];
  /** The parameters with a value per head, and the axis that these values are along. */
  perHead: readonly (readonly [name: string, axis: number])[];
  check: Check | undefined;
}

/** The entry of a scheme, whose schema must have the names that the core lists, and no others. */
export function distanceEntry<
  Type extends keyof CoreSchemes,
  Description extends Readonly<Record<keyof CoreSchemes[Type], Option<any, any>>>,
>(
  type: Type,
  schema: Description & Record<Exclude<keyof Description, keyof CoreSchemes[Type]>, never>,
  check?: Check,
): DistanceEntry {
  const options = Object.entries<Option<any, any>>(schema);
  return {
    schema,
    place: Object.keys(distanceSchemes).indexOf(type),
    parameters: Object.entries<readonly string[]>(distanceSchemes[type]),
    perHead: options
      .map(([name, { rule }]) => [name, rule.axes?.indexOf('heads') ?? -1] as const)
      .filter(([, axis]) => axis >= 0),
    check,
  };
}

/** Checked options of a scheme. */
type Options = Readonly<Record<string, unknown>>;

/** Returns how many heads have parameters, all the same number; undefined: any. */
export function headsOf(entry: DistanceEntry, options: Options, at: string): number | undefined {
  let heads: number | undefined;
  let first = '';
  for (const [name, axis] of entry.perHead) {
    const value = options[name] as Float64Array | Tensor | undefined;
    if (value === undefined) continue;
    const own = 'shape' in value ? value.shape[axis]! : value.length;
    if (heads !== undefined && own !== heads)
      throw wrongValue(at + name, `must have one value per head as ${first} has, ${heads}`, own);
    heads = own;
    first = name;
  }
  return heads;
}

/** The table of a bias, which the core fills. */
export interface DistanceTable {
  entry: DistanceEntry;
  /** A number for each parameter, that of a list its length. */
  numbers: number[];
  lists: Float64Array[];
  floats: Float32Array[];
  /** All heads, and the first one of the call. */
  heads: number;
  firstHead: number;
  /** key − query of the first column, and the number of columns. */
  first: number;
  count: number;
}

/** `what` and `at` are used in error messages: 'position' and 'position.' inside attention. */
export function distanceTable(
  entry: DistanceEntry,
  options: Options,
  what: string,
  at: string,
  heads: number,
  first: number,
  count: number,
): DistanceTable {
  const own = headsOf(entry, options, at);
  if (own !== undefined && own !== heads)
    throw wrongValue(what, `must have parameters for ${heads} heads`, own);
  entry.check?.(options, at, heads);
  fitting('a bias for heads × distances', heads * count);
  const numbers: number[] = [];
  const lists: Float64Array[] = [];
  const floats: Float32Array[] = [];
  for (const [name, values] of entry.parameters) {
    const value = options[name];
    if (typeof value === 'string') numbers.push(values.indexOf(value));
    else if (typeof value !== 'object') numbers.push(Number(value ?? 0));
    else if ('data' in value!) {
      const { data } = value as Tensor;
      floats.push(data);
      numbers.push(data.length);
    } else {
      lists.push(value as Float64Array);
      numbers.push((value as Float64Array).length);
    }
  }
  return { entry, numbers, lists, floats, heads, firstHead: 0, first, count };
}

const countOf = (lists: readonly ArrayLike<unknown>[]) =>
  lists.reduce((sum, { length }) => sum + length, 0);

/** The counts of doubles and of floats that the core takes for a scheme. */
export const sentCounts = ({ numbers, lists, floats }: DistanceTable) =>
  [numbers.length + countOf(lists), countOf(floats)] as const;

/** The length of a parameter that is a list. */
export const lengthOf = ({ entry, numbers }: DistanceTable, name: string): number =>
  numbers[entry.parameters.findIndex(([own]) => own === name)]!;

/** Sends a scheme and `others`. Returns the arguments of the core's functions of a table. */
export function sendTable(core: Core, table: DistanceTable, ...others: Float64Array[]) {
  const { entry, numbers, lists, floats, heads, first, count } = table;
  core.send(floats);
  core.sendDoubles([numbers, ...lists, ...others]);
  return [entry.place, ...sentCounts(table), heads, first, count] as const;
}
