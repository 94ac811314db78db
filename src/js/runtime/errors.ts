/**
 * Errors about a parameter: TypeError for the wrong kind, RangeError for a wrong value or shape.
 * The message is `<parameter> must <rule>, got <value>`, and the error has the three as properties.
 */
import { shapeText } from './tensor.js';

/** A TypeError or RangeError about a parameter. */
export interface ParameterError extends Error {
  /** The parameter, with its path: 'position.base', 'keyLengths[2]'. */
  readonly parameter: string;
  /** What the message says of it: 'must be greater than 0'. */
  readonly rule: string;
  /** What was given; of a wrong count or shape, that count or shape. */
  readonly value: unknown;
}

export function described(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null) {
    const kind = Array.isArray(value) ? 'array' : (value.constructor?.name ?? 'object');
    return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
  }
  return typeof value === 'function' || typeof value === 'symbol'
    ? `a ${typeof value}`
    : String(value);
}

/** Returns the error with these properties, which are not enumerable. */
export function withParameter<Thrown extends Error>(
  error: Thrown,
  parameter: string,
  rule: string,
  value: unknown,
): Thrown & ParameterError {
  const members = { parameter, rule, value };
  for (const name of ['parameter', 'rule', 'value'] as const)
    Object.defineProperty(error, name, { value: members[name], configurable: true });
  return error as Thrown & ParameterError;
}

const wrong =
  <Kind extends Error>(Thrown: new (message: string) => Kind) =>
  (
    parameter: string,
    rule: string,
    value?: unknown,
    /** The end of the message; without one, what the rule says is all of it. */
    got = described(value),
  ) => {
    const message = `${parameter} ${rule}${got && `, got ${got}`}`;
    // The name may begin with that of the function: 'linear: w'.
    return withParameter(new Thrown(message), parameter.replace(/^\w+: /, ''), rule, value);
  };

export const wrongKind = wrong(TypeError);
export const wrongValue = wrong(RangeError);

/** @param of the tensor whose shape is wrong */
export const wrongShape = (of: string, rule: string, shape: readonly number[]) =>
  wrongValue(`${of}.shape`, rule, shape, shapeText(shape));

/** An error as one thread sends it to another. */
export type SentError = Pick<Error, 'name' | 'message'> & Partial<ParameterError>;

const isNumbers = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === 'number');

/** A value that may be large or cannot be sent is replaced by its description. */
export function sentError(error: unknown): SentError {
  const { name, message, parameter, rule, value } = error as ParameterError;
  const isPlain = Object(value) === value ? isNumbers(value) : typeof value !== 'symbol';
  return { name, message, parameter, rule, value: isPlain ? value : described(value) };
}

const kinds = { TypeError, RangeError } as const;

export function receivedError({ name, message, parameter, rule, value }: SentError): Error {
  const error = new (kinds[name as keyof typeof kinds] ?? Error)(message);
  return parameter === undefined ? error : withParameter(error, parameter, rule!, value);
}
