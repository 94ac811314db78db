/** All extensions by type, and those that have no file of their own. */
import { oneOf } from '../runtime/checks.js';
import type { Core } from '../runtime/core.js';
import { wrongKind } from '../runtime/errors.js';
import * as option from '../runtime/option.js';
import { read, type Schema } from '../runtime/schema.js';
import { dynamicNtk, ntk, ntkAlpha, partNtk } from './ntk.js';
import type { RotaryScaling, Scaled, Width } from './scaling.js';
import {
  scaledBy,
  withoutTemperature,
  type Extension,
  type OptionsOf,
  type Step,
} from './scaling_arguments.js';
import { dynamicYarn, ntkByParts, yarn } from './yarn.js';

const none: Extension<'none', object> = {
  schema: {},
  scaled(core, { dim, base }) {
    const inverseFrequencies = core.doubles(core.raw.rotaryFrequencies(dim, base));
    return {
      inverseFrequencies,
      base,
      factor: 1,
      ...withoutTemperature,
      rule: 'base^(−2i / dim)',
      steps: [],
    };
  },
};

const linearSchema = { factor: option.positive } satisfies Schema<OptionsOf<'linear'>>;

const linear: Extension<'linear', typeof linearSchema> = {
  schema: linearSchema,
  scaled(core, width, { factor }, step) {
    const { inverseFrequencies, base } = scaledBy(core, 'linear', width, [factor]);
    return {
      inverseFrequencies,
      base,
      factor,
      ...withoutTemperature,
      rule: 'f / factor, the same as position / factor',
      steps: [step('factor', factor)],
    };
  },
};

const longropeSchema = {
  shortFactor: option.numbers.shaped('pairs'),
  longFactor: option.numbers.shaped('pairs'),
  originalLength: option.wholeFrom(2),
  length: option.whole.optional(),
  maxLength: option.whole.optional(),
  decideBy: option.oneOf('length', 'max-length').default('length'),
  factor: option.positive.optional(),
  attentionFactor: option.positive.optional(),
} satisfies Schema<OptionsOf<'longrope'>>;

/** The length that selects a list of divisors. */
function decidingLength({
  decideBy,
  originalLength,
  length = originalLength,
  maxLength,
}: OptionsOf<'longrope'>): number {
  if (decideBy === 'length') return length;
  if (maxLength !== undefined) return maxLength;
  throw wrongKind(
    'scaling.maxLength',
    "must be given when scaling.decideBy is 'max-length'",
    maxLength,
    '',
  );
}

const longrope: Extension<'longrope', typeof longropeSchema> = {
  schema: longropeSchema,
  scaled(core, width, options, step) {
    const { shortFactor: short, longFactor: long, originalLength } = options;
    const length = decidingLength(options);
    const { maxLength = originalLength, factor = maxLength / originalLength } = options;
    const computed = core.doubles(core.raw.longropeAttentionFactor(factor, originalLength))[0]!;
    const { attentionFactor = computed } = options;
    const lists = [short.length, ...short, ...long];
    const { inverseFrequencies, base } = scaledBy(core, 'longrope', width, [
      length,
      originalLength,
      ...lists,
    ]);
    const list = length > originalLength ? 'long' : 'short';
    const decision = `picks the ${list} list; the long one is for more than L₀ = ${originalLength}`;
    const steps = [
      { name: 'length', value: length, rule: decision },
      step('factor', factor, 'maxLength / originalLength'),
      step(
        'attentionFactor',
        attentionFactor,
        '√(1 + ln factor / ln L₀), and 1 for a factor up to 1',
      ),
    ];
    const rule = `f / divisor of the pair, from the ${list} list`;
    return { inverseFrequencies, base, factor, attentionFactor, softmaxScale: 1, rule, steps };
  },
};

const llama3Schema = {
  factor: option.positive,
  originalLength: option.wholeFrom(2),
  lowFreqFactor: option.positive.default(1),
  highFreqFactor: option.positive.default(4),
} satisfies Schema<OptionsOf<'llama3'>>;

const llama3: Extension<'llama3', typeof llama3Schema> = {
  schema: llama3Schema,
  scaled(core, width, { factor, originalLength, lowFreqFactor, highFreqFactor }, step) {
    const { inverseFrequencies, kept, base } = scaledBy(core, 'llama3', width, [
      factor,
      originalLength,
      lowFreqFactor,
      highFreqFactor,
    ]);
    const steps = [
      step('factor', factor),
      {
        name: 'keptBelow',
        value: originalLength / highFreqFactor,
        rule: 'wavelength L₀ / highFreqFactor',
      },
      {
        name: 'interpolatedAbove',
        value: originalLength / lowFreqFactor,
        rule: 'wavelength L₀ / lowFreqFactor',
      },
    ];
    const rule = 'kept · f + (1 − kept) · f / factor';
    return { inverseFrequencies, kept, base, factor, ...withoutTemperature, rule, steps };
  },
};

const proportionalSchema = {
  factor: option.positive.default(1),
} satisfies Schema<OptionsOf<'proportional'>>;

const proportional: Extension<'proportional', typeof proportionalSchema> = {
  schema: proportionalSchema,
  scaled(core, width, { factor }, step) {
    const { inverseFrequencies, base } = scaledBy(core, 'proportional', width, [
      width.rotaryFraction,
      factor,
    ]);
    const rotated = inverseFrequencies.findLastIndex((frequency) => frequency > 0) + 1;
    const rule = 'base^(−2i / dim) / factor for the turning pairs, else 0';
    const steps = [
      step('factor', factor),
      { name: 'rotatedPairs', value: rotated, rule: '⌊rotaryFraction · dim / 2⌋' },
    ];
    return { inverseFrequencies, base, factor, ...withoutTemperature, rule, steps };
  },
};

const extensions = {
  none,
  linear,
  ntk,
  'ntk-alpha': ntkAlpha,
  'dynamic-ntk': dynamicNtk,
  'ntk-by-parts': ntkByParts,
  'part-ntk': partNtk,
  yarn,
  'dynamic-yarn': dynamicYarn,
  longrope,
  llama3,
  proportional,
} satisfies { [Type in RotaryScaling['type']]: Extension<Type, any> };

type AnyExtension = Extension<RotaryScaling['type'], object>;

const types = Object.keys(extensions) as RotaryScaling['type'][];
/** The options of every extension. @internal */
export const scalingSchemas = Object.fromEntries(
  types.map((type) => [type, { type: option.type, ...extensions[type].schema }]),
) as Record<RotaryScaling['type'], Schema<object>>;

export function scaledFrequencies(core: Core, width: Width, scaling: RotaryScaling): Scaled {
  const type = oneOf('scaling.type', scaling?.type, types);
  const { scaled } = extensions[type] as AnyExtension;
  const options = read<object, object>(
    `scaling (type '${type}')`,
    scaling,
    scalingSchemas[type],
    'scaling.',
  );
  const step: Step = (name, value, otherwise = 'default') => ({
    name,
    value,
    rule: Object.hasOwn(options, name) ? 'as given' : otherwise,
  });
  return scaled(core, width, options, step);
}
