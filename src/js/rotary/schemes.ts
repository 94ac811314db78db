/** Every extension: its option names, and what it makes of trained frequencies. */
import { numbers, oneOf, options } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { dynamicNtk, ntk, ntkAlpha, partNtk } from './ntk.js';
import type { RotaryScaling, Scaled, Width } from './scaling.js';
import {
  ScalingArguments,
  scaledBy,
  withoutTemperature,
  type OfType,
} from './scaling_arguments.js';
import { byPartsNames, dynamicYarn, ntkByParts, yarn, yarnNames } from './yarn.js';

function none(core: Core, { dim, base }: Width): Scaled {
  const inverseFrequencies = core.doubles(core.raw.rotaryFrequencies(dim, base));
  return {
    inverseFrequencies,
    base,
    factor: 1,
    ...withoutTemperature,
    rule: 'base^(−2i / dim)',
    steps: [],
  };
}

function linear(core: Core, width: Width, given: OfType<'linear'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const { inverseFrequencies, base } = scaledBy(core, 'linear', width, [factor]);
  const rule = 'f / factor, the same as position / factor';
  return {
    inverseFrequencies,
    base,
    factor,
    ...withoutTemperature,
    rule,
    steps: [taken.step('factor', factor)],
  };
}

/** The length that picks a list of divisors. */
function decidingLength(
  taken: ScalingArguments<OfType<'longrope'>>,
  originalLength: number,
): number {
  const current = taken.length('length', originalLength);
  if (taken.choice('decideBy', 'length', 'max-length') === 'length') return current;
  if (taken.has('maxLength')) return taken.length('maxLength');
  throw new TypeError("scaling.maxLength must be given when scaling.decideBy is 'max-length'");
}

function longrope(core: Core, width: Width, given: OfType<'longrope'>): Scaled {
  const taken = new ScalingArguments(given);
  const short = numbers('scaling.shortFactor', given.shortFactor);
  const long = numbers('scaling.longFactor', given.longFactor);
  const originalLength = taken.length('originalLength');
  const length = decidingLength(taken, originalLength);
  const factor = taken.positive(
    'factor',
    taken.length('maxLength', originalLength) / originalLength,
  );
  const computed = core.doubles(core.raw.longropeAttentionFactor(factor, originalLength))[0]!;
  const attentionFactor = taken.positive('attentionFactor', computed);
  const lists = [short.length, ...short, long.length, ...long];
  const { inverseFrequencies, base } = scaledBy(core, 'longrope', width, [
    length,
    originalLength,
    ...lists,
  ]);
  const list = length > originalLength ? 'long' : 'short';
  const decision = `picks the ${list} list; the long one is for more than L₀ = ${originalLength}`;
  const steps = [
    { name: 'length', value: length, rule: decision },
    taken.step('factor', factor, 'maxLength / originalLength'),
    taken.step(
      'attentionFactor',
      attentionFactor,
      '√(1 + ln factor / ln L₀), and 1 for a factor up to 1',
    ),
  ];
  const rule = `f / divisor of the pair, from the ${list} list`;
  return { inverseFrequencies, base, factor, attentionFactor, softmaxScale: 1, rule, steps };
}

function llama3(core: Core, width: Width, given: OfType<'llama3'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const originalLength = taken.length('originalLength');
  const low = taken.positive('lowFreqFactor', 1);
  const high = taken.positive('highFreqFactor', 4);
  const options = [factor, originalLength, low, high];
  const { inverseFrequencies, kept, base } = scaledBy(core, 'llama3', width, options);
  const rule = 'kept · f + (1 − kept) · f / factor';
  const steps = [
    taken.step('factor', factor),
    { name: 'keptBelow', value: originalLength / high, rule: 'wavelength L₀ / highFreqFactor' },
    {
      name: 'interpolatedAbove',
      value: originalLength / low,
      rule: 'wavelength L₀ / lowFreqFactor',
    },
  ];
  return { inverseFrequencies, kept, base, factor, ...withoutTemperature, rule, steps };
}

function proportional(core: Core, width: Width, given: OfType<'proportional'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor', 1);
  const { inverseFrequencies, base } = scaledBy(core, 'proportional', width, [
    width.rotaryFraction,
    factor,
  ]);
  const turning = inverseFrequencies.findLastIndex((frequency) => frequency > 0) + 1;
  const rule = 'base^(−2i / dim) / factor for the turning pairs, else 0';
  const steps = [
    taken.step('factor', factor),
    { name: 'rotatedPairs', value: turning, rule: '⌊rotaryFraction · dim / 2⌋' },
  ];
  return { inverseFrequencies, base, factor, ...withoutTemperature, rule, steps };
}

type Make<Type extends RotaryScaling['type']> = (
  core: Core,
  width: Width,
  given: OfType<Type>,
) => Scaled;

const schemes = {
  none: [[], none],
  linear: [['factor'], linear],
  ntk: [['factor', 'form', 'exponent'], ntk],
  'ntk-alpha': [['alpha'], ntkAlpha],
  'dynamic-ntk': [['factor', 'originalLength', 'length', 'form'], dynamicNtk],
  'ntk-by-parts': [['factor', ...byPartsNames], ntkByParts],
  'part-ntk': [
    [
      'factor',
      'originalLength',
      'ntkFactor',
      'extrapolationFactor',
      'beta0',
      'beta1',
      'gamma0',
      'gamma1',
    ],
    partNtk,
  ],
  yarn: [['factor', ...yarnNames], yarn],
  'dynamic-yarn': [['length', ...yarnNames], dynamicYarn],
  longrope: [
    [
      'shortFactor',
      'longFactor',
      'originalLength',
      'length',
      'maxLength',
      'decideBy',
      'factor',
      'attentionFactor',
    ],
    longrope,
  ],
  llama3: [['factor', 'originalLength', 'lowFreqFactor', 'highFreqFactor'], llama3],
  proportional: [['factor'], proportional],
} as const satisfies {
  [Type in RotaryScaling['type']]: readonly [readonly (keyof OfType<Type>)[], Make<Type>];
};

const types = Object.keys(schemes) as RotaryScaling['type'][];

export function scaledFrequencies(core: Core, width: Width, scaling: RotaryScaling): Scaled {
  const type = oneOf('scaling.type', scaling?.type, types);
  const [names, make] = schemes[type];
  const known = ['type', ...names] as (keyof RotaryScaling)[];
  const given = options(`scaling (type '${type}')`, scaling, known);
  return (make as Make<RotaryScaling['type']>)(core, width, given);
}
