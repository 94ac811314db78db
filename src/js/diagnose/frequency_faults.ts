/** Faults of frequencies: base, width, scaling. */
import type { RotaryScaling } from '../rotary/scaling.js';
import {
  fault,
  ofRecipe,
  ofRotary,
  rotaryOf,
  type Fault,
  type Variant,
  type World,
} from './fault.js';
import { anglesOf, fitted, measuredFrequencies, rounded } from './measure.js';
import type { Model, Recipe, RotaryModel } from './model.js';
import { frequenciesOf } from './tables.js';

type Change = (model: Model) => Model | undefined;

/** Bases of published models. */
const knownBases = [
  10000, 500000, 1000000, 5000000, 10000000, 8000000, 4000000, 2000000, 150000, 160000, 250000,
  100000, 50000, 75000, 25000, 40000, 20000, 1000, 11158840, 25000000, 50000000, 100000000, 3500000,
];

interface Observed {
  model: Model;
  values: ArrayLike<number>;
}

/** The frequencies in the data of a world, under a change of the model. */
function observed(world: World, change: Change): Observed[] {
  return world.rotary.flatMap((evidence): Observed[] => {
    const model = change(evidence.nominal);
    if (!model?.rotary) return [];
    if (evidence.frequencies) return [{ model, values: evidence.frequencies }];
    const { sequence } = evidence;
    const data = evidence.measured(model);
    if (!data || !sequence || sequence.axes > 1) return [];
    const { positions, rows } = sequence;
    const first = positions.subarray(0, rows);
    const angles = anglesOf(data, model.rotary).subarray(0, rows * data.pairs);
    return [{ model, values: measuredFrequencies(angles, first, data.pairs) }];
  });
}

/** Values of one parameter of the recipe with which single frequencies are as observed. */
function fittedRecipes(
  world: World,
  change: Change,
  recipeOf: (recipe: Recipe, value: number) => Recipe | undefined,
  [low, high]: [number, number],
): number[] {
  const values = new Set<number>();
  for (const { model, values: frequencies } of observed(world, change)) {
    const count = frequencies.length;
    const { recipe } = model.rotary!;
    if (frequenciesOf(world.rw, recipe).inverseFrequencies.length !== count) continue;
    for (const share of [1, 0.75, 0.5, 0.25, 0.1]) {
      const pair = Math.min(count - 1, Math.max(1, Math.round(share * count) - 1));
      const at = (value: number) => {
        const made = recipeOf(recipe, value);
        return made ? frequenciesOf(world.rw, made).inverseFrequencies[pair]! : NaN;
      };
      const value = fitted(at, frequencies[pair]!, low, high);
      if (value === undefined) continue;
      values.add(rounded(value, 3e-5));
      values.add(rounded(value, 2e-3));
    }
  }
  return [...values];
}

/** A parameter that people write: few digits. */
const isRound = (value: number, digits = 2) => Number(value.toPrecision(digits)) === value;

function withFactor(scaling: RotaryScaling, factor: number): RotaryScaling | undefined {
  return 'factor' in scaling && scaling.type !== 'proportional'
    ? ({ ...scaling, factor } as RotaryScaling)
    : undefined;
}

const factorOf = (scaling: RotaryScaling) =>
  'factor' in scaling && scaling.type !== 'proportional' ? scaling.factor : undefined;

/** The attention factor follows from the factor where the config states one; else undefined. */
function withComputedTemperature(recipe: Recipe | undefined): Recipe | undefined {
  if (recipe?.scaling.type !== 'yarn' || recipe.scaling.attentionFactor === undefined)
    return undefined;
  const { attentionFactor: _, ...scaling } = recipe.scaling;
  return { ...recipe, scaling };
}

const originalOf = (scaling: RotaryScaling) =>
  'originalLength' in scaling ? scaling.originalLength : undefined;

const hasScaling = ({ recipe: { scaling } }: RotaryModel) =>
  scaling.type !== 'none' && scaling.type !== 'proportional';

const configNumber = (world: World, name: string) =>
  typeof world.config[name] === 'number' ? (world.config[name] as number) : undefined;

