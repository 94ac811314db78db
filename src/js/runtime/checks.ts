/**
 * Argument checks. Each names the parameter, the rule and the value: TypeError for the wrong kind,
 * RangeError for a wrong value or shape. They run before anything is sized by an argument, because
 * the raw module would read NaN, null and undefined alike as 0.
 */
import { described, wrongKind, wrongValue } from './errors.js';
import { hintFor } from './hints.js';
import { widened } from './half.js';
import {
  elementCount,
  gathered,
  shapeText,
  type DoubleTensor,
  type Tensor,
  type TensorView,
} from './tensor.js';

/** Largest array in bytes: WebAssembly addresses 4 GiB, and C++ counts bytes with a signed type. */
const largestBuffer = 2 ** 31;
const largestMemory = 2 ** 32;

export function finiteNumber(name: string, value: unknown): number {
  if (typeof value !== 'number') throw wrongKind(name, 'must be a number', value);
  if (!Number.isFinite(value)) throw wrongValue(name, 'must be finite', value);
  return value;
}

/** The smallest normal float. */
export const leastNormal = 2 ** -126;

/** A number that stays finite as a 32-bit float, in which the core computes. */
export function floatNumber(name: string, value: unknown): number {
  const number = finiteNumber(name, value);
  if (!Number.isFinite(Math.fround(number)))
    throw wrongValue(name, 'must be within the range of 32-bit floats', number);
  return number;
}

export function positiveNumber(name: string, value: unknown): number {
  const number = finiteNumber(name, value);
  if (number <= 0) throw wrongValue(name, 'must be greater than 0', number);
  return number;
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= 2 ** 31;
}

export function wholeNumber(name: string, value: unknown, least = 1): number {
  if (isWhole(value, least)) return value;
  if (typeof value !== 'number') throw wrongKind(name, 'must be a number', value);
  throw wrongValue(name, `must be a whole number from ${least} to 2^31`, value);
}

export function evenNumber(name: string, value: unknown): number {
  const number = wholeNumber(name, value);
  if (number % 2 !== 0) throw wrongValue(name, 'must be even', number);
  return number;
}

export function truth(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw wrongKind(name, 'must be true or false', value);
  return value;
}

export function oneOf<Choice>(name: string, value: unknown, choices: readonly Choice[]): Choice {
  if (choices.includes(value as Choice)) return value as Choice;
  const listed = choices.map((choice) =>
    typeof choice === 'string' ? `'${choice}'` : String(choice),
  );
  const wrong = typeof value === 'string' ? wrongValue : wrongKind;
  const hint = hintFor(value, choices);
  throw wrong(name, `must be one of ${listed.join(', ')}`, value, described(value) + hint);
}

/**
 * Returns `count`; throws if that many elements do not fit in memory, before any work.
 * @param bytesEach bytes per element of the result, or of all that the core holds meanwhile, where
 * that is more
 */
export function fitting(name: string, count: number, bytesEach = 4): number {
  const bytes = count * bytesEach;
  if (bytes >= largestBuffer) {
    const rule = `would take ${bytes} bytes; it must take fewer than ${largestBuffer}`;
    throw wrongValue(name, rule, bytes, '');
  }
  return count;
}

/** The same for all memory that a call holds at once, before any copy. */
export function fittingTogether(name: string, count: number): void {
  const bytes = count * 4;
  if (bytes >= largestMemory) {
    const rule = `would take ${bytes} bytes; all of memory has ${largestMemory}`;
    throw wrongValue(name, rule, bytes, '');
  }
}

/** The largest number of axes of a tensor. */
const mostAxes = 32;

export function tensor(name: string, value: unknown): Tensor {
  if (typeof value !== 'object' || value === null) throw noTensor(name, value);
  const { data, shape } = value as Partial<Tensor>;
  return denseTensor(name, data, shape, value);
}

const noTensor = (name: string, value: unknown) =>
  wrongKind(name, 'must be a tensor { data: Float32Array, shape: number[] }', value);

