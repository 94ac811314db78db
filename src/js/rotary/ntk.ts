/** NTK-aware extensions, which change the base. */
import type { Core } from '../runtime/core.js';
import type { NtkForm, Scaled, Width } from './scaling.js';
import {
  ScalingArguments,
  scaledBy,
  withoutTemperature,
  type OfType,
} from './scaling_arguments.js';

const ntkRules: Record<NtkForm, string> = {
  bloc97: 'base · factor^(dim / (dim − 2))',
  'su-old': 'base · factor',
  'su-fixed': 'f · factor^(−2(i + 1) / dim)',
  'su-mixed': 'f · exp(−ln factor · ((i + 1) / (dim / 2))^exponent)',
};

function scaledBase(
  core: Core,
  width: Width,
  factor: number,
  form: NtkForm = 'bloc97',
  exponent = 1,
) {
  const given = form === 'su-mixed' ? [factor, exponent] : [factor];
  const made = scaledBy(core, form, width, given);
  const rule = ntkRules[form];
  const steps = made.base === width.base ? [] : [{ name: 'base', value: made.base, rule }];
  return {
    inverseFrequencies: made.inverseFrequencies,
    base: made.base,
    factor,
    ...withoutTemperature,
    rule,
    steps,
  };
}

export function ntk(core: Core, width: Width, given: OfType<'ntk'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const form = taken.choice('form', 'bloc97', 'su-old', 'su-fixed', 'su-mixed');
  const mixed = form === 'su-mixed';
  if (taken.has('exponent') && !mixed) {
    throw new TypeError(`scaling.exponent belongs to the form 'su-mixed', got form '${form}'`);
  }
  const exponent = taken.finite('exponent', 0.625);
  const made = scaledBase(core, width, factor, form, exponent);
  const chosen = mixed ? [taken.step('exponent', exponent, "Su's value")] : [];
  return { ...made, steps: [taken.step('factor', factor), ...chosen, ...made.steps] };
}

export function ntkAlpha(core: Core, width: Width, given: OfType<'ntk-alpha'>): Scaled {
  const taken = new ScalingArguments(given);
  const alpha = taken.positive('alpha');
  const made = scaledBase(core, width, alpha);
  return { ...made, steps: [taken.step('alpha', alpha), ...made.steps] };
}

const dynamicRules = {
  current: 'factor · L / L₀ − (factor − 1), with L at least L₀',
  'vllm-constant': 'factor² − (factor − 1), whatever the length',
  rounded: 'max(2^⌈log₂(L / L₀) + 1⌉ − 1, 1)',
};

export function dynamicNtk(core: Core, width: Width, given: OfType<'dynamic-ntk'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const originalLength = taken.length('originalLength');
  const length = taken.length('length', originalLength);
  const form = taken.choice('form', 'current', 'vllm-constant', 'rounded');
  const grown = core.doubles(core.raw.dynamicNtkFactor(form, factor, length, originalLength))[0]!;
  const made = scaledBase(core, width, grown);
  const steps = [
    taken.step('length', length, 'L₀, since no length is given'),
    { name: 'factor', value: grown, rule: dynamicRules[form] },
    ...made.steps,
  ];
  return { ...made, rule: `${made.rule}, factor = ${dynamicRules[form]}`, steps };
}

export function partNtk(core: Core, width: Width, given: OfType<'part-ntk'>): Scaled {
  const taken = new ScalingArguments(given);
  const factor = taken.positive('factor');
  const { inverseFrequencies, kept, base, from, to } = scaledBy(core, 'part-ntk', width, [
    factor,
    taken.length('originalLength'),
    taken.finite('ntkFactor', 1),
    taken.finite('extrapolationFactor', 1),
    taken.positive('beta0', 1.25),
    taken.positive('beta1', 0.75),
    taken.positive('gamma0', 16),
    taken.positive('gamma1', 2),
  ]);
  const rule = "a ramp from f / factor to bloc97's NTK, then one from that to f";
  const steps = [
    taken.step('factor', factor),
    { name: 'rampFrom', value: from, rule: 'second ramp: the pair of gamma0 turns' },
    { name: 'rampTo', value: to, rule: 'second ramp: the pair of gamma1 turns' },
  ];
  return { inverseFrequencies, kept, base, factor, ...withoutTemperature, rule, steps };
}
