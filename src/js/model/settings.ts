/** Settings of a config.json that say how a model computes, with the value where one is absent. */
import { missing, type ConfigSection } from '../config/reader.js';
import { wrongKind, wrongValue } from '../runtime/errors.js';
import type { Activation } from './description.js';

/** Names of activations as config.json has them. */
export const activations: Readonly<Record<string, Activation>> = {
  silu: 'silu',
  swish: 'silu',
  relu: 'relu',
  gelu: 'gelu',
  gelu_python: 'gelu',
  gelu_new: 'gelu-tanh',
  gelu_pytorch_tanh: 'gelu-tanh',
  gelu_python_tanh: 'gelu-tanh',
  gelu_fast: 'gelu-tanh',
  gelu_accurate: 'gelu-tanh',
};

/** The settings of a model of text. */
export class Settings {
  constructor(readonly section: ConfigSection) {}

  /** The value of the first key that the file has, else of the first with a default. */
  #value(keys: readonly string[]): { key: string; value: unknown } {
    const { section } = this;
    const own = keys.find((key) => section.owns(key) && !section.isNull(key));
    const key = own ?? keys.find((name) => section.value(name) !== undefined) ?? keys[0]!;
    return { key: section.key(key), value: section.value(key) ?? undefined };
  }

  /** The settings of a section. Absent: there is none. */
  inner(key: string): Settings | undefined {
    const inner = this.section.section(key);
    return inner && new Settings(inner);
  }

  has(key: string): boolean {
    return this.#value([key]).value !== undefined;
  }

  /** Whether the file has the key with the value null. */
  isNull(key: string): boolean {
    return this.section.isNull(key);
  }

  /** @param fallback value where the keys are absent or null; without one they must be there */
  number(keys: string | readonly string[], fallback?: number): number {
    const { key, value = fallback } = this.#value([keys].flat());
    if (value === undefined) throw missing(key, 'must be a number');
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw wrongKind(key, 'must be a finite number', value);
    return value;
  }

  /** A size: a whole number from 1 to 2^24. */
  size(keys: string | readonly string[], fallback?: number): number {
    const value = this.number(keys, fallback);
    if (Number.isInteger(value) && value >= 1 && value <= 2 ** 24) return value;
    const { key } = this.#value([keys].flat());
    throw wrongValue(key, 'must be a whole number from 1 to 16777216', value);
  }

  truth(key: string, fallback: boolean): boolean {
    const { key: name, value = fallback } = this.#value([key]);
    if (typeof value !== 'boolean') throw wrongKind(name, 'must be true or false', value);
    return value;
  }

  activation(keys: string | readonly string[], fallback: string): Activation {
    const { key, value = fallback } = this.#value([keys].flat());
    if (typeof value === 'string' && Object.hasOwn(activations, value)) return activations[value]!;
    throw wrongValue(key, `must be one of ${Object.keys(activations).join(', ')}`, value);
  }

  /** @throws RangeError where a setting has another value than the one that is computed */
  expect(key: string, wanted: unknown, fallback: unknown = wanted): void {
    const { key: name, value = fallback } = this.#value([key]);
    if (value === wanted) return;
    const rule = wanted === undefined ? 'absent' : wanted;
    throw wrongValue(name, `must be ${rule}: the decoder has no other form of it`, value);
  }

  /** @throws RangeError where a setting has none of these values; one that is absent passes */
  expectOneOf(key: string, wanted: readonly unknown[]): void {
    const { key: name, value } = this.#value([key]);
    if (value !== undefined && !wanted.includes(value))
      throw wrongValue(name, `must be one of ${wanted.join(', ')}`, value);
  }
}