/** @param value whose members they are, for the error */
function denseTensor(name: string, data: unknown, given: unknown, value: object): Tensor {
  if (!isFloats(data)) {
    const hint = arrayKind(value) ? `; give { data: ${name}, shape: [length, dim] }` : '';
    throw wrongKind(`${name}.data`, 'must be a Float32Array', data, `${described(data)}${hint}`);
  }
  const shape = shapeOf(name, given);
  const count = elementCount(shape);
  if (count !== data.length) {
    throw wrongValue(
      `${name}.data`,
      `must have ${count} values for shape ${shapeText(shape)}`,
      data.length,
    );
  }
  return { data, shape };
}

/** What may be in place of a tensor: see TensorInput. Tensors of others say `dims` and `type`. */
type Foreign = Partial<TensorView> & { dims?: unknown; type?: unknown };

/** The tensor of an operand: 16-bit floats as 32-bit floats, a view as a copy of its own. */
export function operandTensor(name: string, value: unknown): Tensor {
  if (typeof value !== 'object' || value === null) throw noTensor(name, value);
  const { data, strides, shape = (value as Foreign).dims } = value as Foreign;
  if (isFloats(data) && strides === undefined) return denseTensor(name, data, shape, value);
  const floats = floatsOf(name, data, value);
  if (strides === undefined) return denseTensor(name, floats, shape, value);
  const extents = shapeOf(name, shape);
  const steps = numbers(`${name}.strides`, strides);
  steps.forEach((step, axis) => wholeNumber(`${name}.strides[${axis}]`, step, 0));
  if (extents.length === 0 || steps.length !== extents.length) {
    throw wrongValue(
      `${name}.strides`,
      `must have one value per axis of ${shapeText(extents)}`,
      steps.length,
    );
  }
  const reach = extents.reduce((sum, extent, axis) => sum + (extent - 1) * steps[axis]!, 1);
  if (reach > floats.length) {
    throw wrongValue(
      `${name}.strides`,
      `must stay within the ${floats.length} values of data`,
      reach,
      `a view of ${reach}`,
    );
  }
  fitting(`${name}.data`, elementCount(extents));
  return { data: gathered(floats, extents, Array.from(steps)), shape: extents };
}

function floatsOf(name: string, data: unknown, value: Foreign): Float32Array {
  const kind = arrayKind(data);
  if (kind === 'Float32Array') return data as Float32Array;
  if (kind === 'Float16Array') return new Float32Array(data as ArrayLike<number>);
  if (kind !== 'Uint16Array') return denseTensor(name, data, undefined, value).data;
  const format = value.type === 'float16' ? 'f16' : value.format;
  return widened(data as Uint16Array, oneOf(`${name}.format`, format, ['f16', 'bf16'] as const));
}

/** The same of doubles, each of them finite. */
export function doubleTensor(name: string, value: unknown): DoubleTensor {
  if (typeof value !== 'object' || value === null)
    throw wrongKind(name, 'must be a tensor { data: Float64Array, shape: number[] }', value);
  const { data: given, shape: extents } = value as Partial<DoubleTensor>;
  if (arrayKind(given) !== 'Float64Array')
    throw wrongKind(`${name}.data`, 'must be a Float64Array', given);
  const shape = shapeOf(name, extents);
  const data = numbers(`${name}.data`, given);
  if (elementCount(shape) !== data.length)
    throw wrongValue(
      `${name}.data`,
      `must have ${elementCount(shape)} values for shape ${shapeText(shape)}`,
      data.length,
    );
  return { data, shape };
}

/** A checked copy. */
export function shapeOf(name: string, given: unknown): number[] {
  if (!Array.isArray(given)) {
    throw wrongKind(`${name}.shape`, 'must be an array of whole numbers', given);
  }
  if (given.length > mostAxes) {
    throw wrongValue(`${name}.shape`, `must have at most ${mostAxes} axes`, given.length);
  }
  const shape = new Array<number>(given.length);
  for (let axis = 0; axis < shape.length; axis++) {
    const extent: unknown = given[axis];
    // The name of an axis is only put together where it is wrong: texts take longer than checks.
    shape[axis] = isWhole(extent, 1) ? extent : wholeNumber(`${name}.shape[${axis}]`, extent);
  }
  return shape;
}

const kindOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Float32Array.prototype),
  Symbol.toStringTag,
)!.get!;

/**
 * Returns the kind of a typed array, if it is one. Works for arrays of other realms: test runners
 * have their own.
 */
export function arrayKind(value: unknown): string | undefined {
  return kindOf.call(value) as string | undefined;
}

export function isFloats(value: unknown): value is Float32Array {
  return arrayKind(value) === 'Float32Array';
}

/** Returns a list of finite numbers as doubles. A call takes `bytesEach` per number. */
export function numbers(name: string, value: unknown, bytesEach = 8): Float64Array {
  if (
    typeof value !== 'object' ||
    value === null ||
    typeof (value as ArrayLike<number>).length !== 'number'
  ) {
    throw wrongKind(name, 'must be an array of numbers', value);
  }
  const list = value as ArrayLike<number | bigint>;
  const length = wholeNumber(`${name}.length`, list.length, 0);
  const doubles = new Float64Array(fitting(name, length, bytesEach));
  for (let i = 0; i < doubles.length; i++) {
    const element = list[i];
    if (typeof element !== 'number' && typeof element !== 'bigint') {
      throw wrongKind(`${name}[${i}]`, 'must be a number', element);
    }
    const number = Number(element);
    // The name of each element would take ten times as long as its check.
    doubles[i] = Number.isFinite(number) ? number : finiteNumber(`${name}[${i}]`, number);
  }
  return doubles;
}

function counted(count: number): Float64Array {
  const list = new Float64Array(count);
  for (let i = 0; i < count; i++) list[i] = i;
  return list;
}

/** Positions after their checks: a count stands for the list 0 … count − 1. */
export type CheckedPositions = number | Float64Array;

export function positions(name: string, value: unknown): CheckedPositions {
  if (typeof value === 'number') return fitting(name, wholeNumber(name, value), 8);
  const list = numbers(name, value);
  if (list.length === 0) throw wrongValue(name, 'must hold at least one position', list, '');
  return list;
}

/** Positions that index tables: whole numbers. */
export function wholePositions(name: string, value: unknown): CheckedPositions {
  const checked = positions(name, value);
  if (typeof checked === 'number') return checked;
  const wrong = checked.findIndex(
    (position) => !Number.isInteger(position) || Math.abs(position) > 2 ** 31,
  );
  if (wrong < 0) return checked;
  throw wrongValue(`${name}[${wrong}]`, 'must be a whole number of at most 2^31', checked[wrong]);
}

export const countOf = (checked: CheckedPositions): number =>
  typeof checked === 'number' ? checked : checked.length;

/** Positions as a list. A call takes `bytesEach` per position, at least 8. */
export function positionList(name: string, checked: CheckedPositions, bytesEach = 8): Float64Array {
  fitting(name, countOf(checked), bytesEach);
  return typeof checked === 'number' ? counted(checked) : checked;
}

/**
 * Returns positions of `length` rows with one value per axis: shared by all batches, per batch, or
 * per head. A wrong count throws before a list is made.
 */
export function rowPositions(
  name: string,
  checked: CheckedPositions,
  length: number,
  batches = 1,
  axes = 1,
  heads = 1,
): Float64Array {
  const rows = countOf(checked) / axes;
  if (rows === length || rows === batches * length || rows === batches * heads * length)
    return positionList(name, checked);
  const perHead = heads === 1 ? '' : ` or, per head, ${batches * heads * length}`;
  const perBatch = (batches === 1 ? '' : ` or, per batch, ${batches * length}`) + perHead;
  const each = axes === 1 ? '' : `, for each of ${axes} axes`;
  const rule = `must have one value per row, ${length}${perBatch}${each}`;
  throw wrongValue(name, rule, countOf(checked));
}

/** Returns the caller's array for a result of `length` values, if given. */
export function destination(
  into: Float32Array | undefined,
  length: number,
): Float32Array | undefined {
  if (into === undefined) return into;
  if (into.length !== length) throw wrongValue('into', `must have ${length} values`, into.length);
  return into;
}
