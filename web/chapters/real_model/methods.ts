/** Ways to read a text that is longer than those of the training. */
import type { Point } from '../../plots/line_chart.ts';
import type { Engine } from '../../worker/client.ts';
import type { SentChange } from '../../worker/model_requests.ts';

/** Places of a text that the model was trained for. */
export const originalLength = 512;

/** Width of a head. */
const dim = 8;

export const methodNames = [
  'direct',
  'window',
  'rerope',
  'pi',
  'ntk',
  'by-parts',
  'yarn',
  'log-n',
] as const;
export type Method = (typeof methodNames)[number];

export interface MethodSettings {
  factor: number;
  /** How many a query of the window sees, its own included. */
  keys: number;
  /** The largest distance of ReRoPE. */
  reach: number;
}

export const defaults: MethodSettings = { factor: 4, keys: 512, reach: 256 };

type Factor = Pick<MethodSettings, 'factor'>;

/** Rotations within the training length between which the ramp lies, as published. */
const turns = { betaFast: 32, betaSlow: 1, ramp: 'published' } as const;

/** Of the methods that change frequencies. */
export const scalings = {
  pi: ({ factor }: Factor) => ({ type: 'linear', factor }) as const,
  ntk: ({ factor }: Factor) => ({ type: 'ntk', factor }) as const,
  'by-parts': ({ factor }: Factor) =>
    ({ type: 'ntk-by-parts', factor, originalLength, ...turns }) as const,
  yarn: ({ factor }: Factor) => ({ type: 'yarn', factor, originalLength, ...turns }) as const,
};

type Frequencies = Pick<Engine, 'rotaryFrequencies' | 'logitFactors'>;

/** What a method replaces, for a text of `length` tokens. */
export async function changeOf(
  method: Method,
  settings: MethodSettings,
  engine: Frequencies,
  length: number,
): Promise<SentChange> {
  switch (method) {
    case 'direct':
      return {};
    case 'window':
      return { lookback: settings.keys - 1 };
    case 'rerope':
      return { map: { type: 'rerope', window: settings.reach } };
    case 'log-n': {
      const use = { type: 'log-n', form: 'clipped', originalLength } as const;
      return { rowFactors: await engine.logitFactors(length, use) };
    }
    default: {
      const scaling = scalings[method](settings);
      const { inverseFrequencies, attentionFactor } = await engine.rotaryFrequencies({
        dim,
        scaling,
      });
      return { frequencies: { inverseFrequencies, attentionFactor } };
    }
  }
}

/** Places of which a chart shows the mean: the text has 1,099 losses. */
const binSize = 64;

/** Means of the losses of a text in bins, each at its middle. */
function binned(losses: ArrayLike<number>): Point[] {
  const count = Math.floor(losses.length / binSize);
  return Array.from({ length: count }, (_, bin) => [
    (bin + 0.5) * binSize,
    meanOf(losses, bin * binSize, (bin + 1) * binSize),
  ]);
}

/** Sections of the text of 1,100 tokens, of which the last is not a whole one. */
export const sections = [
  [0, 128],
  [128, 512],
  [512, 640],
  [640, 768],
  [768, 1024],
  [1024, 1099],
] as const;

/** What a figure shows of the losses of a text. */
export interface ShownLosses {
  bins: readonly Point[];
  /** Of each section. */
  means: readonly number[];
}

export const shownLosses = (losses: ArrayLike<number>): ShownLosses => ({
  bins: binned(losses),
  means: sections.map(([start, end]) => meanOf(losses, start, end)),
});

/** The mean of some values. */
export function meanOf(values: ArrayLike<number>, start = 0, end = values.length): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += values[i]!;
  return sum / (end - start);
}
