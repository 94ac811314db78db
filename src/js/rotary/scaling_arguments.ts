/** What the extensions share: options checked as they are taken, answers unpacked. */
import { finiteNumber, oneOf, positiveNumber, truth, wholeNumber } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import type { DerivationStep, RotaryScaling, Scaled, Width } from './scaling.js';

type Scaling = Parameters<Core['raw']['scaledFrequencies']>[0];

export type OfType<Type extends RotaryScaling['type']> = Extract<RotaryScaling, { type: Type }>;

/** The options of one extension; `otherwise` stands in for one that is not given. */
export class ScalingArguments<Given extends object> {
  constructor(private readonly given: Given) {}

  has(name: keyof Given & string): boolean {
    return this.given[name] !== undefined;
  }

  positive(name: keyof Given & string, otherwise?: number): number {
    return positiveNumber(`scaling.${name}`, this.given[name] ?? otherwise);
  }

  finite(name: keyof Given & string, otherwise: number): number {
    return finiteNumber(`scaling.${name}`, this.given[name] ?? otherwise);
  }

  /** 0 stands for "not given", as it does in configurations. */
  weight(name: keyof Given & string): number {
    const weight = this.finite(name, 0);
    if (weight < 0) throw new RangeError(`scaling.${name} must be at least 0, got ${weight}`);
    return weight;
  }

  length(name: keyof Given & string, otherwise?: number): number {
    const least = name === 'originalLength' ? 2 : 1;
    return wholeNumber(`scaling.${name}`, this.given[name] ?? otherwise, least);
  }

  /** The first choice is the default. */
  choice<Choice extends string>(
    name: keyof Given & string,
    ...choices: [Choice, ...Choice[]]
  ): Choice {
    return oneOf(`scaling.${name}`, this.given[name] ?? choices[0], choices) as Choice;
  }

  truth(name: keyof Given & string, otherwise: boolean): boolean {
    return truth(`scaling.${name}`, this.given[name] ?? otherwise);
  }

  /** The origin of a number: the caller, or the default rule. */
  step(name: keyof Given & string, value: number, otherwise = 'default'): DerivationStep {
    return { name, value, rule: this.has(name) ? 'as given' : otherwise };
  }
}

/** What the core makes of `given`, its options in their order: lists follow their length. */
export function scaledBy(
  core: Core,
  name: Scaling,
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
