/**
 * The model that the whole page follows, if the reader names one. A figure declares which of its
 * controls follow it, one line in the control's definition:
 *
 *   base: { kind: 'range', …, follows: 'base' },
 *
 * The control then takes the model's value where its own rule admits it, and says so where not.
 */
import type { PositionScheme } from 'ropewalk/config';

export interface ModelFields {
  /** How many values of a head are rotated; for tables added at the input, their width. */
  dim: number;
  base: number;
  /** Which dimensions form a pair: 'interleaved' or 'half-split'. */
  layout: string;
  /** How the frequencies are extended, by the package's name: 'yarn', 'llama3', … or 'none'. */
  scaling: string;
  factor: number;
  /** Positions that training saw before the extension, and those served with it. */
  originalLength: number;
  length: number;
  heads: number;
  /** T5's table. */
  buckets: number;
  maxDistance: number;
}

export type ModelField = keyof ModelFields;

/** What of a scheme the controls of figures can follow. */
export function fieldsOf(scheme: PositionScheme): Partial<ModelFields> {
  if (scheme.type !== 'rotary') {
    const length = numberIn(scheme, 'positions');
    return {
      ...numbersIn(scheme, ['dim', 'heads', 'buckets', 'maxDistance']),
      ...some({ length }),
    };
  }
  const { layout, base, scaling, maxLength, frequencies } = scheme;
  return {
    dim: 2 * frequencies.inverseFrequencies.length,
    base,
    layout,
    scaling: scaling.type,
    ...numbersIn(scaling, ['factor']),
    ...some({
      originalLength: numberIn(scaling, 'originalLength') ?? maxLength,
      length: maxLength,
    }),
  };
}

function numberIn(part: object, name: string): number | undefined {
  const value = Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}

const numbersIn = (part: object, names: readonly ModelField[]): Partial<ModelFields> =>
  some(Object.fromEntries(names.map((name) => [name, numberIn(part, name)])));

/** Without what is not there. */
const some = (fields: Record<string, number | undefined>): Partial<ModelFields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The one place that holds the choice; sends 'change'. */
export class ModelChoice extends EventTarget {
  current: Partial<ModelFields> | undefined;
  /**
   * Chosen by the reader, not by the address: then it takes precedence over the address.
   */
  isChosenHere = false;

  choose(model: Partial<ModelFields> | undefined, { isChosenHere = true } = {}) {
    this.current = model;
    this.isChosenHere = isChosenHere;
    this.dispatchEvent(new Event('change'));
  }
}

/** The words of the controls that follow a field of the model. */
export function modelWords(
  controls: Readonly<Record<string, { follows?: ModelField }>>,
  model: Partial<ModelFields> | undefined,
): Map<string, string> {
  const words = new Map<string, string>();
  for (const [key, { follows }] of Object.entries(controls)) {
    const value = follows && model?.[follows];
    if (value !== undefined) words.set(key, String(value));
  }
  return words;
}
