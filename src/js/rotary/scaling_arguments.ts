/** What the extensions share: how each is described, and what the core returns, unpacked. */
import type { Core } from '../runtime/core.js';
import type { Checked, Schema } from '../runtime/schema.js';
import type { DerivationStep, RotaryScaling, Scaled, Width } from './scaling.js';

type CoreScheme = Parameters<Core['raw']['scaledFrequencies']>[0];

/** The options of one extension. */
export type OptionsOf<Type extends RotaryScaling['type']> = Omit<
  Extract<RotaryScaling, { type: Type }>,
  'type'
>;

/** A number with its source: the caller, or the rule `otherwise`. */
export type Step = (name: string, value: number, otherwise?: string) => DerivationStep;

/** One extension: its options and the function that scales trained frequencies. */
export interface Extension<
  Type extends RotaryScaling['type'],
  Description extends Schema<OptionsOf<Type>>,
> {
  schema: Description;
  scaled(
    core: Core,
    width: Width,
    options: Checked<OptionsOf<Type>, Description>,
    step: Step,
  ): Scaled;
}

/** Calls the core with `given`, the options in their order. */
export function scaledBy(
  core: Core,
  name: CoreScheme,
  { dim, base }: Width,
  given: ArrayLike<number>,
) {
  core.sendDoubles([Float64Array.from(given)]);
  const packed = core.doubles(core.raw.scaledFrequencies(name, dim, base));
  const pairs = dim / 2;
  const [from = 0, to = 0] = packed.subarray(pairs + 1, pairs + 3);
  const kept = packed.slice(pairs + 3);
  const inverseFrequencies = packed.slice(0, pairs);
  return { inverseFrequencies, base: packed[pairs]!, from, to, ...(kept.length > 0 && { kept }) };
}

export const withoutTemperature = { attentionFactor: 1, softmaxScale: 1 } satisfies Partial<Scaled>;