/** The same factor under other types, with the lengths that a config gives them. */
function otherTypes(world: World, { scaling }: Recipe): [string, RotaryScaling][] {
  const longest = configNumber(world, 'max_position_embeddings') ?? 4096;
  const originalLength = originalOf(scaling) ?? longest;
  const factor = factorOf(scaling) ?? longest / originalLength;
  if (!(factor > 0)) return [];
  const length = { ...(world.length !== undefined && { length: world.length }) };
  const lengths = [...new Set([originalLength, longest, Math.round(longest / factor)])].filter(
    (each) => each >= 2,
  );
  const types: [string, RotaryScaling][] = [
    ['linear', { type: 'linear', factor }],
    ['ntk', { type: 'ntk', factor }],
    ...lengths.flatMap((each): [string, RotaryScaling][] => [
      ['yarn', { type: 'yarn', factor, originalLength: each }],
      ['llama3', { type: 'llama3', factor, originalLength: each }],
      ['dynamic', { type: 'dynamic-ntk', factor, originalLength: each, ...length }],
    ]),
  ];
  const own = scaling.type === 'dynamic-ntk' ? 'dynamic' : scaling.type;
  return types.filter(([name]) => name !== own);
}

const knownFactors = [
  1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 25, 30, 32, 40, 48, 50, 64, 80, 100, 128,
];

const tableLengths = Array.from({ length: 12 }, (_, i) => 2 ** (9 + i));

/** Lengths that a configuration names, and what its factor makes of them. */
function lengthsNear(world: World): number[] {
  const scaling = rotaryOf(world)?.recipe.scaling;
  const factor = (scaling && factorOf(scaling)) ?? 1;
  const longest = configNumber(world, 'max_position_embeddings');
  const own = scaling && originalOf(scaling);
  const near = [longest, own].flatMap((each) =>
    each === undefined ? [] : [each, each * factor, each / factor],
  );
  return [...new Set(near.map(Math.round))].filter((each) => each >= 2);
}

const baseFault = fault({
  id: 'wrong_base',
  part: 'base',
  variants(world, change) {
    const rotary = rotaryOf(world);
    if (!rotary) return [];
    const own = rotary.recipe.base;
    const recipeOf = (recipe: Recipe, base: number) => ({ ...recipe, base });
    const found = fittedRecipes(world, change, recipeOf, [1.5, 1e12]);
    const bases = [...new Set([...knownBases, ...found])].filter(
      (base) => Math.abs(base - own) > 1e-4 * own,
    );
    return bases.map((base): Variant => ({
      parameters: { base },
      cost: knownBases.includes(base) ? 1.1 : isRound(base) && base >= 1000 ? 1.2 : 2.5,
      apply: ofRecipe((recipe) => recipeOf(recipe, base)),
    }));
  },
  says: ({ base }) => `The frequencies have base ${base}.`,
  fix: 'Pass the base of the config: rope_theta (Hugging Face, vLLM; rope_parameters.rope_theta in transformers 5), --rope-freq-base (llama.cpp), base of nn.RoPE (MLX), the cos_cache and sin_cache inputs (ONNX).',
});

const unscaled = { type: 'none' } as const;

