/** NTK-by-parts and YaRN: a ramp between kept and interpolated pairs, and a temperature. */
import type { Core } from '../runtime/core.js';
import * as option from '../runtime/option.js';
import type { Checked, Schema } from '../runtime/schema.js';
import {
  scaledBy,
  withoutTemperature,
  type ByPartsOptions,
  type DerivationStep,
  type Extension,
  type OptionsOf,
  type Scaled,
  type Width,
  type YarnOptions,
} from './scaling.js';

const byPartsSchema = {
  originalLength: option.wholeFrom(2),
  betaFast: option.positive.default(32),
  betaSlow: option.positive.default(1),
  ramp: option.oneOf('coded', 'published').default('coded'),
  truncate: option.truth.default(true),
  blend: option.oneOf('frequencies', 'wavelengths').default('frequencies'),
} satisfies Schema<ByPartsOptions>;

// As in configurations, a weight of 0 means "not given".
const yarnOptionSchema = {
  ...byPartsSchema,
  attentionFactor: option.positive.optional(),
  mscale: option.nonNegative.default(0),
  mscaleAllDim: option.nonNegative.default(0),
  scalesSoftmax: option.truth.default(true),
  temperature: option.oneOf('cos-sin', 'logits', 'none').default('cos-sin'),
} satisfies Schema<YarnOptions>;

type ByParts = Checked<ByPartsOptions, typeof byPartsSchema>;
type Yarn = Checked<YarnOptions, typeof yarnOptionSchema>;

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

function byParts(core: Core, width: Width, options: ByParts, factor: number): Scaled {
  const { originalLength, betaFast, betaSlow, ramp, truncate, blend } = options;
  const made = scaledBy(core, `by-parts-${ramp}`, width, [
    factor,
    originalLength,
    betaFast,
    betaSlow,
    Number(truncate),
    Number(blend === 'wavelengths'),
  ]);
  const steps = rampSteps(ramp === 'coded', truncate, made.from, made.to);
  return { ...made, factor, rule: blendRules[blend], steps };
}

const ntkByPartsSchema = {
  factor: option.positive,
  ...byPartsSchema,
} satisfies Schema<OptionsOf<'ntk-by-parts'>>;

export const ntkByParts: Extension<'ntk-by-parts', typeof ntkByPartsSchema> = {
  schema: ntkByPartsSchema,
  scaled(core, width, options, step) {
    const { factor } = options;
    const made = byParts(core, width, options, factor);
    return { ...made, steps: [step('factor', factor), ...made.steps] };
  },
};

const mscaleRule = '0.1 · ln factor + 1, and 1 for a factor up to 1';
const quotientRule = '(0.1 · mscale · ln factor + 1) / (0.1 · mscaleAllDim · ln factor + 1)';
const softmaxRule = "(0.1 · mscaleAllDim · ln factor + 1)², in DeepSeek's attention";

/** The rule that gives the temperature, and where the temperature acts. */
function temperatureOf(core: Core, options: Yarn, factor: number) {
  const { temperature: where, attentionFactor: explicit = 0, mscale } = options;
  const { mscaleAllDim: allDim, scalesSoftmax } = options;
  if (where === 'none') {
    const steps = [{ name: 'attentionFactor', value: 1, rule: 'no temperature' }];
    return { ...withoutTemperature, steps };
  }
  const packed = core.doubles(core.raw.yarnTemperature(factor, explicit, mscale, allDim));
  const [cosSin = 1, ofSoftmax = 1] = packed;
  const softmaxScale = scalesSoftmax ? ofSoftmax : 1;
  const computed = mscale > 0 && allDim > 0 ? quotientRule : mscaleRule;
  const rule = explicit > 0 ? 'as given: it wins over every rule' : computed;
  const steps = [{ name: 'attentionFactor', value: cosSin, rule }];
  if (allDim > 0 && scalesSoftmax)
    steps.push({ name: 'softmaxScale', value: softmaxScale, rule: softmaxRule });
  return where === 'cos-sin'
    ? { attentionFactor: cosSin, softmaxScale, steps }
    : { attentionFactor: 1, softmaxScale: softmaxScale * cosSin ** 2, steps };
}

function yarnOf(core: Core, width: Width, options: Yarn, factor: number): Scaled {
  const parts = byParts(core, width, options, factor);
  const temperature = temperatureOf(core, options, factor);
  return { ...parts, ...temperature, steps: [...parts.steps, ...temperature.steps] };
}

const yarnSchema = {
  factor: option.positive,
  ...yarnOptionSchema,
} satisfies Schema<OptionsOf<'yarn'>>;

export const yarn: Extension<'yarn', typeof yarnSchema> = {
  schema: yarnSchema,
  scaled(core, width, options, step) {
    const { factor } = options;
    const made = yarnOf(core, width, options, factor);
    return { ...made, steps: [step('factor', factor), ...made.steps] };
  },
};

const dynamicYarnSchema = {
  length: option.whole,
  ...yarnOptionSchema,
} satisfies Schema<OptionsOf<'dynamic-yarn'>>;

export const dynamicYarn: Extension<'dynamic-yarn', typeof dynamicYarnSchema> = {
  schema: dynamicYarnSchema,
  scaled(core, width, options, step) {
    const { length, originalLength } = options;
    const factor = core.doubles(core.raw.dynamicYarnFactor(length, originalLength))[0]!;
    const made = yarnOf(core, width, options, factor);
    const steps = [
      step('length', length),
      { name: 'factor', value: factor, rule: 'max(1, L / L₀)' },
    ];
    return { ...made, steps: [...steps, ...made.steps] };
  },
};
