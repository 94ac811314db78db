/** The rotation of one kind of layers: how it is stated, and the numbers that follow from it. */
import type { Functions } from '../ropewalk.js';
import type { RotaryScaling } from '../rotary/scaling.js';

/** The two lists of LongRoPE: up to the original length, and beyond it. */
export const lengths = ['short', 'long'] as const;
export type LengthOfText = (typeof lengths)[number];

/** What frequencies are computed from. */
export interface Recipe {
  /** How many channels of a head rotate, and over how many the exponents count. */
  width: number;
  base: number;
  scaling: RotaryScaling;
  /** Of LongRoPE: the scaling of texts beyond the original length. */
  longScaling?: RotaryScaling;
  /** By each of which the frequency of its pair is divided, as a tensor has them. */
  divisors?: Partial<Record<LengthOfText, Float64Array>>;
  /** The factor of each pair by the scaling is raised to this power. Default: 1. */
  power?: number;
  /** Frequencies are divided by this as well. Default: 1. */
  linear?: number;
  /** Factors on cos and sin and on the softmax scale. Default: those of the scaling. */
  attention?: number;
  softmax?: number;
}

export interface Rotation {
  width: number;
  /** For short and long texts; both are one array where they do not differ. */
  frequencies: Record<LengthOfText, Float64Array>;
  attention: number;
  softmax: number;
}

function derived(rw: Functions, { width, base }: Recipe, scaling: RotaryScaling) {
  return rw.rotaryFrequencies({ dim: width, base, scaling });
}

/** The rotation that a recipe gives. */
export function rotationOf(rw: Functions, recipe: Recipe): Rotation {
  const { width, scaling, longScaling, divisors = {}, power = 1, linear = 1 } = recipe;
  const plain = derived(rw, recipe, { type: 'none' }).inverseFrequencies;
  const made = derived(rw, recipe, scaling);
  const scaled = (by: RotaryScaling, list: Float64Array | undefined) => {
    const { inverseFrequencies } = by === scaling ? made : derived(rw, recipe, by);
    return inverseFrequencies.map((frequency, pair) => {
      const trained = plain[pair]!;
      return (trained * (frequency / trained) ** power) / ((list?.[pair] ?? 1) * linear);
    });
  };
  const short = scaled(scaling, divisors.short);
  const isOne = longScaling === undefined && divisors.long === undefined;
  const long = isOne ? short : scaled(longScaling ?? scaling, divisors.long);
  return {
    width,
    frequencies: { short, long },
    attention: recipe.attention ?? made.attentionFactor,
    softmax: recipe.softmax ?? made.softmaxScale,
  };
}

/** Below this a pair does not move within any text: a converter writes a divisor of 1e30 for it. */
const unrotated = 1e-18;

const apart = (a: number, b: number) => {
  const most = Math.max(Math.abs(a), Math.abs(b));
  return most < unrotated ? 0 : Math.abs(a - b) / most;
};

/** The largest relative difference of two rotations; infinite where their widths differ. */
export function distance(a: Rotation, b: Rotation): number {
  if (a.width !== b.width) return Infinity;
  const factors = [apart(a.attention, b.attention), apart(a.softmax, b.softmax)];
  const pairs = lengths.flatMap((length) =>
    Array.from(a.frequencies[length], (frequency, pair) =>
      apart(frequency, b.frequencies[length][pair]!),
    ),
  );
  return Math.max(...factors, ...pairs);
}

/** Whether both rotate alike; each number may differ by this share. */
export const areAlike = (a: Rotation, b: Rotation, tolerance: number) =>
  distance(a, b) <= tolerance;
