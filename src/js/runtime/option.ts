/**
 * The kind, range and default of an option. Calls and the command line use the same definitions.
 * Import as a namespace: `import * as option`.
 */
import {
  doubleTensor as checkedDoubleTensor,
  evenNumber,
  finiteNumber,
  fitting,
  floatNumber,
  isFloats,
  numbers as numberList,
  oneOf as oneOfChoices,
  positions as checkedPositions,
  positiveNumber,
  tensor as checkedTensor,
  truth as checkedTruth,
  wholeNumber,
  wholePositions as checkedWholePositions,
  type CheckedPositions,
} from './checks.js';
import { wrongKind, wrongValue } from './errors.js';
import type { DoubleTensor, Positions, Tensor } from './tensor.js';

interface Rule<Value> {
  kind:
    | 'number'
    | 'whole'
    | 'truth'
    | 'text'
    | 'choice'
    | 'numbers'
    | 'positions'
    | 'whole positions'
    | 'tensor'
    | 'doubles'
    | 'floats'
    | 'function'
    | 'object'
    | 'sizes';
  /** Returns the value, or throws an error that names the option, the rule and the value. */
  check(name: string, value: unknown): Value;
  /** The choices, if it is a choice. */
  choices?: readonly unknown[];
  /** The least value, if it is a number, or that of each of its numbers. */
  least?: number;
  /** Whether the least value is itself too small. */
  isAbove?: boolean;
  /** The greatest value, if it is a number with one. */
  most?: number;
  /** What values are a multiple of, if not all whole numbers. */
  step?: number;
  /** Bytes that the core holds for each, if it is a number of things. */
  bytesEach?: number;
  /** The names of its axes, if it is a tensor or a list: see `requireShapes`. */
  axes?: readonly string[];
}

/** `Given` is the type that callers pass, `Value` the type that the call uses. */
export class Option<Given, Value = Given> {
  /** Never set. It makes two options with different `Given` incompatible in both directions. */
  declare protected readonly given?: (given: Given) => Given;

  constructor(
    readonly rule: Rule<Value>,
    readonly isRequired = true,
    readonly fallback?: Value,
  ) {}

  /** The same option with axes of these extents. */
  shaped(...axes: string[]): Option<Given, Value> {
    return new Option({ ...this.rule, axes }, this.isRequired, this.fallback);
  }

  /** The same number, of which each takes so many bytes: too many for memory are rejected. */
  costing(this: Option<Given, number>, bytesEach: number): Option<Given, number> {
    const check = (name: string, value: unknown) =>
      fitting(name, this.rule.check(name, value), bytesEach);
    return new Option({ ...this.rule, check, bytesEach }, this.isRequired, this.fallback);
  }

  /** The same option with a default. */
  default(value: Value): Option<Given | undefined, Value> {
    return new Option(this.rule, false, value);
  }

  /** The same option without a default: the call itself handles `undefined`. */
  optional(): Option<Given | undefined, Value | undefined> {
    return new Option<Given | undefined, Value | undefined>(this.rule, false);
  }

  read(name: string, value: unknown): Value {
    return value === undefined && !this.isRequired ? this.fallback! : this.rule.check(name, value);
  }
}

/**
 * An option of some other kind, for instance a mask. The call checks it itself, because the rule
 * depends on other arguments.
 */
export const given = (kind: string) => ({
  kind,
  isRequired: false as const,
  fallback: undefined,
  read: (_: string, value: unknown): unknown => value,
});

/** The name of a scheme. It is read before the other options, whose schema it decides. */
export const type = given('type');

export const finite = new Option<number>({ kind: 'number', check: finiteNumber });
export const float = new Option<number>({
  kind: 'number',
  check: floatNumber,
  most: 2 ** 128 - 2 ** 104,
});
export const positive = new Option<number>({
  kind: 'number',
  check: positiveNumber,
  least: 0,
  isAbove: true,
});
export const nonNegative = new Option<number>({
  kind: 'number',
  least: 0,
  check(name, value) {
    const number = finiteNumber(name, value);
    if (number < 0) throw wrongValue(name, 'must be at least 0', number);
    return number;
  },
});
export const wholeFrom = (least: number) =>
  new Option<number>({
    kind: 'whole',
    check: (name, value) => wholeNumber(name, value, least),
    least,
  });
export const whole = wholeFrom(1);
export const even = new Option<number>({ kind: 'whole', check: evenNumber, least: 2, step: 2 });
export const truth = new Option<boolean>({ kind: 'truth', check: checkedTruth });
export const numbers = new Option<ArrayLike<number>, Float64Array>({
  kind: 'numbers',
  check: (name, value) => numberList(name, value),
});
/** Numbers that are all greater than 0. */
export const positives = new Option<ArrayLike<number>, Float64Array>({
  kind: 'numbers',
  least: 0,
  isAbove: true,
  check(name, value) {
    const list = numberList(name, value);
    const at = list.findIndex((number) => number <= 0);
    if (at < 0) return list;
    throw wrongValue(`${name}[${at}]`, 'must be greater than 0', list[at]);
  },
});
export const positions = new Option<Positions, CheckedPositions>({
  kind: 'positions',
  check: checkedPositions,
});
export const wholePositions = new Option<Positions, CheckedPositions>({
  kind: 'whole positions',
  check: checkedWholePositions,
});
export const tensor = new Option<Tensor>({ kind: 'tensor', check: checkedTensor });
export const doubles = new Option<DoubleTensor>({ kind: 'doubles', check: checkedDoubleTensor });

export const floats = new Option<Float32Array>({
  kind: 'floats',
  check(name, value) {
    if (isFloats(value)) return value;
    throw wrongKind(name, 'must be a Float32Array', value);
  },
});
export const callback = <Callback extends (...args: never[]) => void>() =>
  new Option<Callback>({
    kind: 'function',
    check(name, value) {
      if (typeof value === 'function') return value as Callback;
      throw wrongKind(name, 'must be a function', value);
    },
  });

export const oneOf = <const Choices extends readonly unknown[]>(...choices: Choices) =>
  new Option<Choices[number]>({
    kind: 'choice',
    check: (name, value) => oneOfChoices(name, value, choices),
    choices,
  });
