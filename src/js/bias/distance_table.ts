/**
 * How a bias by distance reaches the core: the place of its scheme in the core's list, and its
 * parameters in the core's order. The core fills its table, heads × count, column c for
 * key − query = first + c, where it reads it.
 */
import { countOf, fitting, positionList, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongValue } from '../runtime/errors.js';
import { distanceSchemesNames, type distanceSchemes } from '../runtime/fields.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import type { Positions, Tensor } from '../runtime/tensor.js';

/** The queries and keys of a bias: a count (positions 0, 1, …), or whole positions. */
export interface BiasPairs {
  /** Position of each query. */
  queries: Positions;
  /** Position of each key. */
  keys: Positions;
}

/** Queries, keys and heads of a bias, for schemes whose parameters do not imply the heads. */
export interface BiasSize extends BiasPairs {
  /** Number of heads. Needed unless an option has one value per head. */
  heads?: number;
}

export const pairsSchema = {
  queries: option.wholePositions,
  keys: option.wholePositions,
} satisfies Schema<BiasPairs>;
const sizeSchema = {
  heads: option.whole.optional(),
  ...pairsSchema,
} satisfies Schema<BiasSize>;

type CoreSchemes = typeof distanceSchemes;

/** Checks of options that no schema can state: see `at` of `parametersOf`. */
type Check = (options: any, at: string) => void;

/** A scheme, by its options. */
export interface DistanceEntry {
  schema: Readonly<Record<string, option.Option<any, any>>>;
  /** The schema of attention's position. */
  ofPosition: { type: typeof option.type };
  /** That of the whole tensor: with `heads` where no parameter must have a value per head. */
  ofTensor: Schema<BiasPairs>;
  /** Its place in the core's list. */
  place: number;
  /** The names of its parameters, in the core's order. */
  parameters: readonly string[];
  /** Those of the parameters with a value per head, along their last axis. */
  perHead: readonly string[];
  check: Check | undefined;
}

/** The entry of a scheme, whose schema must have the names that the core lists, and no others. */
export function distanceEntry<
  Type extends keyof CoreSchemes,
  Description extends Readonly<Record<keyof CoreSchemes[Type], option.Option<any, any>>>,
>(
  type: Type,
  schema: Description & Record<Exclude<keyof Description, keyof CoreSchemes[Type]>, never>,
  check?: Check,
): DistanceEntry {
  const options: Readonly<Record<string, option.Option<any, any>>> = schema;
  const perHead = Object.keys(options).filter(
    (name) => options[name]!.rule.axes?.at(-1) === 'heads',
  );
  const impliesHeads = perHead.some((name) => options[name]!.isRequired);
  return {
    schema,
    ofPosition: { ...options, type: option.type },
    ofTensor: { ...options, ...(impliesHeads ? pairsSchema : sizeSchema) },
    place: Object.keys(distanceSchemesNames).indexOf(type),
    parameters: distanceSchemesNames[type].split(' '),
    perHead,
    check,
  };
}

/** Checked options of a scheme. */
type Options = object & { readonly [name: string]: any };

/** Returns how many heads have parameters, all the same number; undefined: any. */
export function headsOf(entry: DistanceEntry, options: Options, at: string): number | undefined {
  let heads: number | undefined;
  let first = '';
  for (const name of entry.perHead) {
    const value = options[name] as Float64Array | Tensor | undefined;
    if (value === undefined) continue;
    const own = 'shape' in value ? value.shape.at(-1)! : value.length;
    if (own === 0) throw wrongValue(at + name, 'must have at least one value', own);
    heads ??= own;
    first ||= name;
    if (own !== heads)
      throw wrongValue(at + name, `must have one value per head as ${first} has, ${heads}`, own);
  }
  return heads;
}

/** The parameters of a scheme as the core takes them. */
export interface DistanceParameters {
  entry: DistanceEntry;
  /** A number for each parameter, that of a list its length, and then the lists. */
  doubles: [numbers: number[], ...lists: Float64Array[]];
  floats: Float32Array[];
}

/** `what` and `at` are used in error messages: 'position' and 'position.' inside attention. */
export function parametersOf(
  entry: DistanceEntry,
  options: Options,
  what: string,
  at: string,
  heads: number,
): DistanceParameters {
  const own = headsOf(entry, options, at) ?? heads;
  if (own !== heads) throw wrongValue(what, `must have parameters for ${heads} heads`, own);
  entry.check?.(options, at);
  const numbers: number[] = [];
  const doubles: DistanceParameters['doubles'] = [numbers];
  const floats: Float32Array[] = [];
  for (const name of entry.parameters) {
    const value = options[name];
    if (typeof value === 'string') numbers.push(entry.schema[name]!.rule.choices!.indexOf(value));
    else if (typeof value !== 'object') numbers.push(Number(value ?? 0));
    else if ('data' in value) numbers.push(floats[floats.push(value.data) - 1]!.length);
    else numbers.push(doubles[doubles.push(value) - 1]!.length);
  }
  return { entry, doubles, floats };
}

/** The length of a parameter that is a list. */
export const lengthOf = ({ entry, doubles }: DistanceParameters, name: string): number =>
  doubles[0][entry.parameters.indexOf(name)]!;

/** The table of a bias, which the core fills. */
export interface DistanceTable {
  parameters: DistanceParameters;
  /** All heads, and the first one of the call. */
  heads: number;
  firstHead: number;
  /** key − query of the first column, and the number of columns. */
  first: number;
  count: number;
}

/** A distance bias as a full tensor [heads, queries, keys]. `what` names the options in errors. */
export function expanded(
  core: Core,
  entry: DistanceEntry,
  settings: BiasSize,
  what: string,
): Tensor {
  const options = read(what, settings as BiasPairs, entry.ofTensor);
  const { heads = headsOf(entry, options, '') ?? wholeNumber('heads', undefined) } =
    options as BiasSize;
  const size = 'a bias of heads × queries × keys';
  fitting(size, heads * countOf(options.queries) * countOf(options.keys));
  const queries = positionList('queries', options.queries);
  const keys = positionList('keys', options.keys);
  const parameters = parametersOf(entry, options, what, '', heads);
  core.send(parameters.floats);
  core.sendDoubles([...parameters.doubles, queries, keys]);
  const shape: [number, number, number] = [heads, queries.length, keys.length];
  const data = core.raw.distanceBias(entry.place, ...shape);
  return { data: core.floats(data), shape };
}