const scalingFaults: Fault[] = [
  fault({
    id: 'scaling_missing',
    part: 'scaling',
    variants: () => [
      {
        parameters: { type: 'default' },
        cost: 1,
        apply: ofRecipe((recipe, rotary) =>
          hasScaling(rotary) ? { ...recipe, scaling: unscaled } : undefined,
        ),
      },
    ],
    says: () => 'The frequencies are those of the base alone: rope_scaling was not applied.',
    fix: 'Apply rope_scaling (rope_parameters in transformers 5): --rope-scaling and --rope-scale (llama.cpp), --rope-scaling or the config (vLLM), scaled freqs for mx.fast.rope (MLX), scaled caches (ONNX).',
  }),
  fault({
    id: 'scaling_wrong_type',
    part: 'scaling',
    variants(world) {
      const rotary = rotaryOf(world);
      if (!rotary || !hasScaling(rotary)) return [];
      return otherTypes(world, rotary.recipe).map(([type, scaling], i) => ({
        parameters: { type, factor: factorOf(scaling) },
        cost: 1.1 + 0.002 * i,
        apply: ofRecipe((recipe, own) => (hasScaling(own) ? { ...recipe, scaling } : undefined)),
      }));
    },
    says: ({ type, factor }) =>
      `The frequencies are those of rope_type '${type}', factor ${factor}.`,
    fix: 'Use the rope_type of the config with its own keys; a factor means something else under each type.',
  }),
  fault({
    id: 'scaling_wrong_factor',
    part: 'scaling',
    variants(world, change) {
      const rotary = rotaryOf(world);
      const own = rotary && factorOf(rotary.recipe.scaling);
      if (!rotary || own === undefined || !hasScaling(rotary)) return [];
      const recipeOf = (recipe: Recipe, factor: number) => {
        const scaling = withFactor(recipe.scaling, factor);
        return scaling && { ...recipe, scaling };
      };
      const found = fittedRecipes(world, change, recipeOf, [1, 1000]);
      const lengths = lengthsNear(world).map(
        (length) => length / (originalOf(rotary.recipe.scaling) ?? length),
      );
      const factors = [...new Set([...knownFactors, ...lengths, ...found])];
      return factors
        .filter((factor) => factor >= 1 && Math.abs(factor - own) > 1e-4 * own)
        .flatMap((factor) => {
          const cost = knownFactors.includes(factor)
            ? 1.15
            : Number.isInteger(factor * 2)
              ? 1.5
              : 2.5;
          return [
            {
              parameters: { factor },
              cost,
              apply: ofRecipe((recipe) => recipeOf(recipe, factor)),
            },
            {
              parameters: { factor, attention_factor: 'computed' },
              cost: cost + 0.01,
              apply: ofRecipe((recipe) => withComputedTemperature(recipeOf(recipe, factor))),
            },
          ];
        });
    },
    says: ({ factor, attention_factor: temperature }) =>
      temperature
        ? `The frequencies are scaled by factor ${factor}, and the attention factor is computed from it: that of the config is not read.`
        : `The frequencies are scaled by factor ${factor}.`,
    fix: 'Use the factor of the config: rope_scaling.factor (Hugging Face, vLLM), --rope-scale or 1/--rope-freq-scale (llama.cpp), 1/scale of nn.RoPE (MLX).',
  }),
  fault({
    id: 'wrong_original_length',
    part: 'scaling',
    variants(world, change) {
      const rotary = rotaryOf(world);
      const own = rotary && originalOf(rotary.recipe.scaling);
      if (own === undefined) return [];
      const near = lengthsNear(world);
      const recipeOf = (recipe: Recipe, originalLength: number): Recipe | undefined =>
        originalOf(recipe.scaling) === undefined || originalLength < 2
          ? undefined
          : {
              ...recipe,
              scaling: { ...recipe.scaling, originalLength: Math.round(originalLength) } as any,
            };
      const found = fittedRecipes(world, change, recipeOf, [64, 2 ** 22]).map(Math.round);
      return [...new Set([...near, ...tableLengths, ...found])]
        .filter((original) => original !== own && original >= 2)
        .map((original) => ({
          parameters: { original_max_position_embeddings: original },
          cost: near.includes(original) ? 1.05 : tableLengths.includes(original) ? 1.2 : 2.5,
          apply: ofRecipe((recipe) => recipeOf(recipe, original)),
        }));
    },
    says: ({ original_max_position_embeddings: original }) =>
      `The scaling was computed for an original length of ${original}.`,
    fix: 'Use original_max_position_embeddings, not max_position_embeddings (Hugging Face, vLLM); --yarn-orig-ctx (llama.cpp).',
  }),
  fault({
    id: 'dynamic_ntk_other_length',
    part: 'scaling',
    variants(world, change) {
      const rotary = rotaryOf(world);
      if (rotary?.recipe.scaling.type !== 'dynamic-ntk') return [];
      const own = rotary.recipe.scaling.length;
      const recipeOf = (recipe: Recipe, length: number): Recipe | undefined =>
        recipe.scaling.type === 'dynamic-ntk'
          ? { ...recipe, scaling: { ...recipe.scaling, length: Math.round(length) } }
          : undefined;
      const start = rotary.recipe.scaling.originalLength;
      const found = fittedRecipes(world, change, recipeOf, [start, 2 ** 24]).map(Math.round);
      const near = found.flatMap((length) => [length - 1, length, length + 1]);
      const lengths = [...new Set([...lengthsNear(world), ...tableLengths, ...near])];
      return [
        {
          parameters: { seq_len_per_row: true },
          cost: 1.05,
          apply: ofRotary(({ recipe }) =>
            recipe.scaling.type === 'dynamic-ntk' ? { lengthPerRow: true } : undefined,
          ),
        },
        ...lengths
          .filter((length) => length !== own && length >= 2)
          .map((length) => ({
            parameters: { seq_len: length },
            cost: 1.1 + (tableLengths.includes(length) || isRound(length, 3) ? 0 : 0.05),
            apply: ofRecipe((recipe) => recipeOf(recipe, length)),
          })),
      ];
    },
    says: ({ seq_len: length }) =>
      length === undefined
        ? 'Each row has the dynamic NTK base of the length at which it was computed.'
        : `Dynamic NTK was computed for a length of ${length}.`,
    fix: 'Compute the base for the present length and rotate cached keys again, or keep keys unrotated in the cache; vLLM fixes the length at start.',
  }),
  fault({
    id: 'longrope_short_beyond_boundary',
    part: 'scaling',
    variants: () => [
      {
        parameters: { longrope_use: 'short' },
        cost: 1,
        apply: ofRecipe((recipe) => withList(recipe, 'short')),
      },
    ],
    says: () => 'short_factor was used although the text is longer than the original length.',
    fix: 'Use long_factor beyond original_max_position_embeddings, for all rows: rope_factors_long (llama.cpp), long_factor (Hugging Face, MLX); vLLM decides by max_model_len.',
  }),
  fault({
    id: 'longrope_long_within_boundary',
    part: 'scaling',
    variants: () => [
      {
        parameters: { longrope_use: 'long' },
        cost: 1.05,
        apply: ofRecipe((recipe) => withList(recipe, 'long')),
      },
    ],
    says: () => 'long_factor was used although the text is within the original length.',
    fix: 'Use short_factor up to original_max_position_embeddings; vLLM decides by max_model_len, which must then be within it.',
  }),
  fault({
    id: 'yarn_ramp_paper_vs_code',
    part: 'scaling',
    variants: () => [
      {
        parameters: { ramp: 'paper' },
        cost: 1,
        apply: ofRecipe((recipe) =>
          recipe.scaling.type === 'yarn'
            ? { ...recipe, scaling: { ...recipe.scaling, ramp: 'published' } }
            : undefined,
        ),
      },
    ],
    says: () => "YaRN's ramp is linear in turns, as in the paper.",
    fix: 'Use the ramp of released code, linear in the pair index between find_correction_range of beta_fast and beta_slow.',
  }),
  fault({
    id: 'yarn_truncate',
    part: 'scaling',
    variants: (world) => {
      const scaling = rotaryOf(world)?.recipe.scaling;
      const isOn = scaling?.type === 'yarn' && scaling.truncate !== false;
      return [
        {
          parameters: { truncate: !isOn },
          cost: 1,
          apply: ofRecipe((recipe) =>
            recipe.scaling.type === 'yarn'
              ? { ...recipe, scaling: { ...recipe.scaling, truncate: !isOn } }
              : undefined,
          ),
        },
      ];
    },
    says: ({ truncate }) =>
      truncate
        ? "The ends of YaRN's ramp were rounded to whole pairs; the config says truncate: false."
        : "The ends of YaRN's ramp were not rounded to whole pairs, which is the default.",
    fix: 'Follow rope_scaling.truncate (default true; gpt-oss has false).',
  }),
];

