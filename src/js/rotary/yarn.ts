/** NTK-by-parts and YaRN: a ramp between kept and interpolated pairs, and a temperature. */
import type { Core } from '../runtime/core.js';
import type { ByPartsOptions, DerivationStep, Scaled, Width, YarnOptions } from './scaling.js';
import {
  ScalingArguments,
  scaledBy,
  withoutTemperature,
  type OfType,
} from './scaling_arguments.js';

export const byPartsNames = [
  'originalLength',
  'betaFast',
  'betaSlow',
  'ramp',
  'truncate',
  'blend',
] as const;
export const yarnNames = [
  ...byPartsNames,
  'attentionFactor',
  'mscale',
  'mscaleAllDim',
  'temperature',
] as const;

const blendRules = {
  frequencies: 'kept · f + (1 − kept) · f / factor',
  wavelengths: 'f / (kept + (1 − kept) · factor)',
};

function rampSteps(coded: boolean, truncate: boolean, from: number, to: number): DerivationStep[] {
  if (!coded) {
    return [
      { name: 'rampFrom', value: from, rule: 'turns within L₀: kept from here on' },
      { name: 'rampTo', value: to, rule: 'turns within L₀: interpolated up to here' },
    ];
  }
  const [floored, ceiled] = truncate ? [', floored', ', ceiled'] : ['', ''];
  return [
    {
      name: 'rampFrom',
      value: from,
      rule: `the pair of betaFast turns within L₀${floored}, at least 0`,
    },
    {
      name: 'rampTo',
      value: to,
      rule: `the pair of betaSlow turns within L₀${ceiled}, at most dim − 1`,
    },
  ];
}

function byParts(core: Core, width: Width, given: ByPartsOptions, factor: number): Scaled {
  const taken = new ScalingArguments(given);
  const ramp = taken.choice('ramp', 'coded', 'published');
  const truncate = taken.truth('truncate', true);
  const blend = taken.choice('blend', 'frequencies', 'wavelengths');
  const { inverseFrequencies, kept, base, from, to } = scaledBy(core, `by-parts-${ramp}`, width, [
    factor,
    taken.length('originalLength'),
    taken.positive('betaFast', 32),
    taken.positive('betaSlow', 1),
    Number(truncate),
    Number(blend === 'wavelengths'),
  ]);
  const steps = rampSteps(ramp === 'coded', truncate, from, to);
  return {
    inverseFrequencies,
    kept,
    base,
    factor,
    ...withoutTemperature,
    rule: blendRules[blend],
    steps,
  };
}

export function ntkByParts(core: Core, width: Width, given: OfType<'ntk-by-parts'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const made = byParts(core, width, given, factor);
  return { ...made, steps: [taken.step('factor', factor), ...made.steps] };
}

const mscaleRule = '0.1 · ln factor + 1, and 1 for a factor up to 1';
const quotientRule = '(0.1 · mscale · ln factor + 1) / (0.1 · mscaleAllDim · ln factor + 1)';
const deepseekRule = "(0.1 · mscaleAllDim · ln factor + 1)², in DeepSeek's models only";

/** Which rule gives the temperature, and where it acts. */
function temperatureOf(core: Core, given: YarnOptions, factor: number) {
  const taken = new ScalingArguments(given);
  const where = taken.choice('temperature', 'cos-sin', 'logits', 'none');
  const explicit = taken.has('attentionFactor') ? taken.positive('attentionFactor') : 0;
  const mscale = taken.weight('mscale'),
    allDim = taken.weight('mscaleAllDim');
  if (where === 'none') {
    const steps = [{ name: 'attentionFactor', value: 1, rule: 'no temperature' }];
    return { ...withoutTemperature, steps };
  }
  const packed = core.doubles(core.raw.yarnTemperature(factor, explicit, mscale, allDim));
  const [cosSin = 1, softmaxScale = 1] = packed;
  const computed = mscale > 0 && allDim > 0 ? quotientRule : mscaleRule;
  const rule = explicit > 0 ? 'as given: it wins over every rule' : computed;
  const steps = [{ name: 'attentionFactor', value: cosSin, rule }];
  if (allDim > 0) steps.push({ name: 'softmaxScale', value: softmaxScale, rule: deepseekRule });
  return where === 'cos-sin'
    ? { attentionFactor: cosSin, softmaxScale, steps }
    : { attentionFactor: 1, softmaxScale: softmaxScale * cosSin ** 2, steps };
}

function yarnOf(core: Core, width: Width, given: YarnOptions, factor: number): Scaled {
  const parts = byParts(core, width, given, factor);
  const temperature = temperatureOf(core, given, factor);
  return { ...parts, ...temperature, steps: [...parts.steps, ...temperature.steps] };
}

export function yarn(core: Core, width: Width, given: OfType<'yarn'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const made = yarnOf(core, width, given, factor);
  return { ...made, steps: [taken.step('factor', factor), ...made.steps] };
}

export function dynamicYarn(core: Core, width: Width, given: OfType<'dynamic-yarn'>): Scaled {
  const taken = new ScalingArguments(given);
  const length = taken.length('length'),
    originalLength = taken.length('originalLength');
  const factor = core.doubles(core.raw.dynamicYarnFactor(length, originalLength))[0]!;
  const made = yarnOf(core, width, given, factor);
  const steps = [
    taken.step('length', length),
    { name: 'factor', value: factor, rule: 'max(1, L / L₀)' },
  ];
  return { ...made, steps: [...steps, ...made.steps] };
}
