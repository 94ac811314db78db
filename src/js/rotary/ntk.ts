/** NTK-aware extensions, which change the base. */
import type { Core } from '../runtime/core.js';
import { wrongKind } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import type { Schema } from '../runtime/schema.js';
import { scaledBy, type Extension, type NtkForm, type OptionsOf, type Width } from './scaling.js';

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
  return { ...made, factor, rule, steps };
}

const ntkSchema = {
  factor: option.positive,
  form: option.oneOf('bloc97', 'su-old', 'su-fixed', 'su-mixed').default('bloc97'),
  exponent: option.finite.optional(),
} satisfies Schema<OptionsOf<'ntk'>>;

export const ntk: Extension<'ntk', typeof ntkSchema> = {
  schema: ntkSchema,
  scaled(core, width, { factor, form, exponent }, step) {
    const isMixed = form === 'su-mixed';
    if (exponent !== undefined && !isMixed) {
      const rule = `belongs to the form 'su-mixed', got form '${form}'`;
      throw wrongKind('scaling.exponent', rule, exponent, '');
    }
    const power = exponent ?? 0.625;
    const made = scaledBase(core, width, factor, form, power);
    const chosen = isMixed ? [step('exponent', power, "Su's value")] : [];
    return { ...made, steps: [step('factor', factor), ...chosen, ...made.steps] };
  },
};

const ntkAlphaSchema = { alpha: option.positive } satisfies Schema<OptionsOf<'ntk-alpha'>>;

export const ntkAlpha: Extension<'ntk-alpha', typeof ntkAlphaSchema> = {
  schema: ntkAlphaSchema,
  scaled(core, width, { alpha }, step) {
    const made = scaledBase(core, width, alpha);
    return { ...made, steps: [step('alpha', alpha), ...made.steps] };
  },
};

const dynamicRules = {
  current: 'factor · L / L₀ − (factor − 1), with L at least L₀',
  'vllm-constant': 'factor² − (factor − 1), whatever the length',
  rounded: 'max(2^⌈log₂(L / L₀) + 1⌉ − 1, 1)',
};

const dynamicNtkSchema = {
  factor: option.positive,
  originalLength: option.wholeFrom(2),
  length: option.whole.optional(),
  form: option.oneOf('current', 'vllm-constant', 'rounded').default('current'),
} satisfies Schema<OptionsOf<'dynamic-ntk'>>;

export const dynamicNtk: Extension<'dynamic-ntk', typeof dynamicNtkSchema> = {
  schema: dynamicNtkSchema,
  scaled(core, width, { factor, originalLength, length = originalLength, form }, step) {
    const grown = core.doubles(core.raw.dynamicNtkFactor(form, factor, length, originalLength))[0]!;
    const made = scaledBase(core, width, grown);
    const steps = [
      step('length', length, 'L₀, since no length is given'),
      { name: 'factor', value: grown, rule: dynamicRules[form] },
      ...made.steps,
    ];
    return { ...made, rule: `${made.rule}, factor = ${dynamicRules[form]}`, steps };
  },
};

const partNtkSchema = {
  factor: option.positive,
  originalLength: option.wholeFrom(2),
  ntkFactor: option.finite.default(1),
  extrapolationFactor: option.finite.default(1),
  beta0: option.positive.default(1.25),
  beta1: option.positive.default(0.75),
  gamma0: option.positive.default(16),
  gamma1: option.positive.default(2),
} satisfies Schema<OptionsOf<'part-ntk'>>;

export const partNtk: Extension<'part-ntk', typeof partNtkSchema> = {
  schema: partNtkSchema,
  scaled(core, width, options, step) {
    const { factor } = options;
    const made = scaledBy(core, 'part-ntk', width, [
      factor,
      options.originalLength,
      options.ntkFactor,
      options.extrapolationFactor,
      options.beta0,
      options.beta1,
      options.gamma0,
      options.gamma1,
    ]);
    const rule = "a ramp from f / factor to bloc97's NTK, then one from that to f";
    const steps = [
      step('factor', factor),
      { name: 'rampFrom', value: made.from, rule: 'second ramp: the pair of gamma0 turns' },
      { name: 'rampTo', value: made.to, rule: 'second ramp: the pair of gamma1 turns' },
    ];
    return { ...made, factor, rule, steps };
  },
};