const scaledTwice = fault({
  id: 'scaling_factor_applied_twice',
  part: 'scaling',
  variants(world) {
    // A linear factor that is squared is another factor, which is named first.
    const isLinear = rotaryOf(world)?.recipe.scaling.type === 'linear';
    const change = (temperature?: 'twice') =>
      ofRotary((rotary) =>
        hasScaling(rotary)
          ? {
              recipe: { ...rotary.recipe, isScaledTwice: true },
              ...(temperature && { temperature }),
            }
          : undefined,
      );
    return [
      { parameters: { twice: 'freq' }, cost: isLinear ? 1.2 : 1, apply: change() },
      { parameters: { twice: 'all' }, cost: isLinear ? 1.25 : 1.01, apply: change('twice') },
    ];
  },
  says: ({ twice }) =>
    twice === 'all'
      ? 'The scaling was applied twice, to the frequencies and as attention factor.'
      : 'The scaling was applied twice to the frequencies.',
  fix: 'Scale either when the weights are converted or when the model runs: remove rope_scaling where inv_freq or rope_freqs.weight is scaled already (Hugging Face, vLLM), or set --rope-scaling none (llama.cpp), scale=1 (MLX), caches without a second factor (ONNX).',
});

function withList(recipe: Recipe, use: 'short' | 'long'): Recipe | undefined {
  const { scaling } = recipe;
  if (scaling.type !== 'longrope') return undefined;
  const { originalLength } = scaling;
  const isLong = (scaling.length ?? originalLength) > originalLength;
  if (isLong === (use === 'long')) return undefined;
  const length = use === 'short' ? originalLength : originalLength + 1;
  return { ...recipe, scaling: { ...scaling, length } };
}

export const frequencyFaults = [baseFault, ...scalingFaults, scaledTwice];
